package import LosslessYAML

/// A merged todo's text.
package enum MergedText: Sendable, Hashable {
    /// The whole text; nothing is in conflict.
    case clean([UInt8])
    /// The text with a block for each conflict.
    case conflicted(ConflictedText)
}

/// What came out of merging one todo.
package struct Merge: Sendable {
    /// The merged text.
    package let outcome: MergedText
    /// The top-level fields in which the outcome, outside its conflicts, differs from local.
    package let mergedFields: [String]
    /// The top-level fields of which a part or the whole is in conflict.
    package let conflictingFields: [String]
    /// The values that are in conflict, in the order of the fields.
    package let conflicts: [ValueConflict]
    /// How each top-level field came out whose three versions differ.
    ///
    /// They stand in local's order, then the remote's, then those that both removed.
    package let decisions: [FieldDecision]
    /// What one side renamed or moved and the other edited.
    ///
    /// The conflicts and the decisions have it under its new name and in its new place.
    package let relocations: [Relocation]
}

/// Merges two versions of a todo, field by field, and works the result into local's text.
///
/// Without a base the sides are merged against nothing. The `id` is local's. What changed on one side is
/// taken from there, with its lines; comments and layout merge where they can, else local's stay. What one
/// side renamed or moved, the other's edits follow where there is no doubt. What both sides changed, and no
/// rule can choose, stands in blocks, each around the smallest entry in block style that holds the conflict.
///
/// - Parameter settle: Returns the value that settles a conflict; nil for one that stays open.
package func merge(
    base: Document?, local: Document, remote: Document, rules: FieldRules,
    settling settle: (ValueConflict) -> SettledValue? = { _ in nil }
) -> Merge {
    let texts = AlignedTexts(base: base, local: local, remote: remote, rules: rules)
    let versions = Sides(base: texts.base?.fields, local: texts.local.fields, remote: texts.remote.fields)
    let localFields = local.fields
    let fieldMerge = FieldMerge(texts, rules: rules)
    let (fields, conflicts) = fieldMerge.fields.settling(in: versions, by: settle)
    let merged = fields.entries.filter { entry in
        rules.canonical(entry.key, entry.value.taking(.local))
            != rules.canonical(entry.key, localFields[entry.key])
    }
    let unchanged = oneSidesText(base: base, local: local, remote: remote)
    return Merge(
        outcome: unchanged.map(MergedText.clean)
            ?? TextMerge(base: texts.base, local: texts.local, remote: texts.remote, fields: fields).outcome(),
        mergedFields: merged.map(\.key),
        conflictingFields: fields.entries.filter(\.value.hasConflict).map(\.key),
        conflicts: conflicts, decisions: fieldMerge.decisions, relocations: texts.relocations)
}

/// The text of one side if only that side's differs from the base, or both have the same.
private func oneSidesText(base: Document?, local: Document, remote: Document) -> [UInt8]? {
    if local.bytes == remote.bytes || remote.bytes == base?.bytes { return local.bytes }
    return local.bytes == base?.bytes ? remote.bytes : nil
}
