import LosslessYAML
import Testing
import TodoModel
import Values

@testable import SyncEngine
@testable import todosync

/// How urgent a todo is, on Saturday, 2026-11-21, at 07:00 in UTC.
@Suite struct UrgencyTests {
    private static let now = 1_795_244_400
    private static let present = Present(DateReader(now: now, zone: LocalZone { _ in 0 }))

    private func entry(_ name: String, due: String? = nil, priority: String? = nil) -> ListEntry {
        var fields: Mapping = ["text": .string(name)]
        fields["due"] = due.map(Value.string)
        fields["priority"] = priority.map(Value.string)
        return ListEntry(
            ListedTodo(id: TodoID(name), path: name + ".yaml", fields: fields, isConflicted: false, bytes: [])
        )
    }

    struct Row: Sendable {
        var due: String?
        var priority: String?
        var daysTracked: Int?
        var points: Int
        var words: String

        init(_ due: String?, _ priority: String?, daysTracked: Int? = nil, _ points: Int, _ words: String) {
            (self.due, self.priority, self.daysTracked) = (due, priority, daysTracked)
            (self.points, self.words) = (points, words)
        }
    }

    @Test(arguments: [
        Row("2026-11-01", nil, 12, "overdue by 20 days"), Row("2026-11-20", nil, 12, "overdue by 1 day"),
        Row("2026-11-21T06:00:00Z", nil, 12, "overdue today"),
        Row("2026-11-21", nil, 10, "due today"), Row("2026-11-21T08:00:00Z", nil, 10, "due today"),
        Row("2026-11-22", nil, 8, "due tomorrow"), Row("2026-11-23", nil, 7, "due in 2 days"),
        Row("2026-11-28", nil, 2, "due in 7 days"), Row("2026-11-29", nil, 0, ""), Row("no date", nil, 0, ""),
        Row(nil, "high", 6, "high priority"), Row(nil, "medium", 3, "medium priority"),
        Row(nil, "low", -2, "low priority"), Row(nil, "urgent", 0, ""), Row(nil, nil, 0, ""),
        Row(nil, nil, daysTracked: 29, 0, ""), Row(nil, nil, daysTracked: 30, 1, "30 days old"),
        Row(nil, nil, daysTracked: 89, 2, "89 days old"), Row(nil, nil, daysTracked: 900, 3, "900 days old"),
        Row(nil, nil, daysTracked: -5, 0, ""),
        Row("2026-11-20", "high", daysTracked: 60, 20, "overdue by 1 day, high priority, 60 days old"),
    ])
    func `points come from the date, the priority and the age`(row: Row) {
        let firstSeen = row.daysTracked.map { Instant(milliseconds: Int64(Self.now - $0 * 86_400) * 1000) }
        let urgency = Urgency(
            of: entry("x", due: row.due, priority: row.priority), firstSeen: firstSeen, Self.present)
        #expect(urgency.points == row.points)
        #expect(urgency.reasons.map(\.words).joined(separator: ", ") == row.words)
    }

    @Test func `the most points come first, and a tie is in the order of a list`() {
        let entries = [
            entry("late", due: "2027-01-01"), entry("some day"), entry("a medium one", priority: "medium"),
            entry("a high one", priority: "high"), entry("in six days", due: "2026-11-27"),
            entry("today", due: "2026-11-21"), entry("tomorrow", due: "2026-11-22"),
            entry("overdue and low", due: "2026-11-20", priority: "low"),
        ]
        let expected = [
            "overdue and low.yaml", "today.yaml", "tomorrow.yaml", "a high one.yaml", "in six days.yaml",
            "a medium one.yaml", "late.yaml", "some day.yaml",
        ]
        for todos in [entries, entries.reversed()] {
            let ordered = RankedEntry.ordered(todos, firstSeen: [:], Self.present)
            #expect(ordered.map(\.entry.todo.path) == expected)
        }
    }
}
