internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// Returns what commands that change todos print with `--json`.
func json(_ changes: [ReportRow], _ names: TodoNames) -> Value {
    .mapping(["todos": .list(changes.map { changeJSON($0, names) })])
}

/// Returns what a command or an undo did to a todo's file; `change` is null if it is unchanged.
func changeJSON(_ row: ReportRow, _ names: TodoNames) -> Value {
    var todo = todoJSON(row.id, row.path, names)
    todo["change"] = row.operation.map { .string($0.rawValue) } ?? .null
    if row.hasFields { todo["fields"] = .strings(row.fields) }
    if row.operation != nil, let previousPath = row.previousPath { todo["from"] = .string(previousPath) }
    if row.notes.contains(.conflictLeft) { todo["conflict"] = .bool(true) }
    return .mapping(todo)
}

/// Returns what `diff --json` prints.
func diffJSON(_ diff: [UInt8]) -> Value {
    .mapping(["diff": .string(String(decoding: diff, as: UTF8.self))])
}

/// Returns what `purge --json` prints.
func json(_ report: PurgeReport, isUndo: Bool) -> Value {
    let todos = Value.list(report.todos.map { .mapping(todoJSON($0.id, $0.path, report.names)) })
    if isUndo { return .mapping(["restored": todos]) }
    return .mapping([
        "purged": todos, "undated": .integer(report.undated),
        "left": .list(report.left.map { keptJSON($0, report.names) }),
    ])
}
