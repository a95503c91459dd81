internal import LosslessYAML
internal import SyncEngine

/// Returns what `purge --json` prints.
func json(_ report: PurgeReport, isUndo: Bool) -> Value {
    let todos = Value.list(report.todos.map { .mapping(todoJSON($0.id, $0.path, report.names)) })
    if isUndo { return .mapping(["restored": todos]) }
    return .mapping([
        "purged": todos, "undated": .integer(report.undated),
        "left": .list(
            report.left.map { left in
                var todo = todoJSON(left.id, left.path, report.names)
                todo["reason"] = .string(left.reason)
                return .mapping(todo)
            }),
    ])
}
