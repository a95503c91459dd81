public import LosslessYAML

/// A merged todo's text.
public enum MergedText: Sendable, Hashable {
    case clean([UInt8])
    case conflicted(ConflictedText)
}

/// What came out of merging one todo.
public struct Merge: Sendable {
    public let outcome: MergedText
    /// The top-level fields in which the outcome, outside its conflicts, differs from local.
    public let mergedFields: [String]
    /// The top-level fields of which a part or the whole is in conflict.
    public let conflictingFields: [String]
    /// How each top-level field came out whose three versions differ, in local's order, then the remote's.
    public let decisions: [FieldDecision]
}

/// Merges two versions of a todo, field by field, and works the result into local's text.
///
/// Without a base the sides are merged against nothing. The `id` is local's.
public func merge(base: Document?, local: Document, remote: Document, rules: FieldRules) -> Merge {
    Merge(
        outcome: .conflicted(
            .whole(local: local.bytes, base: base?.bytes, remote: remote.bytes)),
        mergedFields: [], conflictingFields: [], decisions: [])
}
