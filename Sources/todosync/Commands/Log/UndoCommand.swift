internal import ArgumentParser
internal import SyncEngine

/// The command `todosync undo [OPERATION]`.
struct UndoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo what you did to your files.",
        usage: "todosync undo [--dry-run] [--json] [<operation>]",
        discussion: """
            Example: todosync undo 3f2a9c1b

            Without an operation, undoes your newest change in this folder that isn't undone yet: a todosync \
            command, or the edits and deletes that you made with an editor or a shell and then sent with a push \
            or sync. It skips operations that no longer have an effect, such as a new todo whose file is gone. It \
            undoes what a pull changed only if you name the operation. An edit that has not been sent is not an \
            operation; "todosync discard" discards it. A todo that you created with an editor stays; undo names \
            it, and "todosync rm" deletes it.

            Your later changes and those of others stay. If the same field has changed since, todosync leaves \
            the todo unchanged and names it. An undo is a change like any other, and the next push sends it to \
            the remote. "todosync redo" redoes what was undone.

            @1 is the last operation in "todosync log", @2 the one before, and so on.

            Before it changes more than three todos, todosync lists them and asks, if there is a terminal. With \
            --json or without a terminal, it does not ask.

            Exit status: 0 done, or nothing to undo, 1 you answered no, or a todo was left unchanged, 66 no such \
            operation, 73 or 74 a file can't be read or written, 75 another todosync is running here.
            """)

    @Argument(help: OperationArgument.help)
    var operation: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var reversal: ReversalArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        // Without an operation's id, the next undo would try the same operation again.
        let hint = operation == nil ? Advice.undoAnother : nil
        return try reversal.run(.undo, isJSON: json.isWanted, hint: hint, in: session) { workspace, options in
            try workspace.undo(operation, options)
        }
    }
}
