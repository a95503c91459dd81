internal import ArgumentParser
internal import SyncEngine

/// The command `todosync push [TODO…]`.
struct PushCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Send pending changes to the remote.",
        usage: "todosync push [<options>] [<todo>...]",
        discussion: """
            Example: todosync push --dry-run

            If a todo has changed on the remote in the meantime, todosync merges it and sends the result. If \
            the changes conflict, its file gets conflict markers, and the other todos are sent as usual. Without \
            arguments, sends everything that is pending.

            A todo that you name is sent even if git changed its file. If its file is gone, the todo is deleted \
            on the remote.

            Exit status: 0 done, 1 something needs your attention (a conflict, a todo that is refused, \
            invalid or held, withheld deletes or edits), 65 a named todo is not valid, 66 no such todo, 69 \
            the remote can't be reached, 73 or 74 a file can't be read or written, 75 another todosync is \
            running here, 77 the key is missing or wrong, 78 the configuration is wrong or has no remote, or \
            the remote is not the same one as before, or not trusted.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var edits: EditArguments
    @OptionGroup var sync: SyncArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(todos: todos, edits, in: session) { try await $0.push($1) }
    }
}
