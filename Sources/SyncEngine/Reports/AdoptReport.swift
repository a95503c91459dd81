package import TodoModel

/// The result of merging copies that other tools made.
package struct AdoptReport: Sendable {
    package var adopted: [AdoptedCopy] = []
    /// The copies that stay as they are, and why.
    package var unresolved: [UnresolvedTodo] = []
    /// Whether the user said no, so that nothing was changed.
    package var isCancelled = false

    package init() {}
}

/// A copy of a todo's file that was merged into it, or would be by a dry run.
package struct AdoptedCopy: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// The todo already had all of it.
        case removed
        /// The todo's file got what only the copy had.
        case merged
        /// The todo's file was gone, and is there again.
        case restored
        /// Only the user can choose between the values; the todo's file has both, between markers.
        case conflict
    }

    package var id: TodoID
    package var path: String
    /// The path of the todo's file.
    package var original: String
    package var outcome: Outcome
    /// The top-level fields that changed in the todo's file.
    package var fields: [String] = []
    /// The top-level fields in conflict.
    package var conflictingFields: [String] = []
}
