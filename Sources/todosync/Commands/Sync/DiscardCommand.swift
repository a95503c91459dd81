internal import ArgumentParser
internal import SyncEngine

/// The command `todosync discard TODO…`.
struct DiscardCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Discard local changes to todos.",
        usage: "todosync discard <todo>...",
        discussion: """
            Example: todosync discard hello-world-3.yaml

            Replaces each todo's file with the newest version that came from the remote or was sent to it. \
            Brings back a file that is gone, and removes the file of a todo that was deleted.

            The replaced text stays in the operation log; "todosync restore TODO --to OPERATION^" restores it. If \
            you name a todo by words or by a prefix of its file's name, todosync asks first; without a terminal, add --yes.

            Exit status: 0 done, 1 you answered no, or a todo has a conflict or can't be replaced, 66 no \
            such todo, or it was never synced, 73 or 74 a file can't be read or written, 75 another todosync \
            is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try session.discard(todos, confirmation, json, in: session.workspace(lock))
    }
}

extension Session {
    /// Discards the local changes to todos that the user named, and reports the result.
    func discard(
        _ todos: [String], _ confirmation: ConfirmationOptions, _ json: JSONOption, in workspace: Workspace
    ) throws -> ExitStatus {
        let names = try confirmedNames(
            todos, to: { "discard the changes to \($0)" }, confirmation, in: workspace)
        let discarded = try workspace.discard(names)
        if json.isWanted {
            try show(json: todosync.json(discarded, TodoNames(of: workspace)))
            return .done
        }
        let lines = discarded.map { ($0.operation == nil ? "unchanged" : "discarded", $0.text, $0.path) }
        try self.print(confirmations(lines, style(in: workspace)))
        return .done
    }
}
