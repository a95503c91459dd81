internal import ArgumentParser
internal import Remotes
internal import SyncEngine

/// The command `todosync gc`.
struct GCCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Remove old operations from the log, or from a store.",
        usage: """
            todosync gc [--keep <time>]
            todosync gc --store <store> [--keep <time>]
            """,
        discussion: """
            Example: todosync gc --keep 30d

            Removes operations that are older than --keep, such as 90d or 12w. Without --keep, keeps 90 days and \
            at least a thousand operations. Pending changes and conflicts always stay, with the operations that \
            led to them and all later ones. The versions that the remote last confirmed also stay. Also removes \
            resolutions (see "todosync resolutions") that are as old, or whose todos are gone. todosync cleans \
            up a large journal in the same way automatically.

            With --store, works on a store instead, even while servers and clients use it. A store remembers the \
            ids of operations, so that a client can retry an operation if it did not get the answer. --store \
            removes the ids that are older than --keep (90 days by default), and packs the history of each table, \
            which then takes less space. Clients that were away for longer continue as usual. Run this daily for \
            a busy store, for example with cron.
            """)

    @Option(
        help: ArgumentHelp(
            "Keep operations from the last <time>, in days (d) or weeks (w).", valueName: "time"),
        transform: timeSpan)
    var keep: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Remove from this store instead: a folder, or a PostgreSQL database.", valueName: "store"),
        completion: .directory)
    var store: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        if let store { return try clean(store: store, session) }
        let workspace = try session.workspace(lock)
        let report = try workspace.compact(keeping: keep?.seconds)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.print(render(report))
        }
        return .done
    }

    private func clean(store: String, _ session: Session) throws -> ExitStatus {
        let opened = try StoreLocation(typed: store, in: session).open(in: session)
        let age = keep?.seconds ?? Store.retentionSeconds
        let report = try waiting(showing: session.progress) {
            try await opened.forgetOperations(olderThan: age, reporting: session.progress?.report)
        }
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.print(render(report))
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
