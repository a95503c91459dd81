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

    @OptionGroup var change: ChangeArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let changes = ManyChanges(action: { "mark \($0) as done" }, word: "done") { $0.isComplete ? nil : "" }
        try change.run(todos, changes, in: session) { workspace, names in
            try workspace.change(names, set: [(FieldName.complete, .bool(true))], unset: [])
        }
        return .done
    }
}

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

    @OptionGroup var change: ChangeArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let changes = ManyChanges(action: { "mark \($0) as open" }, word: "reopened", isAboutDone: true) {
            $0.isComplete ? "" : nil
        }
        try change.run(todos, changes, in: session) { workspace, names in
            try workspace.change(names, set: [(FieldName.complete, .bool(false))], unset: [])
        }
        return .done
    }
}
