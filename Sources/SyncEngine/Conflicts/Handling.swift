internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Conflict {
    /// Applies a handler's decision to the conflict.
    ///
    /// - Throws: A ``HandlerProblem`` if the decision doesn't fit the conflict.
    func handled(by answer: ConflictAnswer) throws(HandlerProblem) -> HandledConflict {
        switch answer {
        case .leave, .cancel: return HandledConflict(outcome: .left(self))
        case .take(let side):
            guard let taken = text.taking(side) else {
                throw HandlerProblem("chose the \(side.rawValue) version, which does not exist")
            }
            let bytes = wholeText(taken) ?? taken
            return HandledConflict(
                fields: fields, outcome: .resolved(try valid(bytes), merged: mergedFields + fields))
        case .text(let bytes):
            return HandledConflict(
                fields: fields, outcome: .resolved(try valid(bytes), merged: mergedFields + fields))
        case .both: return try handled(by: .fields(unions))
        case .remembered, .lines, .draft:
            throw HandlerProblem("gave an answer that only a person can give")
        case .fields(let answers):
            if answers.isEmpty { return HandledConflict(outcome: .left(self)) }
            let values = try values(of: answers)
            let decided = fields.filter { values[ByteKey($0)] != nil }
            guard let merge = merge(resolving: recalled, fields: values) else {
                throw HandlerProblem("gave answers that don't fit the conflict")
            }
            var left = self
            left.mergedFields = merge.mergedFields
            left.fields = merge.conflictingFields
            switch merge.outcome {
            case .clean(let bytes): left.text = ConflictedText(pieces: [.text(bytes)])
            case .conflicted(let text): left.text = text
            case .unwritable(let obstacle):
                throw HandlerProblem("gave answers that can't be written; with them, \(obstacle.words)")
            }
            // Sides are taken with their comments.
            if let answered = try? answering(answers, in: text),
                answered.blocks.isEmpty == left.text.blocks.isEmpty
            {
                left.text = answered
            }
            for side in [Side.local, .remote] {
                if let bytes = left.text.taking(side) { _ = try valid(bytes) }
            }
            if left.text.blocks.isEmpty, let bytes = left.text.taking(.local) {
                return HandledConflict(fields: decided, outcome: .resolved(bytes, merged: merge.mergedFields))
            }
            return HandledConflict(fields: decided, outcome: .left(left))
        }
    }

    /// Returns a text if it is valid as the todo or as its deletion; otherwise throws an error.
    private func valid(_ bytes: [UInt8]) throws(HandlerProblem) -> [UInt8] {
        switch ParsedFile(bytes, isRecorded: true) {
        case .todo(let todo) where todo.id == id: return bytes
        case .onlyID(let found) where found == id && kind.hasDeletion: return bytes
        case .invalid(let problem, _), .other(let problem, _):
            throw HandlerProblem("gave an answer that is not a valid todo: \(problem.message)")
        case .todo, .markers, .onlyID: throw HandlerProblem("gave an answer that is not a valid todo")
        }
    }
}

extension ConflictKind {
    /// Whether one side deleted the todo.
    var hasDeletion: Bool { self == .editDelete || self == .deleteEdit }
}

/// Asks a handler about conflicts, and counts the attempts.
final class Handling {
    private let ask: @Sendable (Conflict) async throws -> ConflictAnswer
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
        _ conflict: Conflict, _ surroundings: Surroundings
    ) async throws -> HandledConflict? {
        try surroundings.checkGoesOn()
        attempts[conflict.id, default: 0] += 1
        var conflict = conflict
        conflict.attempt = attempts[conflict.id] ?? 1
        do {
            let answer = try await ask(conflict)
            if case .cancel = answer { return nil }
            return try conflict.handled(by: answer)
        } catch let problem as HandlerProblem {
            if !problem.isReported {
                let name = chooser == .handler ? "merge.handler" : "the handler"
                surroundings.notice(
                    "warning: \(conflict.path): \(name) \(problem.reason); the conflict is left to you")
            }
            return HandledConflict(problem: problem, outcome: .left(conflict))
        }
    }
}

extension Workspace {
    /// Returns the open conflicts of the named todos, or all of them, in the order of their paths.
    package func conflicts(_ names: [String] = []) throws -> [Conflict] {
        let snapshot = try Snapshot(of: self)
        let wanted = Set(try names.map { try conflictedTodo($0, in: snapshot) })
        let todos = ConflictedTodo.all(in: snapshot).filter { names.isEmpty || wanted.contains($0.id) }
        let todoNames = TodoNames(snapshot)
        return todos.compactMap { todo in
            var conflict = Conflict(openOf: todo.id, in: snapshot, deviceName: surroundings.deviceName)
            conflict?.handle = todoNames.handle(of: todo.id)
            return conflict
        }
    }
}
