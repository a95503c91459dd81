internal import ArgumentParser
internal import SyncEngine

/// The command `todosync sync`.
struct SyncCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Push and pull until both sides agree.",
        usage: "todosync sync [<options>]",
        discussion: """
            Example: todosync sync --on-conflict prompt

            Stops when nothing is left to push or pull, or when a conflict needs you.

            Sync sends what you commit and what you write with an editor. It doesn't send changes that git \
            made to a todo's file, such as an older version that it checked out: the todo is held until you \
            decide. --newest brings back its newest version, and "todosync push TODO" sends the file as it is.

            Exit status: 0 done, 1 something needs your attention (a conflict, a todo that is refused, \
            invalid or held), 69 the remote can't be reached, 73 or 74 a file \
            can't be read or written, 75 another todosync is running here, 77 the key is missing or wrong, \
            78 the configuration is wrong or has no remote, or the remote is not the same one as before, or \
            not trusted.
            """)

    @Flag(
        name: [.customLong("newest"), .customLong("forward")],
        help: ArgumentHelp(
            "Bring back the newest versions of todos that git changed or removed.",
            discussion: "Replaces their files. With --dry-run, only lists them."))
    var forward = false

    @OptionGroup var edits: EditArguments
    @OptionGroup var sync: SyncArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(edits, forwards: forward, in: session) { try await $0.sync($1) }
    }
}

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
            invalid or held), 65 a named todo is not valid, 66 no such todo, 69 \
            the remote can't be reached, 73 or 74 a file can't be read or written, 75 another todosync is \
            running here, 77 the key is missing or wrong, 78 the configuration is wrong or has no remote, or \
            the remote is not the same one as before, or not trusted.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var edits: EditArguments
    @OptionGroup var sync: SyncArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(todos: todos, edits, in: session) { try await $0.push($1) }
    }
}

/// The command `todosync pull`.
struct PullCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Fetch and merge changes from the remote.",
        usage: "todosync pull [<options>]",
        discussion: """
            Example: todosync pull --on-conflict remote

            Merges the remote's changes with yours, which stay pending. If they conflict, the file gets conflict \
            markers.

            Exit status: 0 done, 1 something needs your attention (a conflict, a todo that is refused, \
            invalid or held), 69 the remote can't be reached, 73 or 74 a file can't be \
            read or written, 75 another todosync is running here, 77 the key is missing or wrong, 78 the \
            configuration is wrong or has no remote, or the remote is not the same one as before, or not \
            trusted.
            """)

    @OptionGroup var sync: SyncArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(in: session) { try await $0.pull($1) }
    }
}
