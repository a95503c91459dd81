internal import ArgumentParser
internal import SyncEngine
internal import TodoModel

/// The command `todosync list [WORD…]`.
struct ListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List open todos.",
        usage: "todosync list [<options>] [<filter>...]",
        discussion: """
            Lists the open todos that match all terms of the filter. Sorts by due date, then priority, then \
            text; --sort puts another key first.

            Example: todosync list milk tag:shop "due<next week"

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

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, done { throw ValidationError("use either --all or --done") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let limit = try dueBefore.map(session.dates.read)
        let workspace = try session.workspace()
        var filter = try session.filter(filter, isQuiet: json.isWanted, in: workspace)
        filter.terms += tags.map { Filter.Term(condition: .tag($0)) }
        if let limit {
            filter.terms.append(Filter.Term(condition: .date(field: FieldName.due, .less, limit.due)))
            if !json.isWanted, limit.stored != dueBefore { session.remark("due before  \(limit.words)") }
        }
        let state = all ? ListQuery.State.all : done ? .done : filter.asksForState ? .all : .open
        let query = ListQuery(
            state: state, filter: filter, context: try session.context(of: filter, in: workspace), order: sort
        )
        let entries = query.select(from: try workspace.list())
        let marksDone = all || state == .all && entries.contains(where: \.isComplete)
        if json.isWanted {
            try session.show(json: todosync.json(entries.map(\.todo)))
        } else {
            try session.page(render(entries, marksDone: marksDone, session.style(in: workspace)))
            if entries.isEmpty { session.remark(filter.terms.isEmpty ? emptyList(state) : "no such todos") }
        }
        return .done
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
