internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns what `push`, `pull` and `sync` print with `--json`.
func json(_ report: SyncReport) -> Value {
    var object: Mapping = [
        "pushed": .list(report.pushed.map(json)),
        "pulled": .list(report.pulled.map(json)),
        "merged": .list(report.merged.map(json)),
        "conflicts": .list(report.conflicts.map(json)),
        "refused": .list(report.refused.map(json)),
        "waiting": .list(report.postponed.map(json)),
        "withheld": (report.withheld ?? report.withheldEdits).map(json) ?? .null,
        "pending": report.pending.map { .integer($0) } ?? .null,
    ]
    if !report.recalled.isEmpty { object["remembered"] = .list(report.recalled.map(json)) }
    if !report.handled.isEmpty { object["handled"] = .list(report.handled.map(json)) }
    if let progress = report.gitProgress { object["git"] = json(progress) }
    if !report.held.isEmpty { object["held"] = .list(report.held.map(json)) }
    return .mapping(object)
}

private func json(_ synced: SyncedTodo) -> Value {
    var todo = todoJSON(synced.id, synced.path)
    todo["operation"] = .string(synced.operation.rawValue)
    return .mapping(todo)
}

private func json(_ merged: MergedTodo) -> Value {
    var todo = todoJSON(merged.id, merged.path)
    todo["fields"] = .strings(merged.fields)
    if merged.hasCommentsOfBoth { todo["commentsOfBoth"] = .bool(true) }
    return .mapping(todo)
}

private func json(_ settled: SettledTodo) -> Value {
    var todo = todoJSON(settled.id, settled.path)
    todo["fields"] = .strings(settled.fields)
    return .mapping(todo)
}

private func json(_ refused: RefusedTodo) -> Value {
    var todo = todoJSON(refused.id, refused.path)
    todo["status"] = .integer(refused.status)
    todo["message"] = .string(
        refused.message ?? RemoteError.words(ofStatus: refused.status, message: nil))
    return .mapping(todo)
}

private func json(_ postponed: PostponedTodo) -> Value {
    var todo = todoJSON(postponed.id, postponed.path)
    todo["reason"] = .string(postponed.reason)
    return .mapping(todo)
}

func json(_ withheld: WithheldChanges) -> Value {
    .mapping([
        "side": .string(withheld.side.rawValue), "count": .integer(withheld.count),
        "of": .integer(withheld.of), "change": .string(withheld.change.rawValue),
    ])
}
