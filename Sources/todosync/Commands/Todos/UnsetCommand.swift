internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The command `todosync unset TODO KEY…`.
struct UnsetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove fields from a todo.",
        usage: """
            todosync unset <todo> <key>...
            todosync unset [--yes] <filter>... <key>...
            """,
        discussion: """
            Example: todosync unset buy-milk.yaml due address.city

            A dot leads into a field: address.city, checklist.2. Items count from 1. The command ignores \
            fields that the todo lacks.

            \(FilterArgument.manyTodos)
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: ArgumentHelp("Fields to remove.", valueName: "key"))
    var fields: [String] = []

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let (todos, fields) = try session.separated(todo, fields)
        if fields.isEmpty {
            throw Failure(
                .usage, "there is nothing to remove",
                hint: "name the todo or a filter, and then its fields: todosync unset milk due")
        }
        let changes = try FieldChange.unsetting(fields)
        for field in fields {
            if field.isSameBytes(as: FieldName.text) {
                throw Failure(
                    .usage, "a todo needs its text",
                    hint: "run \"todosync rm\" to delete a todo")
            }
        }
        let workspace = try session.workspace(lock)
        guard
            let chosen = try session.choose(todos, for: .ofFields(changes), confirmation, in: workspace)
        else { return .done }
        let changed = try workspace.change(chosen.names, by: changes.apply)
        try session.report(chosen, changed, "changed", json, in: workspace)
        return .done
    }
}
