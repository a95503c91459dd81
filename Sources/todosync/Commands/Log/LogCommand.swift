internal import ArgumentParser
internal import SyncEngine

/// The command `todosync log [TODO]`.
struct LogCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show what each command did to which todo.",
        usage: "todosync log [--json] [<todo>]",
        discussion: """
            Lists the newest operation first, with the id that undo, restore and show --at take. An edit in an \
            editor is not an operation; the next command that finds the change records it. With a todo, even a \
            deleted one, shows only the operations on that todo.

            Example: todosync log hello-world-3.yaml
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let entries = try workspace.log(todo.map { session.pastTodoName($0, in: workspace) })
        if json.isWanted {
            try session.show(json: todosync.json(entries))
        } else {
            try session.show(render(entries, session.style(in: workspace)))
        }
        return .done
    }
}
