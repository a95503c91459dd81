internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The command `todosync reopen TODO…`.
struct ReopenCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "reopen",
        abstract: "Mark todos as open again.",
        usage: """
            todosync reopen <todo>...
            todosync reopen [--yes] <filter>...
            """,
        discussion: """
            Example: todosync reopen tag:shop "due>today"

            Sets complete to false in each file.

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
        let changes = ManyChanges(
            action: { "mark \($0) as open" }, word: "reopened", isAboutDone: true
        ) {
            $0.isComplete ? "" : nil
        }
        guard let chosen = try session.choose(todos, for: changes, confirmation, in: workspace) else {
            return .done
        }
        let changed = try workspace.change(chosen.names, set: [(FieldName.complete, .bool(false))], unset: [])
        try session.report(chosen, changed, changes.word, json, in: workspace)
        return .done
    }
}
