internal import ArgumentParser
internal import SyncEngine

/// The command `todosync redo`.
struct RedoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo what you undid last.",
        usage: "todosync redo [--dry-run] [--json]",
        discussion: """
            Example: todosync redo

            After several undos, each redo reverses the newest one that is still in effect. After a new change, \
            there is nothing to redo, and the report names its operation. You can still undo an undo: run "todosync \
            undo" with its id.

            Before it changes more than three todos, todosync lists them and asks, if there is a terminal. With \
            --json or without a terminal, it does not ask.

            Exit status: 0 done, or nothing to redo, 1 you answered no, or a todo was left unchanged, 73 or 74 a \
            file can't be read or written, 75 another todosync is running here.
            """)

    @OptionGroup var json: JSONOption
    @OptionGroup var reversal: ReversalArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try reversal.run(.redo, isJSON: json.isWanted, in: session) { workspace, options in
            try workspace.redo(options)
        }
    }
}
