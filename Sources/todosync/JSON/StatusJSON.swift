internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Returns what `status --json` prints.
func json(_ report: StatusReport) -> Value {
    let names = report.names
    var object: Mapping = [
        "clean": .bool(report.isClean),
        "remote": .optional(report.remote),
        "lastSync": .optional(report.lastSync),
        "pending": .list(report.pending.map { pendingJSON($0, names) }),
        "conflicts": .list(report.conflicts.map { json($0, names) }),
        "invalid": .list(report.invalid.map(json)),
        "duplicates": .list(report.duplicates.map(json)),
        "copies": .list(report.copies.map(json)),
        "waiting": .list(report.held.waiting.map { waitingJSON($0, names) }),
        "withheld": report.held.withheld.last.map(json) ?? .null,
        "lookalikes": .list(report.lookalikes.map { json($0, names) }),
        "behind": .list(report.held.behind.map { named($0, names) }),
        "absent": .list(report.held.absent.map { named($0, names) }),
        "held": .list(report.held.map { json($0, names) }),
    ]
    if let progress = report.gitProgress { object["git"] = json(progress) }
    return .mapping(object)
}

/// Returns a git operation in progress as `status --json` prints it.
func json(_ progress: GitProgress) -> Value {
    .mapping([
        "operation": .string(progress.operation), "path": .string(progress.path),
        "age": .integer(progress.age),
        "unmerged": .list(progress.unmerged.map(json)),
    ])
}

private func json(_ file: UnmergedFile) -> Value {
    var object: Mapping = ["path": .string(file.path)]
    switch file.state {
    case .untouched(let side, let isDeletedOnOther):
        object["state"] = .string("untouched")
        object["side"] = .string(side.rawValue)
        object["deleted"] = .bool(isDeletedOnOther)
    case .resolved: object["state"] = .string("resolved")
    case .gone: object["state"] = .string("gone")
    }
    return .mapping(object)
}

private func json(_ lookalike: Lookalike, _ names: TodoNames) -> Value {
    var todo = todoJSON(lookalike.id, lookalike.path, names)
    todo["keys"] = .list(
        lookalike.keys.map { .mapping(["key": .string($0.name), "line": .number(Number($0.line))]) })
    return .mapping(todo)
}

private func named(_ held: HeldTodo, _ names: TodoNames) -> Value {
    .mapping(todoJSON(held.id, held.path, names))
}

func json(_ held: HeldTodo, _ names: TodoNames) -> Value {
    var todo = todoJSON(held.id, held.path, names)
    todo["reason"] = .string(held.reason.rawValue)
    todo["message"] = .string(held.words)
    return .mapping(todo)
}

private func pendingJSON(_ pending: ReportRow, _ names: TodoNames) -> Value {
    var todo = todoJSON(pending.id, pending.path, names)
    todo["operation"] = .optional(pending.operation?.rawValue)
    todo["fields"] = .strings(pending.fields)
    if let previousPath = pending.previousPath { todo["from"] = .string(previousPath) }
    return .mapping(todo)
}

/// Returns what `prompt --json` prints.
func json(_ glance: Glance) -> Value {
    .mapping([
        "pending": .integer(glance.pending), "more": .bool(glance.hasMore),
        "conflicts": .integer(glance.conflicts), "waiting": .integer(glance.waiting),
        "lastSync": .optional(glance.lastSync),
    ])
}
