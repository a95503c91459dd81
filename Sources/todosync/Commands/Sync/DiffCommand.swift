internal import ArgumentParser
internal import SyncEngine

/// The command `todosync diff [TODO…]`.
struct DiffCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Show what changed since the base version, as a unified diff.",
        usage: "todosync diff [<todo>...]")

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let diff = try workspace.diff(session.todoNames(todos, in: workspace))
        if json.isWanted {
            try session.show(json: diffJSON(diff))
        } else if session.hasColor || session.process.standardOutput.isTerminal {
            try session.page(render(diff: diff, session.style(in: workspace)))
        } else {
            try session.process.standardOutput.write(diff)
        }
        return .done
    }
}
