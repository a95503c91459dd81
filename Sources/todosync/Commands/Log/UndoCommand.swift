internal import ArgumentParser
internal import SyncEngine

/// The command `todosync undo [OPERATION]`.
struct UndoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back what a command did to your files.",
        usage: "todosync undo [--json] [<operation>]",
        discussion: """
            Without an operation, the newest one that changed files and was not taken back yet. It works after a \
            push or sync, too: what is taken back is a change like any other, and goes to the remote with the next \
            push. What you changed since stays; where that is the same field, the todo is left as it is and named. \
            To put an operation in force again, undo its undo: the log names it. What brought all the todos, as a \
            clone, is only taken back if it is named.

            Example: todosync undo 3f2a9c1b

            Exit status: 0 done, 1 a todo was left as it is, 66 no such operation, 73 or 74 a file can't be read or \
            written, 75 another todosync is at work here.
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
