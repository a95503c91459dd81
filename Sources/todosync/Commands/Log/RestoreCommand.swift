internal import ArgumentParser
internal import SyncEngine

/// The command `todosync restore TODO --to OPERATION`.
struct RestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a todo's text as it was after an operation.",
        usage: "todosync restore <todo> --to <operation>",
        discussion: """
            Works for deleted todos, too. todosync saves the current file in the operation log, and the restored \
            text is an edit like any other. Add ^ to the operation to restore the text from just before it: the \
            text that a pull, an rm or a resolve replaced.

            Example: todosync restore hello-world-3.yaml --to 3f2a9c1b^

            Exit status: 0 done, 1 the todo has a conflict or can't be written, 66 no such todo or operation, or \
            the log doesn't have the text, 75 another todosync is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Option(help: OperationArgument.help)
    var to: String

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let name = session.pastTodoName(todo, in: workspace)
        let (path, change) = try workspace.restore(name, to: to)
        try session.say(rendered(restored: path, change, session.style(in: workspace)))
        return .done
    }
}
