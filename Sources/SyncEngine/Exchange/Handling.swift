internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Plan.Question {
    /// Applies a handler's decision to the conflict.
    ///
    /// - Throws: A ``HandlerProblem`` if the decision doesn't fit the conflict.
    func handled(by decision: ConflictDecision) throws(HandlerProblem) -> HandledConflict {
        switch decision {
        case .leave, .cancel: return undecided
        case .take(let side):
            guard let answer = text.taking(side) else {
                throw HandlerProblem("chose the \(side.rawValue) version, which does not exist")
            }
            let bytes = conflict.wholeText(answer, in: text) ?? answer
            return HandledConflict(
                fields: conflict.fields,
                outcome: .settled(try valid(bytes), merged: mergedFields + conflict.fields))
        case .fields(let answers):
            if answers.isEmpty { return undecided }
            guard let values else {
                throw HandlerProblem(
                    "answered single fields, but one side deleted the todo, so it can only choose a side")
            }
            let decided = try values.values(of: answers, in: text, conflict.fields)
            let merge = values.merge(settling: recalled, fields: decided)
            let fields = conflict.fields.filter { decided[ByteKey($0)] != nil }
            switch merge.outcome {
            case .clean(let bytes):
                return HandledConflict(
                    fields: fields, outcome: .settled(try valid(bytes), merged: merge.mergedFields))
            case .conflicted(let left):
                for side in [Side.local, .remote] {
                    if let bytes = left.taking(side) { _ = try valid(bytes) }
                }
                return HandledConflict(
                    fields: fields,
                    outcome: .left(left, fields: merge.conflictingFields, merged: merge.mergedFields))
            case .unwritable(let obstacle):
                throw HandlerProblem("gave answers that can't be written; with them, \(obstacle.words)")
            }
        }
    }

    /// The conflict without a decision.
    var undecided: HandledConflict {
        HandledConflict(outcome: .left(text, fields: conflict.fields, merged: mergedFields))
    }

    /// Returns a text if it is valid as the todo or as its deletion; otherwise throws an error.
    private func valid(_ bytes: [UInt8]) throws(HandlerProblem) -> [UInt8] {
        switch ParsedFile(bytes, isRecorded: true) {
        case .todo(let todo) where todo.id == id: return bytes
        case .onlyID(let found) where found == id && conflict.kind.hasDeletion: return bytes
        case .invalid(let problem, _), .other(let problem, _):
            throw HandlerProblem("gave an answer that is not a valid todo: \(problem.message)")
        case .todo, .markers, .onlyID: throw HandlerProblem("gave an answer that is not a valid todo")
        }
    }
}

extension ConflictInValues {
    /// Returns the values that answers give to conflicting fields.
    ///
    /// - Parameters:
    ///   - text: The conflict, whose sides have the merged parts of every field.
    ///   - fields: The names of the conflicting fields.
    func values(
        of answers: [ByteKey: FieldAnswer], in text: ConflictedText, _ fields: [String]
    ) throws(HandlerProblem) -> [ByteKey: SettledValue] {
        let known = Set(fields.map(ByteKey.init))
        var values: [ByteKey: SettledValue] = [:]
        for (key, answer) in answers {
            guard known.contains(key) else {
                throw HandlerProblem("gave an answer for the field \(key.string), which is not in conflict")
            }
            switch answer {
            case .take(.base) where !hasBase:
                throw HandlerProblem("chose the base version, which does not exist")
            case .take(let side):
                let merged = text.taking(side).flatMap { try? Document(parsing: $0) }
                values[key] = SettledValue((merged?.fields ?? self.fields(of: side))[key.string])
            case .value(let value):
                if let value, let words = ConventionalField.problem(key.string, value) {
                    throw HandlerProblem("gave \(key.string) a different kind of value: \(words)")
                }
                values[key] = SettledValue(value == .null ? nil : value)
            }
        }
        return values
    }
}

/// Asks a handler about conflicts, and counts the attempts.
final class Handling {
    private let ask: @Sendable (TodoConflict) async throws -> ConflictDecision
    /// How the log names the handler.
    let chooser: LoggedChoice.Chooser
    private var attempts: [TodoID: Int] = [:]

