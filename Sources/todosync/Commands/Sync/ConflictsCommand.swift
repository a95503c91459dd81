internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The command `todosync conflicts [TODO…]`.
struct ConflictsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show the open conflicts, with the values of both sides.",
        usage: "todosync conflicts [--json] [<todo>...]",
        discussion: """
            Example: todosync conflicts hello-world-3.yaml

            For each field in conflict, shows the base, local and remote values. If only markers in the file show the \
            conflict, such as those from "git merge", local is the first side in the file and remote the second.

            Exit status: 0 done, 1 a named todo has no conflict, 66 no such todo.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let conflicts = try workspace.conflicts(session.todoNames(todos, in: workspace))
        if json.isWanted {
            try session.show(json: .list(conflicts.map { .mapping(conflictJSON($0)) }))
        } else {
            try session.page(render(conflicts, session.style(in: workspace)))
        }
        return .done
    }
}

/// The command `todosync diff [TODO…]`.
struct DiffCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed since the base version, as a unified diff.",
        usage: """
            todosync diff [<todo>...]
            todosync diff <filter>...
            """,
        discussion: """
            Example: todosync diff tag:home

            A filter works as in "todosync list", but also finds done todos.
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let diff = try workspace.diff(names(in: session, workspace))
        if json.isWanted {
            try session.show(json: diffJSON(diff))
        } else if session.hasColor || session.process.standardOutput.isTerminal {
            try session.page(render(diff: diff, session.style(in: workspace)))
        } else {
            try session.process.standardOutput.write(diff)
        }
        return .done
    }

    /// Returns the todos to compare; empty for all.
    private func names(in session: Session, _ workspace: Workspace) throws -> [String] {
        guard try session.isFilter(todos) else { return session.todoNames(todos, in: workspace) }
        let filter = try session.filter(todos, in: workspace)
        let found = try session.find(filter, in: workspace, withDone: true)
        if found.isEmpty { throw Failure(.notFound, "no todo matches the filter") }
        return found.map { $0.todo.id?.string ?? $0.todo.path }
    }
}
