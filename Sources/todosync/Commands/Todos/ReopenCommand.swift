internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The command `todosync reopen TODO…`.
struct ReopenCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Mark todos as open again.",
        usage: "todosync reopen <todo>...",
        discussion: "Sets complete to false in each file.")

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let changed = try workspace.change(
            session.todoNames(todos, in: workspace), set: [(FieldName.complete, .bool(false))], unset: [])
        try session.report(changed, json)
        return .done
    }
}
