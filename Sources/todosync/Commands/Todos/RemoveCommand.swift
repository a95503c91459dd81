internal import ArgumentParser
internal import SyncEngine

/// The command `todosync rm TODO…`.
struct RemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete todos.",
        usage: "todosync rm <todo>...",
        discussion: "Deletes the files; the next push deletes the todos on the remote.")

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        _ = try workspace.remove(session.todoNames(todos, in: workspace))
        return .done
    }
}
