internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The command `todosync unset TODO KEY…`.
struct UnsetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove fields from a todo.",
        usage: "todosync unset <todo> <key>...",
        discussion: """
            A dot leads into a field: address.city, checklist.2. Items count from 1. A field that isn't there is \
            fine.

            Example: todosync unset buy-milk.yaml due address.city
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: "Fields to remove.")
    var fields: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let changes = try fields.map { try FieldChange(unsetting: $0) }
        for field in fields {
            if field.isSameBytes(as: FieldName.text) {
                throw Failure(
                    .usage, "a todo needs its text",
                    hint: "\"todosync rm\" deletes a todo")
            }
        }
        let workspace = try session.workspace(lock)
        let changed = try workspace.change(session.todoNames([todo], in: workspace), by: changes.apply)
        try session.report(changed, json)
        return .done
    }
}