    /// Creates the handler of a working directory; nil if there isn't one.
    init?(_ handler: ConflictHandler?, _ configuration: Configuration) {
        switch handler {
        case nil: return nil
        case .program(let ask): (self.ask, chooser) = (ask, .program)
        case .command(let run):
            guard let command = configuration.handler else { return nil }
            ask = { try await run(command, $0) }
            chooser = .handler
        }
    }

    /// Asks the handler about a conflict; nil if it cancelled the conflict.
    func answer(
        _ question: Plan.Question, _ snapshot: Snapshot, _ surroundings: Surroundings
    ) async throws -> HandledConflict? {
        try surroundings.checkGoesOn()
        attempts[question.id, default: 0] += 1
        let conflict = TodoConflict(
            question.id, question.path, question.conflict,
            base: TodoConflict.Text(startOf: question.id, in: snapshot), deviceName: surroundings.deviceName,
            attempt: attempts[question.id] ?? 1)
        do {
            let decision = try await ask(conflict)
            if case .cancel = decision { return nil }
            return try question.handled(by: decision)
        } catch let problem as HandlerProblem {
            if !problem.isTold {
                let name = chooser == .handler ? "merge.handler" : "the handler"
                surroundings.notice(
                    "warning: \(question.path): \(name) \(problem.reason); the conflict is left to you")
            }
            var undecided = question.undecided
            undecided.problem = problem
            return undecided
        }
    }
}

extension Workspace {
    /// Returns the open conflicts of the named todos, or all of them, in the order of their paths.
    package func conflicts(_ names: [String] = []) throws -> [TodoConflict] {
        let snapshot = try Snapshot(of: self)
        let wanted = Set(try names.map { try conflictedTodo($0, in: snapshot) })
        let todos = ConflictedTodo.all(in: snapshot).filter { names.isEmpty || wanted.contains($0.id) }
        let todoNames = TodoNames(snapshot)
        return todos.map { todo in
            var open = TodoConflict(todo, snapshot.folder.conflicted[todo.id])
            if let conflict = snapshot.tracked.todos[todo.id]?.conflict {
                open = TodoConflict(
                    todo.id, todo.path, conflict, base: TodoConflict.Text(startOf: todo.id, in: snapshot),
                    deviceName: surroundings.deviceName, attempt: 1)
            }
            open.handle = todoNames.handle(of: todo.id)
            return open
        }
    }
}

extension TodoConflict {
    /// Creates a conflict that is known only from the markers in a file.
    fileprivate init(_ todo: ConflictedTodo, _ file: ConflictedFile?) {
        func side(_ side: Side) -> Text? {
            guard case .markers(let text)? = file?.content else { return nil }
            return text.taking(side).flatMap { Text($0, version: nil, device: nil) }
        }
        self.init(
            id: todo.id, path: todo.path, kind: todo.kind, base: side(.base), local: side(.local),
            remote: side(.remote), fields: todo.fields, attempt: 1)
    }

    fileprivate init(
        _ id: TodoID, _ path: String, _ conflict: OpenConflict, base: Text?, deviceName: String?,
        attempt: Int
    ) {
        self.init(
            id: id, path: path, kind: conflict.kind, base: base,
            local: conflict.local.flatMap { Text($0, version: nil, device: deviceName) },
            remote: conflict.remote.todo.flatMap {
                Text($0.bytes, version: conflict.remote.version?.string, device: $0.device)
            },
            fields: conflict.fields, attempt: attempt)
    }
}

extension TodoConflict.Text {
    /// Creates a version from its text; nil if the text isn't a valid todo.
    init?(_ bytes: [UInt8], version: String?, device: String?) {
        guard let todo = try? Todo(parsing: bytes) else { return nil }
        self.init(bytes: bytes, fields: todo.fields, version: version, device: device)
    }

    /// Creates the version that both sides of a todo were made from; nil if there isn't one.
    init?(startOf id: TodoID, in snapshot: Snapshot) {
        // If git rolled the file back to an older version, that version is the base.
        if case .editOf(let basis)? = snapshot.standings[id] {
            self.init(basis.bytes, version: nil, device: nil)
        } else {
            guard let base = snapshot.tracked.todos[id]?.base?.todo else { return nil }
            self.init(base.bytes, version: base.version.string, device: base.device)
        }
    }
}
