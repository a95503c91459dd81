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
        discussion: "Example: todosync unset buy-milk.yaml due")

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: "Fields to remove.")
    var fields: [String]

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        for field in fields {
            try FieldAssignment.checkName(field)
            if field.isSameBytes(as: FieldName.text) {
                throw Failure(
                    .usage, "a todo needs its text",
                    hint: "\"todosync rm\" deletes a todo; \"todosync set TODO text=\" empties the text")
            }
        }
        let workspace = try session.workspace(lock)
        _ = try workspace.change(session.todoNames([todo], in: workspace), set: [], unset: fields)
        return .done
    }
}
