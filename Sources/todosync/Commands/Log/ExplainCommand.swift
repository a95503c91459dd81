internal import ArgumentParser
internal import SyncEngine

/// The command `todosync explain TODO`.
struct ExplainCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show how the last merge of a todo came out, field by field.",
        usage: "todosync explain [--json] <todo>",
        discussion: """
            For each field whose versions differed: what base, local and remote were, which rule chose, and what \
            came out. For each field that one side renamed or moved and the other edited: its old name and its \
            new one. For each comment that a side added or removed: who did, and whether the file had it then.

            Example: todosync explain hello-world-3.yaml
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let explanation = try workspace.explain(session.pastTodoName(todo, in: workspace))
        if json.isWanted {
            try session.show(json: todosync.json(explanation))
        } else {
            try session.show(render(explanation, session.style(in: workspace)))
        }
        return .done
    }
}
