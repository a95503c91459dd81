internal import ArgumentParser
internal import SyncEngine

/// The command `todosync explain TODO`.
struct ExplainCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a merge of a todo, field by field.",
        usage: "todosync explain [--at <operation>] [--json] <todo>",
        discussion: """
            Example: todosync explain hello-world-3.yaml --at 3f2a9c1b

            For each field that differed, shows the base, local and remote values, the rule that decided, and \
            the result; if no rule could decide, shows who chose which side: merge.handler, --on-conflict, \
            merge.remember or you. For each field that one side renamed or moved and the other edited, shows the \
            old and the new name. For each comment that a side added or removed, shows which side it was, and whether \
            the merged file has the comment.

            Explains the last merge; --at explains the merge of an operation in "todosync log": a pull, push, \
            sync or "resolve --adopt". For "resolve --adopt", the copy is the remote side.

            Exit status: 0 done, 66 no such todo or operation, or the operation did not merge the todo, or \
            none did.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Option(help: OperationArgument.help)
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let explanation = try workspace.explain(session.pastTodoName(todo, in: workspace), at: at)
        if explanation.operation == nil {
            throw Failure(
                .noMergeInLog, "the operation log has no merge of \(visible(explanation.path))",
                path: explanation.path)
        }
        if json.isWanted {
            try session.show(json: todosync.json(explanation))
        } else {
            try session.page(render(explanation, session.style(in: workspace)))
        }
        return .done
    }
}
