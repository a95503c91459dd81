internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// What a command did to a todo, for the JSON of all commands that change todos.
struct ChangeJSON {
    let id: TodoID?
    let path: String
    /// How the file changed; nil if it didn't.
    let change: OperationKind?
    var fields: [String]?
    var previousPath: String?
    /// Whether the todo still has a conflict.
    var isConflicted = false

    init(_ id: TodoID?, _ path: String, _ change: OperationKind?) {
        (self.id, self.path, self.change) = (id, path, change)
    }

    init(_ edited: EditedTodo) {
        self.init(edited.id, edited.path, edited.isChanged ? edited.kind : nil)
        if edited.kind == .update { fields = edited.fields }
    }

    fileprivate func value(_ names: TodoNames) -> Value {
        var todo = todoJSON(id, path, names)
        todo["change"] = change.map { .string($0.rawValue) } ?? .null
        if let fields { todo["fields"] = .strings(fields) }
        if let previousPath { todo["from"] = .string(previousPath) }
        if isConflicted { todo["conflict"] = .bool(true) }
        return .mapping(todo)
    }
}

/// Returns what commands that change todos print with `--json`.
func json(_ changes: [ChangeJSON], _ names: TodoNames) -> Value {
    .mapping(["todos": .list(changes.map { $0.value(names) })])
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
