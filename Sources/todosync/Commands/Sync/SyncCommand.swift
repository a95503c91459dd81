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
            invalid or held, withheld deletes or edits), 69 the remote can't be reached, 73 or 74 a file \
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
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(edits, forwards: forward, in: session) { try await $0.sync($1) }
    }
}
