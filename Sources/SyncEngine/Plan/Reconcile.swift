internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// What becomes of a todo of which the remote has news.
enum Decision: Sendable {
    /// The folder has what the remote has; only the new version has to be remembered.
    case agreed
    /// Only the local side changed something, which stays pending against the remote's new state.
    case keepPending
    /// Only the remote side changed something: the file becomes this.
    case takeRemote([UInt8])
    case deleteLocal
    /// Both sides deleted it.
    case bothDeleted
    /// Both sides changed it, and the rules found one text.
    case merged([UInt8], MergedParts)
    /// Both sides changed it, and only the user can choose.
    case conflict(ConflictKind, ConflictedText, fields: [String], mergedFields: [String])
}

/// What a merge brought into a file.
struct MergedParts: Sendable {
    /// The top-level fields that it changed there.
    var fields: [String]
    /// Whether both sides had added comments.
    var hasCommentsOfBoth = false
}

/// Decides what becomes of a todo, by what happened to it on each side since its base version.
///
/// This is the contract's table "what `pull` does"; it knows no file and no clock. A path is no matter of it:
/// paths merge on their own and never conflict.
func reconcile(
    base: RemoteState?, local: Todo?, remote: RemoteState, rules: FieldRules = .todo
) -> Decision {
    switch (base?.todo, local, remote) {
    case (_, nil, .deleted):
        return .bothDeleted
    case (nil, nil, .todo(let remote)):
        return .takeRemote(remote.bytes)
    case (let base?, nil, .todo(let remote)):
        if isSameText(base.bytes, remote.bytes) { return .keepPending }
        let text = ConflictedText.whole(local: nil, base: base.bytes, remote: remote.bytes)
        return .conflict(
            .deleteEdit, text, fields: changedFields(from: base.bytes, to: remote.bytes), mergedFields: [])
    case (let base?, let local?, .deleted):
        if isSameText(base.bytes, local.bytes) { return .deleteLocal }
        let text = ConflictedText.whole(local: local.bytes, base: base.bytes, remote: nil)
        return .conflict(
            .editDelete, text, fields: changedFields(from: base.bytes, to: local.bytes), mergedFields: [])
    case (nil, let local?, .deleted):
        // A tombstone as base: the user put the todo back after the remote had confirmed its end.
        if base != nil { return .keepPending }
        let text = ConflictedText.whole(local: local.bytes, base: nil, remote: nil)
        return .conflict(.editDelete, text, fields: local.fields.keys, mergedFields: [])
    case (let base, let local?, .todo(let remote)):
        return reconcile(base: base?.bytes, local: local, remote: remote.bytes, rules: rules)
    }
}

/// Decides what becomes of a todo that has a text on both sides.
///
/// - Parameters:
///   - base: the text that both started from; nil if there is none.
///   - remote: a valid todo.
func reconcile(base: [UInt8]?, local: Todo, remote: [UInt8], rules: FieldRules) -> Decision {
    if let base {
        if isSameText(base, remote) {
            return isSameText(local.bytes, remote) ? .agreed : .keepPending
        }
        if isSameText(base, local.bytes) {
            let text = LineEndings.keep(of: local.bytes, insteadOf: base, in: remote)
            return text == local.bytes ? .agreed : .takeRemote(text)
        }
    }
    if isSameText(local.bytes, remote) { return .agreed }
    guard let remoteTodo = try? Todo(parsing: remote) else {
        preconditionFailure("a remote's text is checked before it comes here")
    }
    let baseDocument = base.flatMap { try? Document(parsing: $0) }
    if baseDocument == nil, CanonicalField.areEqual(local.fields, remoteTodo.fields),
        local.document.hasComments(of: remoteTodo.document)
    {
        return .agreed
    }
    let merge = merge(
        base: baseDocument, local: local.document, remote: remoteTodo.document, rules: rules)
    switch merge.outcome {
    case .clean(let text):
        return text == local.bytes && merge.mergedFields.isEmpty
            ? .keepPending
            : .merged(
                text,
                MergedParts(
                    fields: merge.mergedFields,
                    hasCommentsOfBoth: haveBothAddedComments(
                        base: baseDocument, local: local.document, remote: remoteTodo.document)))
    case .conflicted(let text):
        return .conflict(
            base == nil ? .insertInsert : .editEdit, text, fields: merge.conflictingFields,
            mergedFields: merge.mergedFields)
    }
}

extension FieldRules {
    /// How the fields of todos are compared where the configuration does not say otherwise.
    static let todo = FieldRules(canonical: CanonicalField.value)

    init(_ configuration: Configuration) {
        self.init(
            identity: configuration.identity ?? Self.defaultIdentity, canonical: CanonicalField.value)
    }
}

private func haveBothAddedComments(base: Document?, local: Document, remote: Document) -> Bool {
    let kinds = commentChanges(base: base, local: local, remote: remote).map(\.kind)
    return kinds.contains(.addedLocally) && kinds.contains(.addedRemotely)
}

extension Document {
    /// Whether every comment of another document is in this one, too, wherever it stands.
    fileprivate func hasComments(of other: Document) -> Bool {
        let own = Set(comments.map { comment($0) })
        return other.comments.allSatisfy { own.contains(other.comment($0)) }
    }
}

/// Returns whether two texts are the same but for their line endings.
func isSameText(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left == right || LineEndings.normalized(left) == LineEndings.normalized(right)
}

/// Returns the top-level fields that differ between two valid todos' texts.
func changedFields(from old: [UInt8], to new: [UInt8]) -> [String] {
    guard let old = try? Todo(parsing: old), let new = try? Todo(parsing: new) else { return [] }
    return CanonicalField.differences(from: old.fields, to: new.fields)
}

/// How a text ends its lines.
enum LineEndings {
    /// Returns the text with `\n` for every line break.
    static func normalized(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "\r")) else { return text }
        var normalized: [UInt8] = []
        normalized.reserveCapacity(text.count)
        for byte in text {
            if byte == UInt8(ascii: "\n"), normalized.last == UInt8(ascii: "\r") { normalized.removeLast() }
            normalized.append(byte)
        }
        return normalized
    }

    /// Returns `text` with the line endings of `local`, if these are what `local` differs from `base` in.
    static func keep(of local: [UInt8], insteadOf base: [UInt8], in text: [UInt8]) -> [UInt8] {
        guard local != base, local.contains(UInt8(ascii: "\r")) != base.contains(UInt8(ascii: "\r"))
        else { return text }
        let normalized = normalized(text)
        guard local.contains(UInt8(ascii: "\r")) else { return normalized }
        return normalized.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
    }
}
