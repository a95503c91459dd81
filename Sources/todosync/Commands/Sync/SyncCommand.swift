internal import ArgumentParser
internal import SyncEngine

/// The command `todosync sync`.
struct SyncCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Push and pull until both sides agree.",
        usage: "todosync sync [<options>]",
        discussion: """
            Stops when nothing is left to send or bring in, or when a conflict needs you.

            Example: todosync sync --on-conflict prompt

            Exit status: 0 done, 1 something needs your attention (a conflict, a refused or invalid todo, \
            withheld deletes), 69 the remote can't be reached, 73 or 74 a file can't be read or written, 75 \
            another todosync is running here, 78 the remote is not the same one as before, or not trusted.
            """)

    @Flag(
        help: ArgumentHelp(
            "Bring todos that git took back or removed to their newest versions.",
            discussion: "Their files are replaced; todosync diff shows the difference first."))
    var forward = false

    @OptionGroup var sync: SyncArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(forwards: forward, in: session) { try await $0.sync($1) }
    }
}
