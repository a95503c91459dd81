internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The command `todosync next [FILTER…]`.
struct NextCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Show what to do first, and why.",
        usage: "todosync next [--limit <count>] [--json] [<filter>...]",
        discussion: """
            Example: todosync next tag:home --limit 3

            Each open todo has points: 12 if it is overdue, 10 if it is due today, 8 for tomorrow and one less \
            for each day after it, down to 2 in seven days; 6 for a high priority, 3 for a medium one, -2 for a \
            low one; and one for each 30 days that this folder has tracked the todo, up to 3. The todo with the \
            most points comes first. Todos with the same points are in the order of "todosync list".

            \(FilterArgument.terms)
            """)

    @Argument(help: FilterArgument.help)
    var filter: [String] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Show up to <count> todos.", valueName: "count"))
    var limit = 10

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be 1 or more") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let filter = try session.filter(filter, isQuiet: json.isWanted, in: workspace)
        let found = try session.find(filter, in: workspace)
        let open = found.filter { !$0.isComplete }
        let todos = RankedEntry.ordered(open, firstSeen: try firstSeen(in: workspace), Present(session.dates))
        let shown = Array(todos.prefix(limit))
        if json.isWanted {
            try session.show(json: todosync.json(shown))
            return .done
        }
        try session.show(render(shown, session.style(in: workspace)))
        if todos.isEmpty {
            session.remark(
                filter.terms.isEmpty
                    ? "no open todos" : found.isEmpty ? "no matching todos" : "no matching open todos")
        }
        if todos.count > limit { session.remark("and \(todos.count - limit) more (--limit)") }
        return .done
    }

    /// Returns the time of the first operation on each todo in this folder.
    private func firstSeen(in workspace: Workspace) throws -> [TodoID: Instant] {
        var firstSeen: [TodoID: Instant] = [:]
        // The oldest operation comes last.
        for operation in try workspace.log(nil) {
            guard let time = Instant(operation.time) else { continue }
            for todo in operation.todos { firstSeen[todo.id] = time }
        }
        return firstSeen
    }
}

/// The urgency of a todo: points and the reasons for them.
///
/// | reason | points |
/// | --- | --- |
/// | overdue | 12 |
/// | due today | 10 |
/// | due tomorrow, …, in seven days | 8, …, 2 |
/// | high, medium, low priority | 6, 3, -2 |
/// | tracked for 30, 60, 90 days or longer | 1, 2, 3 |
struct Urgency: Sendable, Hashable {
    /// A reason for points.
    struct Reason: Sendable, Hashable {
        enum Kind: String, Sendable { case overdue, dueToday, dueSoon, priority, age }

        let kind: Kind
        let points: Int
        /// The reason as people read it: `due in 3 days`.
        let words: String
    }

    private(set) var reasons: [Reason] = []

    var points: Int { reasons.reduce(0) { $0 + $1.points } }

    /// - Parameter firstSeen: The time of the first operation on the todo in this folder; nil if the log has
    ///   none.
    init(of entry: ListEntry, firstSeen: Instant?, _ present: Present) {
        if let due = entry.due { addReason(of: due, isOverdue: present.isOverdue(entry), present) }
        switch entry.priority.flatMap(Priority.init) {
        case .high: add(.priority, 6, "high priority")
        case .medium: add(.priority, 3, "medium priority")
        case .low: add(.priority, -2, "low priority")
        case nil: break
        }
        if let firstSeen {
            let days = (present.now - firstSeen.seconds) / 86_400
            if days >= 30 { add(.age, min(3, days / 30), "\(days) days old") }
        }
    }

    private mutating func add(_ kind: Reason.Kind, _ points: Int, _ words: String) {
        reasons.append(Reason(kind: kind, points: points, words: words))
    }

    private mutating func addReason(of due: Due, isOverdue: Bool, _ present: Present) {
        let days = present.zone.day(of: due).daysSinceEpoch - present.today.daysSinceEpoch
        switch days {
        case _ where isOverdue:
            add(.overdue, 12, days < 0 ? "overdue by \(counted(-days, "day"))" : "overdue today")
        case 0: add(.dueToday, 10, "due today")
        case 1: add(.dueSoon, 8, "due tomorrow")
        case 2...7: add(.dueSoon, 9 - days, "due in \(days) days")
        default: break
        }
    }
}

/// A todo and its urgency.
struct RankedEntry {
    let entry: ListEntry
    let urgency: Urgency

    /// Returns todos, most urgent first; todos with the same points are in the default order of a list.
    static func ordered(
        _ entries: [ListEntry], firstSeen: [TodoID: Instant], _ present: Present
    ) -> [RankedEntry] {
        let todos = entries.map { entry in
            let firstSeen = entry.todo.id.flatMap { firstSeen[$0] }
            return RankedEntry(entry: entry, urgency: Urgency(of: entry, firstSeen: firstSeen, present))
        }
        return todos.sorted { left, right in
            let (points, others) = (left.urgency.points, right.urgency.points)
            return points == others ? left.entry.precedes(right.entry, by: .due) : points > others
        }
    }
}
