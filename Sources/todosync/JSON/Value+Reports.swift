internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

// The parts that the JSON of several commands shares. Keys are in the documented order.

extension Value {
    static func integer(_ integer: Int) -> Value { .number(Number(integer)) }

    static func optional(_ string: String?) -> Value { string.map(Value.string) ?? .null }

    static func strings(_ strings: [String]) -> Value { .list(strings.map(Value.string)) }
}

/// Returns the beginning of every todo's JSON: its id, null if the file has none yet, and its path.
func todoJSON(_ id: TodoID?, _ path: String) -> Mapping {
    ["id": .optional(id?.string), "path": .string(path)]
}

/// Returns the same with the todo's handle: null if the file has no id yet, absent without names.
func todoJSON(_ id: TodoID?, _ path: String, _ names: TodoNames?) -> Mapping {
    var todo = todoJSON(id, path)
    guard let names else { return todo }
    todo["handle"] = .optional(names.handle(of: id))
    return todo
}

func json(_ conflict: ConflictedTodo, _ names: TodoNames) -> Value {
    var todo = todoJSON(conflict.id, conflict.path, names)
    todo["fields"] = .strings(conflict.fields)
    todo["kind"] = .string(conflict.kind.rawValue)
    todo["markers"] = .bool(conflict.hasMarkers)
    if let obstacle = conflict.obstacle { todo["obstacle"] = .string(obstacle) }
    if conflict.hasMovedOn { todo["remoteChanged"] = .bool(true) }
    if let labels = conflict.labels {
        todo["sides"] = .mapping(["local": .string(labels.local), "remote": .string(labels.remote)])
    }
    if !conflict.remembered.isEmpty { todo["remembered"] = .strings(conflict.remembered) }
    if let problem = conflict.handlerProblem { todo["handler"] = .string(problem.reason) }
    return .mapping(todo)
}

func json(_ file: InvalidFile) -> Value {
    .mapping([
        "path": .string(file.path), "line": .integer(file.problem.line),
        "column": .integer(file.problem.column),
        "message": .string(file.problem.message),
    ])
}

func json(_ file: DuplicateFile) -> Value {
    var todo = todoJSON(file.id, file.path)
    todo["keptBy"] = .string(file.keptBy)
    return .mapping(todo)
}
