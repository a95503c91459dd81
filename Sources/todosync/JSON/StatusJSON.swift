internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns what `status --json` prints.
func json(_ report: StatusReport) -> Value {
    var object: Mapping = [
        "clean": .bool(report.isClean),
        "remote": .optional(report.remote),
        "lastSync": .optional(report.lastSync),
        "pending": .list(report.pending.map(json)),
        "conflicts": .list(report.conflicts.map(json)),
        "invalid": .list(report.invalid.map(json)),
        "duplicates": .list(report.duplicates.map(json)),
        "copies": .list(report.copies.map(json)),
        "withheld": report.withheld.last.map(json) ?? .null,
        "lookalikes": .list(report.lookalikes.map(json)),
        "behind": .list(report.behind.map(json)),
        "absent": .list(report.absent.map(json)),
        "held": .list(report.held.map(json)),
    ]
    if let progress = report.gitProgress { object["git"] = json(progress) }
    return .mapping(object)
}

/// Returns what git is in the middle of.
func json(_ progress: GitProgress) -> Value {
    .mapping([
        "operation": .string(progress.operation), "path": .string(progress.path),
        "age": .integer(progress.age),
    ])
}

private func json(_ lookalike: Lookalike) -> Value {
    var todo = todoJSON(lookalike.id, lookalike.path)
    todo["keys"] = .list(
        lookalike.keys.map { .mapping(["key": .string($0.name), "line": .number(Number($0.line))]) })
    return .mapping(todo)
}

private func json(_ left: LeftTodo) -> Value { .mapping(todoJSON(left.id, left.path)) }

func json(_ held: HeldTodo) -> Value {
    var todo = todoJSON(held.id, held.path)
    todo["reason"] = .string(held.reason.words)
    return .mapping(todo)
}

private func json(_ pending: PendingTodo) -> Value {
    var todo = todoJSON(pending.id, pending.path)
    todo["operation"] = .string(pending.operation.rawValue)
    todo["fields"] = .strings(pending.fields)
    if let previousPath = pending.previousPath { todo["from"] = .string(previousPath) }
    return .mapping(todo)
}
