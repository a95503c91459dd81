internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
internal import Values
internal import WorkingCopy

/// Returns the description of a conflict that `merge.handler` reads.
func json(_ conflict: Conflict) -> Value {
    var object: Mapping = ["version": .integer(1)]
    for (key, value) in conflictJSON(conflict).entries { object[key] = value }
    object["attempt"] = .integer(conflict.attempt)
    return .mapping(object)
}

/// Returns a conflict as `conflicts --json` lists it, with all three versions.
func conflictJSON(_ conflict: Conflict) -> Mapping {
    var object = todoJSON(conflict.id, conflict.path)
    object["kind"] = .string(conflict.kind.rawValue)
    object["fields"] = .strings(conflict.fields)
    if conflict.hasMovedOn { object["remoteChanged"] = .bool(true) }
    object["base"] = conflict.base.map(json) ?? .null
    object["local"] = conflict.local.map(json) ?? .null
    object["remote"] = conflict.remote.map(json) ?? .null
    return object
}

private func json(_ text: Conflict.Text) -> Value {
    .mapping([
        "fields": .mapping(text.fields), "text": .string(String(decoding: text.bytes, as: UTF8.self)),
        "version": .optional(text.version), "device": .optional(text.device),
    ])
}

extension ConflictAnswer {
    /// Creates a decision from the answer of `merge.handler`.
    ///
    /// The answer is `{"take": "local"}`, `{"fields": {"due": {"take": "remote"}}}`,
    /// `{"fields": {"due": {"value": "2026-12-01"}}}`, or `{"leave": true}`.
    init(answer bytes: [UInt8]) throws(HandlerProblem) {
        let value: Value
        do {
            value = try JSON.read(bytes)
        } catch {
            throw HandlerProblem("gave an answer that is not JSON (\(error))")
        }
        guard case .mapping(let answer) = value, answer.count == 1, let (key, choice) = answer.entries.first
        else {
            throw HandlerProblem(
                #"answered with something other than an object with "take", "fields" or "leave""#)
        }
        switch (key, choice) {
        case ("leave", .bool(true)): self = .leave
        case ("take", let choice): self = .take(try Side(answer: choice))
        case ("fields", .mapping(let fields)):
            var answers: [ByteKey: FieldAnswer] = [:]
            for (name, answer) in fields.entries {
                answers[ByteKey(name)] = try FieldAnswer(answer: answer, to: name)
            }
            self = .fields(answers)
        default:
            throw HandlerProblem(
                #"answered with something other than an object with "take", "fields" or "leave""#)
        }
    }
}

extension FieldAnswer {
    fileprivate init(answer: Value, to name: String) throws(HandlerProblem) {
        guard case .mapping(let answer) = answer, answer.count == 1, let (key, choice) = answer.entries.first
        else {
            throw HandlerProblem(
                #"answered \#(name) with something other than an object with "take" or "value""#)
        }
        switch key {
        case "take": self = .take(try Side(answer: choice))
        case "value": self = .value(choice)
        default:
            throw HandlerProblem(
                #"answered \#(name) with something other than an object with "take" or "value""#)
        }
    }
}

extension Side {
    fileprivate init(answer: Value) throws(HandlerProblem) {
        guard case .string(let name) = answer, let side = Side(rawValue: name) else {
            throw HandlerProblem("took a side that is not local, remote or base")
        }
        self = side
    }
}
