internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// Returns what `list --json` prints.
func json(_ todos: [ListedTodo]) -> Value {
    .list(todos.map(json))
}

/// Returns what `show --json` prints: one todo, with its version if the remote gave it one.
func json(_ listed: ListedTodo) -> Value {
    var todo = todoJSON(listed.id, listed.path)
    todo["handle"] = .optional(listed.handle)
    todo["fields"] = .mapping(listed.fields)
    if listed.isConflicted { todo["conflict"] = .bool(true) }
    if listed.isPending { todo["pending"] = .bool(true) }
    if listed.isBehind { todo["behind"] = .bool(true) }
    if listed.isHeld { todo["held"] = .bool(true) }
    if let version = listed.version { todo["version"] = .string(version.string) }
    return .mapping(todo)
}

/// Returns what `next --json` prints: an array of todos as in `list --json`, with the points and reasons.
func json(_ todos: [RankedEntry]) -> Value {
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
