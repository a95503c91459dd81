internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// Returns what `status --json` prints.
func json(_ report: StatusReport) -> Value {
    .mapping([
        "clean": .bool(report.isClean),
        "remote": .optional(report.remote),
        "pending": .list(report.pending.map(json)),
        "conflicts": .list(report.conflicts.map(json)),
        "invalid": .list(report.invalid.map(json)),
        "duplicates": .list(report.duplicates.map(json)),
        "withheld": report.withheld.last.map(json) ?? .null,
    ])
}

private func json(_ pending: PendingTodo) -> Value {
    var todo = todoJSON(pending.id, pending.path)
    todo["operation"] = .string(pending.operation.rawValue)
    todo["fields"] = .strings(pending.fields)
    if let previousPath = pending.previousPath { todo["from"] = .string(previousPath) }
    return .mapping(todo)
}
