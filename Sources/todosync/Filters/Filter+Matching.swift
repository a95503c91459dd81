internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

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
        case .pending: entry.todo.isPending
        case .conflict: entry.todo.isConflicted
        case .held: entry.todo.isHeld
        }
    }
}
