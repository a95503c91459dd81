internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

/// A condition on todos: terms that must all hold.
struct Filter: Sendable {
    /// One word of a filter.
    struct Term: Sendable {
        var condition: Condition
        /// Whether the condition must not hold.
        var isNegated = false
        /// The date that the user typed, as todosync understood it: `due<fri  Fri 2026-11-27`.
        var understood: String?
    }

    /// What a term requires of a todo.
    enum Condition: Sendable {
        /// A word that occurs in the text or the notes.
        case word(SearchForm)
        /// A word that occurs in the notes.
        case notes(SearchForm)
        case tag(SearchForm)
        /// The beginning of the path from the working directory's root.
        case path(SearchForm)
        case state(FilterState)
        case priority(Comparison, Priority)
        case date(field: String, Comparison, Due)
        case number(field: String, Comparison, Number)
        /// A field has this value, in any letter case.
        case value(field: String, String)
        /// A field has no value.
        case none(field: String)
        /// A saved filter.
        case saved(SavedFilter)
    }

    var terms: [Term] = []

    /// The dates that the user typed, as todosync understood them.
    var understood: [String] { terms.compactMap(\.understood) + saved.flatMap(\.filter.understood) }

    /// Whether the filter asks for a state that done todos can have, so that they count too.
    var asksForState: Bool {
        terms.contains { if case .state(let state) = $0.condition { !state.isOfOpenTodos } else { false } }
            || saved.contains(where: \.filter.asksForState)
    }

    /// Whether the filter asks for start dates, so that todos that start later count too.
    var asksForStart: Bool {
        terms.contains { term in
            switch term.condition {
            case .state(.waiting): !term.isNegated
            case .date(FieldName.start, _, _), .none(FieldName.start): true
            default: false
            }
        } || saved.contains(where: \.filter.asksForStart)
    }

    /// The values that the terms ask for in fields of the user's own.
    var ownValues: [(field: String, value: String)] {
        terms.compactMap {
            if case .value(let field, let value) = $0.condition { (field, value) } else { nil }
        }
    }

    /// The saved filters that the terms name.
    var saved: [SavedFilter] {
        terms.compactMap { if case .saved(let filter) = $0.condition { filter } else { nil } }
    }
}

/// The values of `is:`.
enum FilterState: String, Sendable, CaseIterable {
    case open, done, overdue, today, soon, waiting, pending, conflict, held

    /// Whether the state is about the due date or the start date, so that no done todo has it.
    var isOfOpenTodos: Bool { [.overdue, .today, .soon, .waiting].contains(self) }
}

/// The values of `priority:`, in ascending order.
enum Priority: String, Sendable, CaseIterable, Comparable {
    case low, medium, high

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    static func < (left: Priority, right: Priority) -> Bool { left.rank < right.rank }
}

/// The operators of a filter's term.
enum Comparison: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case equal = ":"
    case greaterOrEqual = ">="
    case greater = ">"

    /// Returns whether the operator holds between two values.
    func holds<Operand: Comparable>(_ left: Operand, _ right: Operand) -> Bool {
        holds(left < right ? .earlier : right < left ? .later : .same)
    }

    /// Returns whether the operator holds for the order of two values.
    func holds(_ order: DueOrder) -> Bool {
        switch self {
        case .less: order == .earlier
        case .lessOrEqual: order != .later
        case .equal: order == .same
        case .greaterOrEqual: order != .earlier
        case .greater: order == .later
        }
    }
}

extension Filter {
    /// Returns whether all terms hold for a todo.
    func matches(_ entry: ListEntry, _ present: Present) -> Bool {
        terms.allSatisfy { $0.condition.holds(for: entry, present) != $0.isNegated }
    }
}

extension Filter.Condition {
    fileprivate func holds(for entry: ListEntry, _ present: Present) -> Bool {
        switch self {
        case .word(let word):
            entry.searchText.contains(word) || SearchForm(entry.notes).contains(word)
        case .notes(let word): SearchForm(entry.notes).contains(word)
        case .tag(let tag): entry.tags.contains { SearchForm($0) == tag }
        case .path(let beginning): SearchForm(entry.todo.path).hasPrefix(beginning)
        case .state(let state): state.isState(of: entry, present)
        case .priority(let comparison, let priority):
            entry.priority.flatMap(Priority.init).map { comparison.holds($0, priority) } ?? false
        case .date(let field, let comparison, let limit):
            date(field, entry).map { comparison.holds(present.zone.order(of: $0, from: limit)) } ?? false
        case .number(let field, let comparison, let limit):
            if case .number(let number)? = entry.todo.fields[field] {
                comparison.holds(number, limit)
            } else {
                false
            }
        case .value(let field, let typed): has(entry.todo.fields[field], typed)
        case .none(let field): isAbsent(field, entry)
        case .saved(let saved): saved.filter.matches(entry, present)
        }
    }

    private func date(_ field: String, _ entry: ListEntry) -> Due? {
        if field == FieldName.due { return entry.due }
        return if case .string(let string)? = entry.todo.fields[field] { Due(string) } else { nil }
    }

    private func isAbsent(_ field: String, _ entry: ListEntry) -> Bool {
        switch field {
        case FieldName.due: return entry.due == nil
        case FieldName.priority: return entry.priority == nil
        case FieldName.tags: return entry.tags.isEmpty
        default: break
        }
        return switch entry.todo.fields[field] {
        case nil, .null: true
        case .string(let string): string.isEmpty
        case .list(let list): list.isEmpty
        default: false
        }
    }

    /// Returns whether a value, or any item of a list, equals the typed value.
    private func has(_ value: Value?, _ typed: String) -> Bool {
        switch value {
        case .string(let string): SearchForm(string) == SearchForm(typed)
        case .number(let number): Number(yaml: typed) == number
        case .bool(let bool): String(bool) == typed.lowercased()
        case .list(let list): list.contains { has($0, typed) }
        case nil, .null, .mapping: false
        }
    }
}

extension FilterState {
    fileprivate func isState(of entry: ListEntry, _ present: Present) -> Bool {
        switch self {
        case .open: !entry.isComplete
        case .done: entry.isComplete
        case .overdue, .today, .soon: entry.nearness(present)?.word == rawValue
        case .waiting: entry.isWaiting(present)
        case .pending: entry.todo.isPending
        case .conflict: entry.todo.isConflicted
        case .held: entry.todo.isHeld
        }
    }
}

/// How a due date compares with another one.
enum DueOrder: Sendable {
    case earlier, same, later
}

extension LocalZone {
    /// Returns the due day on the user's calendar.
    func day(of due: Due) -> CivilDay {
        switch due {
        case .day(let day): day
        case .instant(let instant): wallTime(at: instant.seconds).day
        }
    }

    /// Returns how a due date compares with a limit.
    ///
    /// A limit that is a whole day is compared with the due day, whatever the time. A whole day comes before
    /// the instants on the same day, because it begins first.
    func order(of due: Due, from limit: Due) -> DueOrder {
        let days = (day(of: due).daysSinceEpoch, day(of: limit).daysSinceEpoch)
        return switch (due, limit) {
        case (.instant(let due), .instant(let limit)): due < limit ? .earlier : limit < due ? .later : .same
        case (.day, .instant): days.0 <= days.1 ? .earlier : .later
        case (_, .day): days.0 < days.1 ? .earlier : days.0 > days.1 ? .later : .same
        }
    }
}
