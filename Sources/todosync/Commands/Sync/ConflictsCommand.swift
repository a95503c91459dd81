internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine

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
    @OptionGroup var global: GlobalOptions

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
