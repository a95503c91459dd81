package import LosslessYAML

/// Rules for top-level fields: which differences count, what identifies list elements, and which fields keep
/// their names.
package struct FieldRules: Sendable {
    /// Returns the form in which a field's value is compared; nil counts as absent.
    package var canonical: @Sendable (_ field: String, _ value: Value?) -> Value?

    /// The names of fields that match the elements of a list without `id` and `text`.
    ///
    /// The first name counts that every element has, each with a different value.
    package var identity: [String]

    /// The names of fields with a fixed meaning: none of them is taken for another field that was renamed.
    package var fixed: Set<String> = ["id", "text", "complete", "due", "priority", "tags", "notes"]

    /// The default value of ``identity``.
    package static let defaultIdentity = ["name", "key", "title", "task"]

    /// Creates rules from a function that returns the form in which a value is compared.
    package init(
        identity: [String] = defaultIdentity,
        canonical: @escaping @Sendable (_ field: String, _ value: Value?) -> Value?
    ) {
        self.identity = identity
        self.canonical = canonical
    }

    /// Rules by which every difference counts, except that null counts as absent.
    package static let plain = FieldRules { _, value in value == .null ? nil : value }
}
