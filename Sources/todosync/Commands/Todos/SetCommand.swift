internal import ArgumentParser
internal import SyncEngine
internal import TodoModel

/// The command `todosync set TODO KEY=VALUE…`.
struct SetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change fields of a todo.",
        usage: "todosync set <todo> <key>=<value>...",
        discussion: """
            Only the lines of these fields change. 5 is a number, true is a boolean, no is a string. text, \
            notes, due and priority are always strings. tags takes a comma-separated list. A value that begins \
            with [ or { is YAML.

            Example: todosync set buy-milk.yaml due=2026-12-01 tags=shop,home
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: ArgumentHelp("Fields and their new values.", valueName: "key=value"))
    var assignments: [String]

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let assignments = try assignments.map { try FieldAssignment(parsing: $0) }
        let workspace = try session.workspace(lock)
        _ = try workspace.change(
            session.todoNames([todo], in: workspace), set: assignments.map { ($0.field, $0.value) }, unset: []
        )
        return .done
    }
}
