internal import ArgumentParser
internal import SyncEngine

/// The command `todosync undo [OPERATION]`.
struct UndoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo what a command did to your files.",
        usage: "todosync undo [--json] [<operation>]",
        discussion: """
            Without an operation, undoes the newest one that changed files and has not been undone. This works \
            after a push or sync, too: an undo is a change like any other, and the next push sends it to the \
            remote. Your later changes stay. If you changed the same field, todosync leaves the todo as it is \
            and names it. To redo an operation, undo its undo; the log shows the id. An operation that pulled \
            all todos, such as a clone, is undone only if you name it.

            Example: todosync undo 3f2a9c1b

            Exit status: 0 done, 1 a todo was left as it is, 66 no such operation, 73 or 74 a file can't be read \
            or written, 75 another todosync is running here.
            """)

    @Argument(help: OperationArgument.help)
    var operation: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let report = try workspace.undo(operation)
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.say(render(report, style))
        }
        session.warn(warnings(report, isNewest: operation == nil, style))
        if let failure = Failure(leaving: report.refused.compactMap(\.cause)) { throw failure }
        return report.refused.isEmpty ? .done : .needsUser
    }
}
