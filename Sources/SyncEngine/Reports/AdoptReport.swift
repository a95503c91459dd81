package import TodoModel

/// The result of merging copies that other tools made.
package struct AdoptReport: Sendable {
    package var adopted: [AdoptedCopy] = []
    /// The copies that weren't merged, and why.
    package var unresolved: [ReportRow] = []
    /// Whether the user declined, so that nothing was changed.
    package var isCancelled = false

    package init() {}
}

/// A copy that was merged into its todo's file, or that a dry run would merge.
package struct AdoptedCopy: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// The todo already had everything in the copy.
        case removed
        /// The todo's file got the parts that only the copy had.
        case merged
        /// The todo's file was gone and was restored.
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
