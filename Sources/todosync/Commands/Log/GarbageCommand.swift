internal import ArgumentParser
internal import SyncEngine

/// The command `todosync gc`.
struct GarbageCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Forget old operations of the log.",
        usage: "todosync gc [--keep <time>]",
        discussion: """
            Keeps what is as old as --keep says (90d, 12w), without it all of 90 days and a thousand operations at \
            least. What is pending or in conflict stays in any case, with the operations that made it so and all \
            later ones, and so does what the remote last confirmed. Resolutions (todosync resolutions) that are as \
            old, or of todos that are gone, are forgotten, too. A journal that has become large is cleaned up \
            like this by itself.

            Example: todosync gc --keep 30d
            """)

    @Option(help: ArgumentHelp("Keep operations of so many days (d) or weeks (w).", valueName: "time"))
    var keep: TimeSpan?

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        try session.say(render(try workspace.compact(keeping: keep?.seconds)))
        return .done
    }
}
