internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// How to treat a todo after the remote has reported its state.
enum Decision: Sendable {
    /// The folder already has the remote's state; only the new version has to be recorded.
    case agreed
    /// The file stays as it is, and its changes stay pending against the remote's new state: only the local
    /// side changed something, or `merge.fields` decided for the local values of the given fields.
    case keepPending(ruled: [String])
    /// Only the remote side changed something; the file gets this text.
    case takeRemote([UInt8])
    case deleteLocal
    /// Both sides deleted it.
    case bothDeleted
    /// Both sides changed it, and the rules produced one text.
    case merged([UInt8], MergedParts)
    /// Both sides changed it, and only the user can resolve it.
    case conflict(ConflictKind, ConflictedText, fields: [String], mergedFields: [String])
    /// Both sides changed it, and no file can have both sides' changes; with the fields that differ.
    case unmergeable(ConflictKind, MergeObstacle, fields: [String])
}

/// What becomes of two texts of a todo; see ``Decision``.
enum ReconciledTexts: Sendable {
    case agreed
    case keepLocal(ruled: [String])
    case takeRemote([UInt8])
    case merged([UInt8], MergedParts)
    case conflict(ConflictedText, fields: [String], mergedFields: [String])
    case unmergeable(MergeObstacle, fields: [String])
}

extension Decision {
    fileprivate init(_ texts: ReconciledTexts, _ kind: ConflictKind) {
        switch texts {
        case .agreed: self = .agreed
        case .keepLocal(let ruled): self = .keepPending(ruled: ruled)
        case .takeRemote(let text): self = .takeRemote(text)
        case .merged(let text, let parts): self = .merged(text, parts)
        case .conflict(let text, let fields, let mergedFields):
            self = .conflict(kind, text, fields: fields, mergedFields: mergedFields)
        case .unmergeable(let obstacle, let fields): self = .unmergeable(kind, obstacle, fields: fields)
        }
    }
}

/// The changes that a merge made to a file.
struct MergedParts: Sendable {
    /// The top-level fields that changed in the file.
    var fields: [String]
    /// Whether both sides added comments.
    var hasCommentsOfBoth = false
}

/// Decides how to treat a todo, based on what each side did to it since its base version.
///
/// It depends on neither files nor time. Paths aren't
/// part of it: they merge separately and never conflict.
///
/// - Parameter basis: The text that the local side started from, if that isn't the base version's.
func reconcile(
    base: RemoteState?, local: Todo?, remote: RemoteState, basis: [UInt8]? = nil,
    rules: @autoclosure () -> FieldRules = .todo
) -> Decision {
    switch (basis ?? base?.todo?.bytes, local, remote) {
    case (_, nil, .deleted):
        return .bothDeleted
    case (nil, nil, .todo(let remote)):
        return .takeRemote(remote.bytes)
    case (let base?, nil, .todo(let remote)):
        if isSameText(base, remote.bytes) { return .keepPending(ruled: []) }
        let text = ConflictedText.whole(local: nil, base: base, remote: remote.bytes)
        return .conflict(
            .deleteEdit, text, fields: changedFields(from: base, to: remote.bytes), mergedFields: [])
    case (let base?, let local?, .deleted):
        if isSameText(base, local.bytes) { return .deleteLocal }
        let text = ConflictedText.whole(local: local.bytes, base: base, remote: nil)
        return .conflict(
            .editDelete, text, fields: changedFields(from: base, to: local.bytes), mergedFields: [])
    case (nil, let local?, .deleted):
        // The base is a tombstone: the user restored the todo after the remote had confirmed its deletion.
        if base != nil { return .keepPending(ruled: []) }
        let text = ConflictedText.whole(local: local.bytes, base: nil, remote: nil)
        return .conflict(.editDelete, text, fields: local.fields.keys, mergedFields: [])
    case (let base, let local?, .todo(let remote)):
        let texts = reconcileTexts(base: base, local: local, remote: remote.bytes, rules: rules())
        return Decision(texts, base == nil ? .insertInsert : .editEdit)
    }
}

/// Decides what becomes of two texts of a todo.
///
/// - Parameters:
///   - base: The text that both sides started from; nil if there isn't one.
///   - remote: A valid todo.
func reconcileTexts(
    base: [UInt8]?, local: Todo, remote: [UInt8], rules: @autoclosure () -> FieldRules
) -> ReconciledTexts {
    if let base {
        if isSameText(base, remote) {
            return isSameText(local.bytes, remote) ? .agreed : .keepLocal(ruled: [])
        }
        if isSameText(base, local.bytes) {
            let text = keepingLineEndings(of: local.bytes, insteadOf: base, in: remote)
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
        base: baseDocument, local: local.document, remote: remoteTodo.document, rules: rules())
    switch merge.outcome {
    case .clean(let text):
        return text == local.bytes && merge.mergedFields.isEmpty
            ? .keepLocal(ruled: merge.decisions.filter(\.rule.isOfField).map(\.field))
            : .merged(
                text,
                MergedParts(
                    fields: merge.mergedFields,
                    hasCommentsOfBoth: haveBothAddedComments(
                        base: baseDocument, local: local.document, remote: remoteTodo.document)))
    case .conflicted(let text):
        return .conflict(text, fields: merge.conflictingFields, mergedFields: merge.mergedFields)
    case .unwritable(let obstacle):
        return .unmergeable(
            obstacle,
            fields: CanonicalField.differences(from: remoteTodo.fields, to: local.fields))
    }
}

extension FieldRules {
    /// The default rules for comparing fields of todos; a configuration can override them.
    static let todo = FieldRules(ofTodosWith: defaultIdentity)

    init(_ configuration: Configuration) {
        self = FieldRules(ofTodosWith: configuration.identity ?? Self.defaultIdentity).choosing(
            configuration.fieldRules.compactMapValues(FieldRule.init), isLess: ComparableField.isLess)
    }

    private init(ofTodosWith identity: [String]) {
        self.init(identity: identity, canonical: CanonicalField.value)
        fixed.formUnion(ConventionalField.names)
    }
}

private func haveBothAddedComments(base: Document?, local: Document, remote: Document) -> Bool {
    let kinds = commentChanges(base: base, local: local, remote: remote).map(\.kind)
    return kinds.contains(.addedLocally) && kinds.contains(.addedRemotely)
}

extension Document {
    /// Returns whether this document has every comment of another document, at any position.
    fileprivate func hasComments(of other: Document) -> Bool {
        let own = Set(comments.map { comment($0) })
        return other.comments.allSatisfy { own.contains(other.comment($0)) }
    }
}

extension [String] {
    /// The names without repetition, in the order of their first occurrence.
    var withoutRepetition: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

/// Returns whether two texts are equal except for their line endings.
func isSameText(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left == right || left.converted(to: .lineFeed) == right.converted(to: .lineFeed)
}

/// Returns the top-level fields that differ between two valid todos' texts.
func changedFields(from old: [UInt8], to new: [UInt8]) -> [String] {
    guard let old = try? Todo(parsing: old), let new = try? Todo(parsing: new) else { return [] }
    return CanonicalField.differences(from: old.fields, to: new.fields)
}

/// Returns `text` with the line endings of `local` if these differ from the line endings of `base`.
private func keepingLineEndings(of local: [UInt8], insteadOf base: [UInt8], in text: [UInt8]) -> [UInt8] {
    let carriageReturn = UInt8(ascii: "\r")
    let hasReturns = local.contains(carriageReturn)
    guard hasReturns != base.contains(carriageReturn) else { return text }
    return text.converted(to: hasReturns ? .carriageReturnLineFeed : .lineFeed)
}
