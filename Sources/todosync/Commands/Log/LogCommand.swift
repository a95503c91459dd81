internal import ArgumentParser
internal import SyncEngine

/// The command `todosync log [TODO]`.
struct LogCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show what each command did to which todo.",
        usage: "todosync log [--json] [<todo>]",
        discussion: """
            The newest operation comes first, with the id that undo, restore and show --at take. What an editor \
            does is no operation; the next command that meets the change tells of it. With a todo, also one that \
            is deleted, only what was done to it is shown.

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
