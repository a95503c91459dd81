internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// Returns what `resolve --json` prints.
func json(_ report: ResolveReport) -> Value {
    .mapping([
        "resolved": .list(report.resolved.map { json($0, report.names) }),
        "unresolved": .list(report.unresolved.map { json($0, report.names) }),
    ])
}

private func json(_ resolved: ResolvedTodo, _ names: TodoNames) -> Value {
    var todo = todoJSON(resolved.id, resolved.path, names)
    todo["used"] = .string(resolved.used.rawValue)
    if !resolved.remembered.isEmpty { todo["remembered"] = .strings(resolved.remembered) }
    if resolved.isDeleted { todo["deleted"] = .bool(true) }
    if let command = resolved.gitCommand { todo["gitCommand"] = .string(command.rawValue) }
    return .mapping(todo)
}

func json(_ unresolved: UnresolvedTodo, _ names: TodoNames?) -> Value {
    var todo = todoJSON(unresolved.id, unresolved.path, names)
    if !unresolved.remembered.isEmpty { todo["remembered"] = .strings(unresolved.remembered) }
    todo["reason"] = .string(unresolved.reason)
    return .mapping(todo)
}
