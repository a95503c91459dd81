internal import ArgumentParser
internal import SyncEngine

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
            invalid or held, withheld deletes), 69 the remote can't be reached, 73 or 74 a file can't be \
            read or written, 75 another todosync is running here, 77 the key is missing or wrong, 78 the \
            configuration is wrong or has no remote, or the remote is not the same one as before, or not \
            trusted.
            """)

    @OptionGroup var sync: SyncArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try sync.run(in: session) { try await $0.pull($1) }
    }
}
