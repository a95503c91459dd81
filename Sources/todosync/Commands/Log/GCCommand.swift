internal import ArgumentParser
internal import SyncEngine

/// The command `todosync gc`.
struct GCCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Remove old operations from the log.",
        usage: "todosync gc [--keep <time>]",
        discussion: """
            Example: todosync gc --keep 30d

            Removes operations that are older than --keep says (90d, 12w). Without --keep, keeps 90 days and at \
            least a thousand operations. Pending changes and conflicts always stay, with the operations that led \
            to them and all later ones. So does what the remote last confirmed. Also removes resolutions (see \
            "todosync resolutions") that are as old, or whose todos are gone. todosync cleans up a large journal \
            in the same way automatically.
            """)

    @Option(
        help: ArgumentHelp(
            "Keep operations from the last <time>, in days (d) or weeks (w).", valueName: "time"),
        transform: timeSpan)
    var keep: TimeSpan?

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let report = try workspace.compact(keeping: keep?.seconds)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.say(render(report))
        }
        return .done
    }
}

private func timeSpan(_ text: String) throws -> TimeSpan {
    guard let span = TimeSpan(argument: text) else {
        throw ValidationError("it needs a number of days or weeks, such as 90d or 12w")
    }
    return span
}
