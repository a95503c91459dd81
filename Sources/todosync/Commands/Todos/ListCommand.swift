internal import ArgumentParser
internal import SyncEngine
internal import TodoModel

/// The command `todosync list [WORD…]`.
struct ListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List open todos.",
        usage: "todosync list [<options>] [<word>...]",
        discussion: """
            Lists the todos that have all the words in their text or notes, in any letter case. Sorts by due \
            date, then priority, then text; --sort puts another key first.

            Example: todosync list milk --tag shop --due-before 2026-12-24
            """)

    @Argument(help: "Words to look for in text and notes.")
    var words: [String] = []

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
        let state = all ? ListQuery.State.all : done ? .done : .open
        var query = ListQuery(state: state, tags: tags, words: words, order: sort)
        if let dueBefore {
            let (dates, date) = (session.dates, try session.dates.read(dueBefore))
            (query.dueBefore, query.zone) = (date.due, dates.zone)
            if !json.isWanted, date.stored != dueBefore { session.remark("due before  \(date.words)") }
        }
        let workspace = try session.workspace()
        let entries = query.select(from: try workspace.list())
        if json.isWanted {
            try session.show(json: todosync.json(entries.map(\.todo)))
        } else {
            try session.page(render(entries, marksDone: all, session.style(in: workspace)))
            if entries.isEmpty { session.remark(emptyList(state)) }
        }
        return .done
    }

    private func emptyList(_ state: ListQuery.State) -> String {
        let isNarrowed = !words.isEmpty || !tags.isEmpty || dueBefore != nil
        return switch state {
        case _ where isNarrowed: "no such todos"
        case .open: "no open todos"
        case .done: "no done todos"
        case .all: "no todos"
        }
    }
}

extension ListOrder: ExpressibleByArgument {}
