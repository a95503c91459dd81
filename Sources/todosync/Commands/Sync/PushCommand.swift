internal import ArgumentParser
internal import SyncEngine

/// The command `todosync push [TODO…]`.
struct PushCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Send pending changes to the remote.",
        usage: "todosync push [<options>] [<todo>...]",
        discussion: """
            A todo that the remote has changed meanwhile is merged and sent; where only you can choose, its file \
            gets conflict markers, and all other todos are sent all the same. Without arguments, everything that is \
            pending is sent.

            Example: todosync push --dry-run

            Exit status: 0 done, 1 something waits for you (a conflict, a refused or invalid todo, withheld \
            deletes), 69 the remote can't be reached, 73 or 74 a file can't be read or written, 75 another todosync \
            is at work here, 78 the remote is not the one it was, or not trusted.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var sync: SyncArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(todos: todos, in: session) { try await $0.push($1) }
    }
}
