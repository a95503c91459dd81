internal import ArgumentParser
internal import SyncEngine

/// The command `todosync rm TODO…`.
struct RemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete todos.",
        usage: "todosync rm <todo>...",
        discussion: "Deletes the files. The next push deletes the todos on the remote.")

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let conflicted = try workspace.remove(session.todoNames(todos, in: workspace))
        guard !conflicted.isEmpty else { return .done }
        let style = session.style(in: workspace)
        session.warn(
            conflicted.map { "conflict: \(style.path($0)) is not resolved yet" }
                + ["hint: \(Advice.resolveGone)"])
        return .needsUser
    }
}
