internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

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

    /// - Parameter known: The time of the first operation on the todo in this folder; nil if the log has
    ///   none.
    init(of entry: ListEntry, known: Instant?, _ present: Present) {
        if let due = entry.due { addReason(of: due, isOverdue: present.isOverdue(entry), present) }
        switch entry.priority.flatMap(Priority.init) {
        case .high: add(.priority, 6, "high priority")
        case .medium: add(.priority, 3, "medium priority")
        case .low: add(.priority, -2, "low priority")
        case nil: break
        }
        if let known {
            let days = (present.now - known.seconds) / 86_400
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
struct UrgentTodo {
    let entry: ListEntry
    let urgency: Urgency

    /// Returns todos, most urgent first; todos with the same points are in the default order of a list.
    static func ordered(
        _ entries: [ListEntry], known: [TodoID: Instant], _ present: Present
    ) -> [UrgentTodo] {
        let todos = entries.map { entry in
            let known = entry.todo.id.flatMap { known[$0] }
            return UrgentTodo(entry: entry, urgency: Urgency(of: entry, known: known, present))
        }
        return todos.sorted { left, right in
            let (points, others) = (left.urgency.points, right.urgency.points)
            return points == others ? left.entry.precedes(right.entry, by: .due) : points > others
        }
    }
}
