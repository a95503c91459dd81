internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

/// The command `todosync list [WORD…]`.
struct ListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List open todos.",
        usage: "todosync list [<options>] [<filter>...]",
        discussion: """
            Example: todosync list milk tag:shop "due<next week"

            Lists the open todos that match all terms of the filter. Sorts by due date, then priority, then \
            text; --sort puts another key first.

            Each line begins with the todo's handle, which every command accepts as the todo's name. Due dates \
            that are overdue, today or up to a week away are shown in words. On a narrow terminal, the tags are \
            dropped first. --long adds dates, the path, and the time and device of the todo's creation and last \
            change, if the operation log has them.

            If the output is not a terminal, each todo is a line with columns separated by tabs: handle, text, \
            due, priority, tags, states and path; with --long also the time and the device of its creation, then \
            those of its last change. Tags and states are separated by commas. The states are open or done, then \
            overdue, today or soon, pending, conflict, behind and held. Line feeds and tabs in a text are \
            written as \\n and \\t.

            \(FilterArgument.discussion)
            """)

    @Argument(help: FilterArgument.help)
    var filter: [String] = []

    @Flag(help: "Include done todos.")
    var all = false

    @Flag(help: "List done todos instead of open ones.")
    var done = false

    @Option(
        name: .customLong("tag"),
        help: ArgumentHelp("List only todos with this tag; can be repeated.", valueName: "tag"))
    var tags: [String] = []

    @Option(
        help: ArgumentHelp("List only todos that are due before this date, such as fri.", valueName: "date"))
    var dueBefore: String?

    @Option(help: ArgumentHelp("Sort by this key first.", valueName: "key"))
    var sort = ListOrder.due

    @Flag(name: .shortAndLong, help: "Show more of each todo: dates, devices and the path.")
    var long = false

    @Flag(help: "Print only the number of todos.")
    var count = false

    @Option(
        parsing: .unconditional, help: ArgumentHelp("List at most <count> todos.", valueName: "count"))
    var limit: Int?

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if all, done { throw ValidationError("use either --all or --done") }
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
        if count, limit != nil { throw ValidationError("use either --count or --limit") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let dueLimit = try dueBefore.map(session.dates.read)
        let workspace = try session.workspace()
        var filter = try session.filter(filter, isQuiet: json.isWanted, in: workspace)
        filter.terms += tags.map { Filter.Term(condition: .tag(SearchForm($0))) }
        if let dueLimit {
            filter.terms.append(Filter.Term(condition: .date(field: FieldName.due, .less, dueLimit.due)))
            if !json.isWanted, dueLimit.stored != dueBefore {
                session.remark("due before  \(dueLimit.words)")
            }
        }
        let state = all ? ListQuery.State.all : done ? .done : filter.asksForState ? .all : .open
        let present = Present(session.dates)
        let query = ListQuery(state: state, filter: filter, present: present, order: sort)
        let found = try query.select(from: workspace)
        keepUntilExit(found)
        let entries = Array(found.prefix(limit ?? found.count))
        if count {
            try json.isWanted
                ? session.show(json: .mapping(["count": .integer(found.count)]))
                : session.show("\(found.count)\n")
        } else if json.isWanted {
            try session.show(json: todosync.json(entries.map(\.todo)))
        } else {
            let marksDone = all || state == .all && entries.contains(where: \.isComplete)
            let form = ListForm(
                marksDone: marksDone, marksPending: try workspace.remoteURL != nil, isLong: long,
                present: present, authors: long ? try workspace.authors() : [:])
            try show(entries, of: found.count, form, in: session, workspace)
            if found.isEmpty { session.remark(filter.terms.isEmpty ? emptyList(state) : "no matching todos") }
        }
        return .done
    }

    private func show(
        _ entries: [ListEntry], of count: Int, _ form: ListForm, in session: Session, _ workspace: Workspace
    ) throws {
        let style = session.style(in: workspace)
        guard session.process.standardOutput.isTerminal else {
            return try session.show(tabSeparated(entries, form, style))
        }
        try session.page(render(entries, form, style))
        if entries.count < count { session.remark("… and \((count - entries.count).grouped) more (--limit)") }
    }

    private func emptyList(_ state: ListQuery.State) -> String {
        switch state {
        case .open: "no open todos"
        case .done: "no done todos"
        case .all: "no todos"
        }
    }
}

extension ListOrder: ExpressibleByArgument {}
