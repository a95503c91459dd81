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
            Example: todosync rm is:done tag:shop

            Deletes the files. The next push deletes the todos on the remote.

            If you name a todo by words or by a prefix of its file's name, todosync asks first; without a \
            terminal, add --yes.

            \(FilterArgument.manyTodos) With a filter, rm always asks.
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
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
        let (removed, conflicted) = try workspace.remove(chosen.names)
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(
                json: todosync.json(
                    removed.map { todo in
                        var change = ChangeJSON(todo.id, todo.path, .delete)
                        change.isConflicted = conflicted.contains(todo.path)
                        return change
                    }, TodoNames(of: workspace)))
        } else {
            try session.say(
                chosen.lines ?? confirmations(removed.map { (changes.word, $0.text, $0.path) }, style))
        }
        guard !conflicted.isEmpty else { return .done }
        session.warn(
            conflicted.map { "conflict: \(style.path($0)) is not resolved yet" }
                + ["hint: \(Advice.resolveGone(Advice.name(of: conflicted, style)))"])
        return .needsUser
    }
}
