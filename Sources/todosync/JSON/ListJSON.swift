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
