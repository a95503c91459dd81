internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

/// Which todos a list shows, and in what order.
struct ListQuery: Sendable {
    enum State: Sendable { case open, done, all }

    var state = State.open
    var filter = Filter()
    let present: Present
    var order = ListOrder.due

    /// Returns the todos to show, in order.
    func select(from workspace: Workspace) throws -> [ListEntry] {
        try sorted(Listing(of: workspace).compactMap(entry))
    }

    /// Returns the entry of a todo; nil if it isn't shown.
    func entry(_ todo: ListedTodo) -> ListEntry? {
        let entry = ListEntry(todo)
        switch state {
        case .open where entry.isComplete, .done where !entry.isComplete: return nil
        case .open where entry.isWaiting(present) && !filter.asksForStart: return nil
        default: return filter.matches(entry, present) ? entry : nil
        }
    }

    func sorted(_ entries: [ListEntry]) -> [ListEntry] {
        entries.sorted { $0.precedes($1, by: order) }
    }
}

/// The first key that a list is sorted by.
///
/// Todos with equal keys are in the default order: by due date, priority and text.
enum ListOrder: String, Sendable, CaseIterable {
    case due, priority, text, path
}

/// A todo with its conventional fields read; a field with a value of the wrong kind counts as absent.
///
/// This is a class because sorting then moves only references.
final class ListEntry: Sendable {
    let todo: ListedTodo
    let text: String
    let isComplete: Bool
    let due: Due?
    /// The day or the time before which the todo isn't listed.
    let start: Due?
    /// The due date in days since 1970-01-01; decides most comparisons, and puts todos without a date last.
    private let dueDay: Int
    /// The due date as the user wrote it; empty if it isn't a date.
    let dueText: String
    let priority: String?
    private let priorityRank: Int
    let tags: [String]
    let notes: String
    /// The text for searching and sorting.
    let searchText: SearchForm

    init(_ todo: ListedTodo) {
        self.todo = todo
        let fields = todo.fields
        text = Self.string(fields[FieldName.text]) ?? ""
        searchText = SearchForm(text)
        isComplete = fields[FieldName.complete] == .bool(true)
        let dueText = Self.string(fields[FieldName.due]) ?? ""
        due = Due(dueText)
        self.dueText = due == nil ? "" : dueText
        start = Self.string(fields[FieldName.start]).flatMap(Due.init)
        dueDay = due?.daysSinceEpoch ?? .max
        let priority = Self.string(fields[FieldName.priority])
        let rank = priority.flatMap { ConventionalField.priorities.firstIndex(of: $0) }
        self.priority = rank == nil ? nil : priority
        priorityRank = rank ?? ConventionalField.priorities.count
        notes = Self.string(fields[FieldName.notes]) ?? ""
        if let value = fields[FieldName.tags], ConventionalField.problem(FieldName.tags, value) == nil,
            case .list(let list) = value
        {
            tags = list.compactMap(Self.string)
        } else {
            tags = []
        }
    }

    private static func string(_ value: Value?) -> String? {
        if case .string(let string)? = value { string } else { nil }
    }

    /// Returns whether the todo comes before a different one; the order is total because paths are unique.
    func precedes(_ other: ListEntry, by order: ListOrder) -> Bool {
        if order != .due, let precedes = precedes(other, accordingTo: order) { return precedes }
        return precedes(other, accordingTo: .due) ?? precedes(other, accordingTo: .priority)
            ?? precedes(other, accordingTo: .text) ?? precedes(other, accordingTo: .path) ?? false
    }

    /// Returns whether the todo comes before a different one by a single key; nil if both have the same key.
    private func precedes(_ other: ListEntry, accordingTo key: ListOrder) -> Bool? {
        switch key {
        case .due:
            if dueDay != other.dueDay { return dueDay < other.dueDay }
            guard let due, let otherDue = other.due, due != otherDue else { return nil }
            return due < otherDue
        case .priority:
            return priorityRank == other.priorityRank ? nil : priorityRank < other.priorityRank
        case .text:
            if searchText == other.searchText { return nil }
            return searchText.bytes.lexicographicallyPrecedes(other.searchText.bytes)
        case .path:
            if todo.path.isSameBytes(as: other.todo.path) { return nil }
            return todo.path.utf8.lexicographicallyPrecedes(other.todo.path.utf8)
        }
    }
}
