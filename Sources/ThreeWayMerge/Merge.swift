package import LosslessYAML

/// A merged todo's text.
package enum MergedText: Sendable, Hashable {
    /// The whole text, without conflicts.
    case clean([UInt8])
    /// The text with a block for each conflict.
    case conflicted(ConflictedText)
}

/// The result of merging one todo.
package struct Merge: Sendable {
    /// The merged text.
    package let outcome: MergedText
    /// The top-level fields in which the outcome, outside its conflicts, differs from local.
    package let mergedFields: [String]
    /// The top-level fields that are in conflict, wholly or in part.
    package let conflictingFields: [String]
    /// The values that are in conflict, in the order of the fields.
    package let conflicts: [ValueConflict]
    /// The decision about each top-level field whose three versions differ.
    ///
    /// The decisions are in local's order, then the remote's, then come the fields that both removed.
    package let decisions: [FieldDecision]
    /// The fields that one side renamed or moved and the other edited.
    ///
    /// The conflicts and the decisions have them under their new name and in their new place.
    package let relocations: [Relocation]
}

/// Merges two versions of a todo, field by field, and writes the result into local's text.
///
/// Without a base the sides are merged against nothing. The `id` is local's. What changed on one side is
/// taken from there, with its lines. Comments and layout merge where they can; otherwise local's stay. Edits
/// follow a field that the other side renamed or moved if there is no doubt about it. If both sides changed a
/// value and no rule can choose, it is in a block around the smallest entry in block style that holds the
/// conflict.
///
/// - Parameter settle: returns the value that resolves a conflict; nil for a conflict that stays open. If a
///   field is a mapping on both sides, it is called for the field first, and then for each value in conflict.
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

/// Returns the text of one side if only that side differs from the base, or if both sides are equal.
private func oneSidesText(base: Document?, local: Document, remote: Document) -> [UInt8]? {
    if local.bytes == remote.bytes || remote.bytes == base?.bytes { return local.bytes }
    return local.bytes == base?.bytes ? remote.bytes : nil
}
