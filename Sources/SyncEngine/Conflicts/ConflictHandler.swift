package import LosslessYAML
package import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// Decides conflicts that no rule and no remembered resolution can decide, before ``ConflictPolicy`` does.
package enum ConflictHandler: Sendable {
    /// Runs the command that the configuration names, if it names one.
    ///
    /// If this throws a ``HandlerProblem``, the conflict is left to the policy; any other error stops the
    /// sync.
    case command(@Sendable (_ command: String, Conflict) async throws -> ConflictAnswer)
    /// Asks the program that uses the engine; its errors stop the sync.
    case program(@Sendable (Conflict) async throws -> ConflictAnswer)
}

/// The answer to the conflict in one field.
package enum FieldAnswer: Sendable, Hashable {
    /// The field takes this side's value.
    case take(Side)
    /// The field gets this value; nil removes the field.
    case value(Value?)
}

/// Why a handler's answer can't be used.
package struct HandlerProblem: Error, Sendable, Hashable {
    /// The reason in words that follow the handler's name, such as *exited with status 1*.
    package var reason: String
    /// Whether the user has already been warned, so that only the report mentions the problem.
    package var isReported: Bool

    package init(_ reason: String, isReported: Bool = false) {
        (self.reason, self.isReported) = (reason, isReported)
    }
}

extension ConflictHandler {
    /// How the log names the handler; nil if no command is configured.
    func chooser(_ configuration: Configuration) -> LoggedChoice.Chooser? {
        switch self {
        case .program: .program
        case .command: configuration.handler.map { _ in .handler }
        }
    }

    /// Asks the handler about a conflict.
    ///
    /// - Returns: What the answer leaves of the conflict; nil if the handler cancelled.
    func answer(
        _ conflict: Conflict, _ configuration: Configuration, _ surroundings: Surroundings
    ) async throws -> Conflict? {
        try surroundings.checkGoesOn()
        do {
            let answer =
                switch self {
                case .program(let ask): try await ask(conflict)
                case .command(let run):
                    if let command = configuration.handler {
                        try await run(command, conflict)
                    } else {
                        ConflictAnswer.leave
                    }
                }
            if case .cancel = answer { return nil }
            return try conflict.handled(by: answer)
        } catch let problem as HandlerProblem {
            if !problem.isReported {
                let name = if case .command = self { "merge.handler" } else { "the handler" }
                surroundings.notice(
                    "warning: \(conflict.path): \(name) \(problem.reason); the conflict is left to you")
            }
            var left = conflict
            left.handlerProblem = problem
            return left
        }
    }
}

// MARK: Applying answers

extension Conflict {
    /// Applies a handler's answer, which decides the whole conflict, some of its fields, or nothing.
    ///
    /// - Throws: A ``HandlerProblem`` if the answer doesn't fit the conflict.
    func handled(by answer: ConflictAnswer) throws(HandlerProblem) -> Conflict {
        switch answer {
        case .leave, .cancel: return self
        case .take(let side):
            guard let taken = text.taking(side) else {
                throw HandlerProblem("chose the \(side.rawValue) version, which does not exist")
            }
            return try handled(by: .text(taken))
        case .text(let bytes):
            var decided = resolved(by: bytes)
            decided.handled = fields
            if let text = decided.resolution { try checkIsValid(text) }
            return decided
        case .both: return try handled(by: .fields(unions))
        case .remembered, .lines, .draft:
            throw HandlerProblem("gave an answer that only a person can give")
        case .fields(let answers): return answers.isEmpty ? self : try answered(by: answers)
        }
    }

    private func answered(by answers: [ByteKey: FieldAnswer]) throws(HandlerProblem) -> Conflict {
        let values = try values(of: answers)
        guard let merge = merge(resolving: recalled, fields: values) else {
            throw HandlerProblem("gave answers that don't fit the conflict")
        }
        var left = self
        left.handled = fields.filter { values[ByteKey($0)] != nil }
        (left.fields, left.mergedFields) = (merge.conflictingFields, merge.mergedFields)
        do throws(MergeObstacle) {
            left.text = try merge.outcome.text
        } catch {
            throw HandlerProblem("gave answers that can't be written; with them, \(error.words)")
        }
        // Sides are taken with their comments.
        if let answered = try? answering(answers, in: text),
            answered.blocks.isEmpty == left.text.blocks.isEmpty
        {
            left.text = answered
        }
        for side in [Side.local, .remote] {
            if let bytes = left.text.taking(side) { try checkIsValid(bytes) }
        }
        return left
    }

    /// Throws an error unless a text is valid as the todo or as its deletion.
    private func checkIsValid(_ bytes: [UInt8]) throws(HandlerProblem) {
        switch ParsedFile(bytes, isRecorded: true) {
        case .todo(let todo) where todo.id == id: break
        case .onlyID(let found) where found == id && kind.hasDeletion: break
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
