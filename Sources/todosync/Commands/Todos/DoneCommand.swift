internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The command `todosync done TODO…`.
struct DoneCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Mark todos as done.",
        usage: """
            todosync done <todo>...
            todosync done [--yes] <filter>...
            """,
        discussion: """
            Example: todosync done tag:shop "due<today"

            Sets complete to true in each file.

            \(FilterArgument.manyTodos)
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let changes = ManyChanges(action: { "mark \($0) as done" }, word: "done") { $0.isComplete ? nil : "" }
        guard let chosen = try session.choose(todos, for: changes, confirmation, in: workspace) else {
            return .done
        }
        let changed = try workspace.change(chosen.names, set: [(FieldName.complete, .bool(true))], unset: [])
        try session.report(chosen, changed, changes.word, json, in: workspace)
        return .done
    }
}
