internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

/// What filters need to know besides a todo's own fields.
struct FilterContext: Sendable {
    let zone: LocalZone
    let now: Int
    let today: CivilDay
    /// The todos that are pending, if a filter asks for them.
    let pending: Set<TodoID>

    init(_ dates: DateReader, pending: Set<TodoID> = []) {
        (zone, now, today, self.pending) = (dates.zone, dates.now, dates.today, pending)
    }

    /// Returns whether an open todo should have been done by now.
    func isOverdue(_ entry: ListEntry) -> Bool {
        guard !entry.isComplete, let due = entry.due else { return false }
        return switch due {
        case .day(let day): day.daysSinceEpoch < today.daysSinceEpoch
        case .instant(let instant): instant.seconds < now
        }
    }
}

extension Filter {
    /// Returns whether all terms hold for a todo.
    func matches(_ entry: ListEntry, _ context: FilterContext) -> Bool {
        terms.allSatisfy { $0.condition.holds(for: entry, context) != $0.isNegated }
    }
}

extension Filter.Condition {
    fileprivate func holds(for entry: ListEntry, _ context: FilterContext) -> Bool {
        switch self {
        case .word(let word):
            contains(entry.foldedText, word) || contains(Array(entry.notes.lowercased().utf8), word)
        case .notes(let word): contains(Array(entry.notes.lowercased().utf8), word)
        case .tag(let tag): entry.tags.contains { $0.isSameBytes(as: tag) }
        case .path(let beginning): entry.todo.path.utf8.starts(with: beginning.utf8)
        case .state(let state): state.isState(of: entry, context)
        case .overdue: context.isOverdue(entry)
        case .priority(let comparison, let priority):
            entry.priority.flatMap(Priority.init).map { comparison.holds($0, priority) } ?? false
        case .date(let field, let comparison, let limit):
            date(field, entry).map { comparison.holds(context.zone.order(of: $0, from: limit)) } ?? false
        case .number(let field, let comparison, let limit):
            if case .number(let number)? = entry.todo.fields[field] {
                comparison.holds(number, limit)
            } else {
                false
            }
        case .value(let field, let typed): has(entry.todo.fields[field], typed)
        case .none(let field): isAbsent(field, entry)
        case .saved(let filter): filter.matches(entry, context)
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

    /// Returns whether a value is the typed one; a list has every one of its items as a value.
    private func has(_ value: Value?, _ typed: String) -> Bool {
        switch value {
        case .string(let string): string.lowercased().isSameBytes(as: typed.lowercased())
        case .number(let number): Number(json: typed) == number
        case .bool(let bool): String(bool) == typed.lowercased()
        case .list(let list): list.contains { has($0, typed) }
        case nil, .null, .mapping: false
        }
    }
}

extension FilterState {
    fileprivate func isState(of entry: ListEntry, _ context: FilterContext) -> Bool {
        switch self {
        case .open: !entry.isComplete
        case .done: entry.isComplete
        // A file without an id is a new todo.
        case .pending: entry.todo.id.map(context.pending.contains) ?? true
        case .conflict: entry.todo.isConflicted
        case .held: entry.todo.isHeld
        }
    }
}
