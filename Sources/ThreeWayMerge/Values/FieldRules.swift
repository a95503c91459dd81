package import LosslessYAML

/// Which differences between two values of a top-level field count, what tells elements of lists apart, and
/// which fields keep their names.
package struct FieldRules: Sendable {
    /// Returns what of a field's value is compared; nil is as good as absent.
    package var canonical: @Sendable (_ field: String, _ value: Value?) -> Value?

    /// The names of the fields that elements of a list without `id` and `text` are matched by: the first
    /// counts that every element has, each with another value.
    package var identity: [String]

    /// The names of the fields that say what they are: none of them is taken for another one renamed.
    package var fixed: Set<String> = ["id", "text", "complete", "due", "priority", "tags", "notes"]

    /// The names that ``identity`` has unless others are given.
    package static let defaultIdentity = ["name", "key", "title", "task"]

    /// Creates rules from a function that says what of a value is compared.
    package init(
        identity: [String] = defaultIdentity,
        canonical: @escaping @Sendable (_ field: String, _ value: Value?) -> Value?
    ) {
        self.identity = identity
        self.canonical = canonical
    }

    /// Every difference counts, but for null, which is absent.
    package static let plain = FieldRules { _, value in value == .null ? nil : value }
}
