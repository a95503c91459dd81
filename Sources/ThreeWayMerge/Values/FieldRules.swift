public import LosslessYAML

/// Which differences between two values of a top-level field count.
public struct FieldRules: Sendable {
    /// Returns what of a field's value is compared; nil is as good as absent.
    public var canonical: @Sendable (_ field: String, _ value: Value?) -> Value?

    /// Creates rules from a function that says what of a value is compared.
    public init(canonical: @escaping @Sendable (_ field: String, _ value: Value?) -> Value?) {
        self.canonical = canonical
    }

    /// Every difference counts, but for null, which is absent.
    public static let plain = FieldRules { _, value in value == .null ? nil : value }
}
