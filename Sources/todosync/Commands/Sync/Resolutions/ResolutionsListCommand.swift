internal import ArgumentParser
internal import SyncEngine

/// The command `todosync resolutions list [TODO…]`.
struct ResolutionsListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List resolutions: the todo, the field, what you chose, and when.",
        usage: "todosync resolutions [list] [--json] [<todo>...]",
        discussion: "Example: todosync resolutions list hello-world-3.yaml")

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let resolutions = try workspace.resolutions(
            of: todos.map { session.pastTodoName($0, in: workspace) })
        if json.isWanted {
            try session.show(json: todosync.json(resolutions))
        } else {
            try session.show(render(resolutions, Present(session.dates), session.style(in: workspace)))
        }
        return .done
    }
}
