internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// Returns what `resolve --adopt --json` prints.
func json(_ report: AdoptReport) -> Value {
    .mapping([
        "adopted": .list(report.adopted.map(json)),
        "unresolved": .list(report.unresolved.map { json($0, nil) }),
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
