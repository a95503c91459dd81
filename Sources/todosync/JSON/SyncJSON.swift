internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns what `push`, `pull` and `sync` print with `--json`.
func json(_ report: SyncReport) -> Value {
    let names = report.names
    var object: Mapping = [
        "pushed": .list(report.pushed.map { syncedJSON($0, names) }),
        "pulled": .list(report.pulled.map { syncedJSON($0, names) }),
        "merged": .list(report.merged.map { mergedJSON($0, names) }),
        "conflicts": .list(report.conflicts.map { json($0, names) }),
        "refused": .list(report.refused.map { refusedJSON($0, names) }),
        "waiting": .list(report.held.waiting.map { waitingJSON($0, names) }),
        "withheld": report.held.withheld.last.map(json) ?? .null,
        "pending": report.pending.map { .integer($0) } ?? .null,
    ]
    if !report.recalled.isEmpty {
        object["remembered"] = .list(report.recalled.map { resolvedJSON($0, names) })
    }
    if !report.handled.isEmpty { object["handled"] = .list(report.handled.map { resolvedJSON($0, names) }) }
    if let progress = report.gitProgress { object["git"] = json(progress) }
    if !report.held.isEmpty { object["held"] = .list(report.held.map { json($0, names) }) }
    return .mapping(object)
}

private func syncedJSON(_ synced: ReportRow, _ names: TodoNames) -> Value {
    var todo = todoJSON(synced.id, synced.path, names)
    todo["operation"] = .optional(synced.operation?.rawValue)
    if synced.hasFields { todo["fields"] = .strings(synced.fields) }
    return .mapping(todo)
}

private func mergedJSON(_ merged: ReportRow, _ names: TodoNames) -> Value {
    var todo = todoJSON(merged.id, merged.path, names)
    todo["fields"] = .strings(merged.fields)
    if merged.notes.contains(.commentsOfBoth) { todo["commentsOfBoth"] = .bool(true) }
    if merged.isDelete { todo["deleted"] = .bool(true) }
    return .mapping(todo)
}

private func resolvedJSON(_ resolved: ReportRow, _ names: TodoNames) -> Value {
    var todo = todoJSON(resolved.id, resolved.path, names)
    todo["fields"] = .strings(resolved.fields)
    return .mapping(todo)
}

private func refusedJSON(_ refused: ReportRow, _ names: TodoNames) -> Value {
    var todo = todoJSON(refused.id, refused.path, names)
    todo["status"] = .integer(refused.status ?? 0)
    todo["message"] = .string(refused.reason.isEmpty ? refused.refusal : refused.reason)
    return .mapping(todo)
}

/// Returns a held todo as an element of `waiting`, where the reason is a phrase.
func waitingJSON(_ held: HeldTodo, _ names: TodoNames) -> Value {
    var todo = todoJSON(held.id, held.path, names)
    todo["reason"] = .string(held.message)
    return .mapping(todo)
}

func json(_ withheld: WithheldChanges) -> Value {
    .mapping([
        "side": .string(withheld.side.rawValue), "count": .integer(withheld.count),
        "of": .integer(withheld.of), "change": .string(withheld.change.rawValue),
    ])
}
