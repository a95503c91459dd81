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
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

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

/// The command `todosync explain TODO`.
struct ExplainCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a merge of a todo, field by field.",
        usage: "todosync explain [--at <operation>] [--json] <todo>",
        discussion: """
            Example: todosync explain hello-world-3.yaml --at 3f2a9c1b

            For each field that differed, shows the base, local and remote values, the rule that decided, and \
            the result; if no rule could decide, shows who chose which side: merge.handler, --on-conflict, \
            merge.remember or you. For each field that one side renamed or moved and the other edited, shows the \
            old and the new name. For each comment that a side added or removed, shows which side it was, and whether \
            the merged file has the comment.

            Explains the last merge; --at explains the merge of an operation in "todosync log": a pull, push, \
            sync or "resolve --adopt". For "resolve --adopt", the copy is the remote side.

            Exit status: 0 done, 66 no such todo or operation, or the operation did not merge the todo, or \
            none did.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Option(help: OperationArgument.help)
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let explanation = try workspace.explain(session.pastTodoName(todo, in: workspace), at: at)
        if explanation.operation == nil {
            throw Failure(
                .noMergeInLog, "the operation log has no merge of \(visible(explanation.path))",
                path: explanation.path)
        }
        if json.isWanted {
            try session.show(json: todosync.json(explanation))
        } else {
            try session.page(render(explanation, session.style(in: workspace)))
        }
        return .done
    }
}
