internal import ArgumentParser
internal import SyncEngine
internal import WorkingCopy

/// The command `todosync rm TODO…`.
struct RemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete todos.",
        usage: """
            todosync rm <todo>...
            todosync rm [--yes] <filter>...
            """,
        discussion: """
            Deletes the files. The next push deletes the todos on the remote.

            Asks at a terminal if a todo is named by words or by a prefix of its file's name; elsewhere, this \
            needs --yes.

            Example: todosync rm is:done tag:shop

            \(FilterArgument.manyTodos) For rm, this holds for any number of todos.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let changes = ManyChanges(
            action: { "delete \($0)" }, word: "deleted", isAlwaysConfirmed: true
        ) { _ in "" }
        guard let chosen = try session.choose(todos, for: changes, confirmation, in: workspace) else {
            return .done
        }
        // If git removed a todo's file, there is no path to print but the one that was typed.
        let removed = json.isWanted ? chosen.names.map { ($0, try? workspace.locate($0)) } : []
        let conflicted = try workspace.remove(chosen.names)
        if json.isWanted {
            try session.show(
                json: todosync.json(
                    removed.map { name, todo in
                        var change = ChangeJSON(todo?.id, todo?.path ?? name, .delete)
                        change.isConflicted = conflicted.contains(change.path)
                        return change
                    }))
        } else {
            try session.report(chosen)
        }
        guard !conflicted.isEmpty else { return .done }
        let style = session.style(in: workspace)
        session.warn(
            conflicted.map { "conflict: \(style.path($0)) is not resolved yet" }
                + ["hint: \(Advice.resolveGone)"])
        return .needsUser
    }
}
