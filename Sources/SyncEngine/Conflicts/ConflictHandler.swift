package import LosslessYAML
package import ThreeWayMerge

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

/// A conflict after a handler was asked about it.
struct HandledConflict {
    /// The fields that the handler decided.
    var fields: [String] = []
    /// Why the handler's answer can't be used; nil if it can.
    var problem: HandlerProblem?
    var outcome: Outcome

    /// Whether anything is decided.
    var isDecided: Bool {
        if case .resolved = outcome { true } else { !fields.isEmpty }
    }

    enum Outcome {
        /// What is left of the conflict, if the handler decided nothing or only a part.
        case left(Conflict)
        /// The todo's text, valid as a todo or as a deletion.
        case resolved([UInt8], merged: [String])
    }
}
