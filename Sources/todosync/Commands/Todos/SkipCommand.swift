internal import ArgumentParser
internal import SyncEngine

/// The command `todosync skip TODO…`.
struct SkipCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Skip an occurrence of a recurring todo.",
        usage: "todosync skip <todo>...",
        discussion: """
            Example: todosync skip "water the plants"

            Moves the due date to the next occurrence that the field every defines, and leaves the todo open. A \
            todo without a due date gets one.

            Exit status: 0 done, 1 a todo has a conflict, 64 a todo is done or doesn't recur, 65 a todo is \
            not valid, 66 no such todo, 73 or 74 a file can't be read or written, 75 another todosync is \
            running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let changed = try workspace.skip(session.todoNames(todos, in: workspace))
        if json.isWanted {
            try session.show(json: todosync.json(changed.map(ChangeJSON.init), TodoNames(of: workspace)))
        } else {
            let lines = changed.map { ("skipped", Optional($0.textWithDue), $0.path) }
            try session.say(confirmations(lines, session.style(in: workspace)))
        }
        return .done
    }
}
