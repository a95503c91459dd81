internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns what `resolve --json` prints.
func json(_ report: ResolveReport) -> Value {
    .mapping([
        "resolved": .list(report.resolved.map { resolvedJSON($0, report.names) }),
        "unresolved": .list(report.unresolved.map { unresolvedJSON($0, report.names) }),
    ])
}

private func resolvedJSON(_ resolved: ReportRow, _ names: TodoNames) -> Value {
    var todo = todoJSON(resolved.id, resolved.path, names)
    todo["used"] = .optional(resolved.used?.rawValue)
    if !resolved.fields.isEmpty { todo["remembered"] = .strings(resolved.fields) }
    if resolved.isDelete { todo["deleted"] = .bool(true) }
    if let command = resolved.gitCommand { todo["gitCommand"] = .string(command.rawValue) }
    return .mapping(todo)
}

private func unresolvedJSON(_ unresolved: ReportRow, _ names: TodoNames?) -> Value {
    var todo = todoJSON(unresolved.id, unresolved.path, names)
    if !unresolved.fields.isEmpty { todo["remembered"] = .strings(unresolved.fields) }
    todo["reason"] = .string(unresolved.reason)
    return .mapping(todo)
}

/// Returns what `resolutions --json` prints; an absent value has no key.
func json(_ resolutions: [ListedResolution]) -> Value {
    .list(
        resolutions.map { listed in
            let resolution = listed.resolution
            var object = todoJSON(resolution.id, listed.path)
            object["keys"] = .strings(resolution.path)
            object["base"] = resolution.base
            object["local"] = resolution.local
            object["remote"] = resolution.remote
            object["result"] = resolution.result
            object["operation"] = .string(resolution.operation)
            object["time"] = .string(resolution.time)
            return .mapping(object)
        })
}

/// Returns what `resolve --adopt --json` prints.
func json(_ report: AdoptReport) -> Value {
    .mapping([
        "adopted": .list(report.adopted.map(json)),
        "unresolved": .list(report.unresolved.map { unresolvedJSON($0, nil) }),
    ])
}

func json(_ copy: CopiedFile) -> Value {
    var file = todoJSON(copy.id, copy.path)
    file["of"] = .string(copy.original)
    return .mapping(file)
}

private func json(_ copy: AdoptedCopy) -> Value {
    var file = todoJSON(copy.id, copy.path)
    file["of"] = .string(copy.original)
    file["fields"] = .strings(copy.fields + copy.conflictingFields)
    file["conflict"] = .bool(copy.outcome == .conflict)
    return .mapping(file)
}
