internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// Which todos a list shows, and in what order.
struct ListQuery: Sendable {
    enum State: Sendable { case open, done, all }

    var state = State.open
    var filter = Filter()
    let present: Present
    var order = ListOrder.due

    /// Returns the todos to show, in order.
    func select(from todos: [ListedTodo]) -> [ListEntry] {
        todos.map(ListEntry.init).filter(isShown).sorted { $0.precedes($1, by: order) }
    }

    private func isShown(_ entry: ListEntry) -> Bool {
        switch state {
        case .open where entry.isComplete, .done where !entry.isComplete: false
        default: filter.matches(entry, present)
        }
    }
}

/// What a list is sorted by first.
///
/// Todos that are equal in this follow the default order: by due date, priority and text.
enum ListOrder: String, Sendable, CaseIterable {
    case due, priority, text, path
}

/// A todo with its conventional fields read; a field with a value of the wrong kind counts as absent.
///
/// A class, because sorting moves the instances.
final class ListEntry {
    let todo: ListedTodo
    let text: String
    let isComplete: Bool
    let due: Due?
    /// The due date as the user wrote it.
    let dueText: String
    let priority: String?
    let tags: [String]
    let notes: String
    /// The text in lower case, for searching and sorting.
    let foldedText: [UInt8]

    init(_ todo: ListedTodo) {
        self.todo = todo
        let fields = todo.fields
        text = Self.string(fields[FieldName.text]) ?? ""
        foldedText = Array(text.lowercased().utf8)
        isComplete = fields[FieldName.complete] == .bool(true)
        dueText = Self.conventional(FieldName.due, fields) ?? ""
        due = Due(dueText)
        priority = Self.conventional(FieldName.priority, fields)
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

    private static func conventional(_ field: String, _ fields: Mapping) -> String? {
        guard let value = fields[field], ConventionalField.problem(field, value) == nil else { return nil }
        return string(value)
    }

    private var priorityRank: Int {
        priority.flatMap { ConventionalField.priorities.firstIndex(of: $0) }
            ?? ConventionalField.priorities.count
    }

    /// Returns whether the todo comes before another one; the order is total because paths are unique.
    func precedes(_ other: ListEntry, by order: ListOrder) -> Bool {
        for key in [order, .due, .priority, .text, .path] {
            switch key {
            case .due where due != other.due:
                // Todos without a due date come last.
                guard let due else { return false }
                guard let otherDue = other.due else { return true }
                return due < otherDue
            case .priority where priorityRank != other.priorityRank: return priorityRank < other.priorityRank
            case .text where foldedText != other.foldedText:
                return foldedText.lexicographicallyPrecedes(other.foldedText)
            case .path where !todo.path.isSameBytes(as: other.todo.path):
                return todo.path.utf8.lexicographicallyPrecedes(other.todo.path.utf8)
            default: break
            }
        }
        return false
    }
}
