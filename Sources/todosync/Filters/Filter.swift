internal import LosslessYAML
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
    case open, done, overdue, today, soon, pending, conflict, held

    /// Whether the state is about the due date, so that no done todo has it.
    var isOfOpenTodos: Bool { [.overdue, .today, .soon].contains(self) }
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
