internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
internal import WorkingCopy

/// Returns what `log --json` prints.
func json(_ entries: [LogEntry], _ names: TodoNames = TodoNames()) -> Value {
    .list(entries.map { json($0, names) })
}

private func json(_ entry: LogEntry, _ names: TodoNames) -> Value {
    var object: Mapping = [
        "operation": .string(entry.operation), "time": .string(entry.time), "command": .string(entry.command),
        "todos": .list(entry.todos.map { json($0, names) }),
    ]
    if entry.isInterrupted { object["interrupted"] = .bool(true) }
    if let undoes = entry.undoes { object["undoes"] = .string(undoes) }
    if let undoneBy = entry.undoneBy { object["undoneBy"] = .string(undoneBy) }
    return .mapping(object)
}

private func json(_ todo: TodoChange, _ names: TodoNames) -> Value {
    var object = todoJSON(todo.id, todo.path, names)
    object["change"] = .string(todo.change.rawValue)
    object["state"] = .string(todo.state.rawValue)
    return .mapping(object)
}

/// Returns what `undo --json` and `redo --json` print.
func json(_ report: UndoReport) -> Value {
    var object: Mapping = [
        "operation": .optional(report.operation?.operation),
        "undone": .list(report.undone.map { changeJSON($0, report.names) }),
        "refused": .list(report.refused.map { keptJSON($0, report.names) }),
    ]
    if !report.created.isEmpty {
        object["created"] = .list(report.created.map { keptJSON($0, report.names) })
    }
    if let newer = report.newer { object["newer"] = .string(newer.operation) }
    return .mapping(object)
}

/// Returns a todo that stays as it is, and why.
func keptJSON(_ todo: ReportRow, _ names: TodoNames) -> Value {
    var object = todoJSON(todo.id, todo.path, names)
    object["reason"] = .string(todo.reason)
    return .mapping(object)
}

/// Returns what `explain --json` prints; an absent value has no key.
func json(_ explanation: Explanation) -> Value {
    var object = todoJSON(explanation.id, explanation.path)
    object["operation"] = .optional(explanation.operation?.operation)
    object["time"] = .optional(explanation.operation?.time)
    object["command"] = .optional(explanation.operation?.command)
    object["outcome"] = .optional(explanation.outcome?.rawValue)
    if let copy = explanation.copy { object["copy"] = .string(copy) }
    if let side = explanation.deletingSide { object["deletedBy"] = .string(side.rawValue) }
    if let choice = explanation.choice {
        object["chosen"] = .string(choice.side.rawValue)
        object["chosenBy"] = .string(choice.chooser.name)
    }
    object["fields"] = .list(explanation.fields.map(json))
    if !explanation.relocations.isEmpty {
        object["relocations"] = .list(explanation.relocations.map(json))
    }
    if !explanation.comments.isEmpty { object["comments"] = .list(explanation.comments.map(json)) }
    if !explanation.earlier.isEmpty { object["earlier"] = .list(explanation.earlier.map(json)) }
    return .mapping(object)
}

private func json(_ relocation: Relocation) -> Value {
    .mapping([
        "from": .list(relocation.from.map(Value.string)), "to": .list(relocation.to.map(Value.string)),
        "side": .string(relocation.side.rawValue),
    ])
}

private func json(_ comment: ExplainedComment) -> Value {
    .mapping([
        "comment": .string(comment.change.comment), "change": .string(comment.change.kind.rawValue),
        "kept": .bool(comment.isKept),
    ])
}

private func json(_ field: ExplainedField) -> Value {
    let decision = field.decision
    var object: Mapping = ["field": .string(decision.field)]
    object["base"] = decision.base
    object["local"] = decision.local
    object["remote"] = decision.remote
    object["rule"] = .string(decision.rule.rawValue)
    object["result"] = field.result
    object["conflict"] = .bool(decision.hasConflict)
    object["chosen"] = field.side.map { .string($0.rawValue) }
    let chooser = decision.rule.isOfField ? "merge.fields" : field.chooser?.name
    object["chosenBy"] = chooser.map(Value.string)
    return .mapping(object)
}

extension LoggedChoice.Chooser {
    /// The name of the chooser, as `explain --json` prints it.
    fileprivate var name: String {
        switch self {
        case .handler: "merge.handler"
        case .program: "program"
        case .option: "--on-conflict"
        case .memory: "merge.remember"
        case .user: "user"
        case .rule: "merge.fields"
        }
    }
}
