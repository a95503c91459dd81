package import LosslessYAML

/// The text of a merged todo.
package enum MergedText: Sendable, Hashable {
    /// The whole text, without conflicts.
    case clean([UInt8])
    /// The text with a block for each conflict.
    case conflicted(ConflictedText)
    /// No text can have the changes of both sides, with or without blocks.
    case unwritable(MergeObstacle)
}

/// The result of merging a todo.
package struct Merge: Sendable {
    /// The merged text.
    package let outcome: MergedText
    /// The top-level fields that differ from local outside conflicts.
    package let mergedFields: [String]
    /// The top-level fields that are in conflict, entirely or in part.
    package let conflictingFields: [String]
    /// The values that are in conflict, in the order of the fields.
    package let conflicts: [ValueConflict]
    /// The decision about each top-level field whose three versions differ.
    ///
    /// The decisions are in local's order, followed by the remote's fields, and then by the fields that both
    /// sides removed.
    package let decisions: [FieldDecision]
    /// The fields that one side renamed or moved and the other edited.
    ///
    /// The conflicts and the decisions use the fields' new names and positions.
    package let relocations: [Relocation]
}

/// Merges two versions of a todo field by field, and writes the result into local's text.
///
/// Without a base, the sides are compared with an empty todo. The `id` is local's. A change that only one
/// side made is taken with that side's lines. Comments and layout are merged if possible; otherwise, local's
/// stay. Edits follow a field that the other side renamed or moved, if the match is certain. If both sides
/// changed a value and no rule can choose, a block encloses the smallest entry in block style that has the
/// conflict. Every text is proven to have both sides' changes; if none is, the outcome is unwritable.
///
/// - Parameter resolve: Returns the value that resolves a conflict; nil to leave the conflict open. If a
///   field is a mapping on both sides, `resolve` is called first for the field, and then for each
///   conflicting value in it.
package func merge(
    base: Document?, local: Document, remote: Document, rules: FieldRules,
    resolving resolve: (ValueConflict) -> ResolvedValue? = { _ in nil }
) -> Merge {
    let texts = AlignedTexts(base: base, local: local, remote: remote, rules: rules)
    let versions = Sides(base: texts.base?.fields, local: texts.local.fields, remote: texts.remote.fields)
    let localFields = local.fields
    let fieldMerge = FieldMerge(texts, rules: rules)
    let (fields, conflicts) = fieldMerge.fields.resolving(in: versions, by: resolve)
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

/// Returns the text of one side if only that side differs from the base, or if both sides are equal; nil
/// otherwise.
private func oneSidesText(base: Document?, local: Document, remote: Document) -> [UInt8]? {
    if local.bytes == remote.bytes || remote.bytes == base?.bytes { return local.bytes }
    return local.bytes == base?.bytes ? remote.bytes : nil
}

/// The reason why no text can have the changes of both sides: it would break a limit of documents.
package struct MergeObstacle: Error, Sendable, Hashable {
    /// What is wrong with the merged text, for example "larger than 1 MiB".
    package var problem: String
    /// What the sizes count.
    package var unit: Unit
    /// The sizes of the two texts that should have been merged.
    package var local: Int
    package var remote: Int

    /// The unit of a text's size, as a word for messages.
    package enum Unit: String, Sendable {
        case bytes
        /// Keys and values, with aliases expanded.
        case nodes
    }

    package init(problem: String, unit: Unit = .bytes, local: Int, remote: Int) {
        self.problem = problem
        self.unit = unit
        self.local = local
        self.remote = remote
    }

    /// Creates the obstacle to merging two documents.
    ///
    /// - Parameter reason: The problem with the best text that was tried; nil if it can be parsed.
    init(_ reason: YAMLError.Reason?, local: Document, remote: Document) {
        let bytes = (local: local.bytes.count, remote: remote.bytes.count)
        let isLarge = bytes.local + bytes.remote > Document.maximumSize
        switch reason {
        case .aliasesTooLarge:
            self.init(
                problem: "\(YAMLError.Reason.aliasesTooLarge)", unit: .nodes, local: local.fields.nodeCount,
                remote: remote.fields.nodeCount)
        case let reason?:
            self.init(problem: "\(reason)", local: bytes.local, remote: bytes.remote)
        case nil:
            self.init(
                problem: isLarge ? "\(YAMLError.Reason.tooLarge)" : "not certain to have all changes",
                local: bytes.local, remote: bytes.remote)
        }
    }
}

/// One of the three versions in a merge.
package enum Side: String, Sendable, CaseIterable {
    /// The version that both sides are derived from.
    case base
    /// The version in the local file.
    case local
    /// The version from the remote.
    case remote
}

/// A value for each side.
struct Sides<Element> {
    var base: Element
    var local: Element
    var remote: Element

    subscript(side: Side) -> Element {
        get {
            switch side {
            case .base: base
            case .local: local
            case .remote: remote
            }
        }
        set {
            switch side {
            case .base: base = newValue
            case .local: local = newValue
            case .remote: remote = newValue
            }
        }
    }

    func map<Other>(_ transform: (Element) throws -> Other) rethrows -> Sides<Other> {
        Sides<Other>(base: try transform(base), local: try transform(local), remote: try transform(remote))
    }
}

extension Sides: Sendable where Element: Sendable {}
extension Sides: Equatable where Element: Equatable {}
extension Sides: Hashable where Element: Hashable {}
