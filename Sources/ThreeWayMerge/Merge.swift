public import LosslessYAML

/// A merged todo's text.
public enum MergedText: Sendable, Hashable {
    /// The whole text; nothing is in conflict.
    case clean([UInt8])
    /// The text with a block for each conflict.
    case conflicted(ConflictedText)
}

/// What came out of merging one todo.
public struct Merge: Sendable {
    /// The merged text.
    public let outcome: MergedText
    /// The top-level fields in which the outcome, outside its conflicts, differs from local.
    public let mergedFields: [String]
    /// The top-level fields of which a part or the whole is in conflict.
    public let conflictingFields: [String]
    /// How each top-level field came out whose three versions differ.
    ///
    /// They stand in local's order, then the remote's, then those that both removed.
    public let decisions: [FieldDecision]
}

/// Merges two versions of a todo, field by field, and works the result into local's text.
///
/// Without a base the sides are merged against nothing. The `id` is local's. What changed on one side is
/// taken from there, with its lines; comments and layout merge where they can, else local's stay. What both
/// sides changed, and no rule can choose, stands in blocks, each around the smallest entry in block style
/// that holds the conflict.
public func merge(base: Document?, local: Document, remote: Document, rules: FieldRules) -> Merge {
    let fieldMerge = FieldMerge(base: base?.fields, local: local.fields, remote: remote.fields, rules: rules)
    let fields = fieldMerge.fields
    let localFields = local.fields
    let merged = fields.entries.filter { entry in
        rules.canonical(entry.key, entry.value.taking(.local))
            != rules.canonical(entry.key, localFields[entry.key])
    }
    return Merge(
        outcome: TextMerge(base: base, local: local, remote: remote, fields: fields).outcome(),
        mergedFields: merged.map(\.key),
        conflictingFields: fields.entries.filter(\.value.hasConflict).map(\.key),
        decisions: fieldMerge.decisions)
}
