internal import ArgumentParser
internal import SyncEngine
internal import Values

/// The command `todosync log [TODO]`.
struct LogCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show which command changed which todos.",
        usage: "todosync log [<options>] [<todo>]",
        discussion: """
            Example: todosync log hello-world-3.yaml --since 2w

            Lists the newest operation first, with the id that undo, restore, explain and show --at take; they take @1 for \
            the first operation of the list, @2 for the second, and so on. An edit in an \
            editor is not an operation; the next command that finds the change records it. An undo names \
            the operation that it undoes, and that operation names the undo that is in effect. With a todo, even \
            a deleted one, shows only the operations on that todo. Times are in your time zone; --json prints \
            them in UTC.

            At a terminal, shows one screenful; --all shows everything, page by page. -n and --since choose how \
            far to look back.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String?

    @Option(
        name: [.customShort("n", allowingJoined: true), .long],
        help: ArgumentHelp("Show only the newest <count> operations.", valueName: "count"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Show only operations since this date, such as mon or 2026-11-01, or of the last days (3d) or weeks (2w).",
            valueName: "date"))
    var since: String?

    @Flag(help: "Show one line for each operation.")
    var oneline = false

    @Flag(help: "Show all operations, however many there are.")
    var all = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("-n must be 1 or more") }
        if oneline, json.isWanted { throw ValidationError("use either --oneline or --json") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let since = try since.map(session.pastTime)
        let workspace = try session.workspace()
        let (log, names) = try workspace.logReport(todo.map { session.pastTodoName($0, in: workspace) })
        let entries = chosen(log, since: since)
        if json.isWanted {
            try session.show(json: todosync.json(entries, names))
        } else {
            var style = session.style(in: workspace)
            if all || limit != nil || since != nil { style.height = nil }
            let text = render(entries, names, Present(session.dates), isShort: oneline, style)
            // One screenful needs no pager.
            try style.height == nil ? session.page(text) : session.show(text)
        }
        return .done
    }

    /// Returns the entries that the options select; `since` keeps an entry with an unreadable time.
    private func chosen(_ entries: [LogEntry], since: PastTime?) -> [LogEntry] {
        var entries = entries[...]
        if let since {
            entries =
                entries.filter { entry in Instant(entry.time).map { $0.seconds >= since.seconds } ?? true }[
                    ...]
        }
        return Array(entries.prefix(limit ?? entries.count))
    }
}
