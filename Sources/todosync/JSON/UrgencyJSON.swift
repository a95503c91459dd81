internal import LosslessYAML
internal import SyncEngine

/// Returns what `next --json` prints: an array of todos as in `list --json`, with the points and reasons.
func json(_ todos: [UrgentTodo]) -> Value {
    .list(
        todos.map { todo in
            guard case .mapping(var fields) = json(todo.entry.todo) else { return .null }
            fields["urgency"] = .integer(todo.urgency.points)
            fields["reasons"] = .list(
                todo.urgency.reasons.map { reason in
                    .mapping(["reason": .string(reason.kind.rawValue), "points": .integer(reason.points)])
                })
            return .mapping(fields)
        })
}
