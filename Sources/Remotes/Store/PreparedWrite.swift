internal import LosslessYAML
internal import TodoModel
internal import Values

/// A write, prepared as far as possible without the store.
struct PreparedWrite: Sendable {
    let write: RecordWrite
    /// The reason why the write breaks a rule, regardless of what is stored.
    let refusal: Refusal?
    /// The digest; nil if the write has no operation id.
    let digest: [UInt8]?
    /// The id in lowercase, if it differs.
    let foldedID: String?
    /// The fields as JSON: only the changed fields for a merge, and no fields for a delete or undelete.
    let fields: [UInt8]
    /// The layout as JSON; nil if it is empty or missing.
    let layout: [UInt8]?

    init(_ write: RecordWrite) {
        self.write = write
        let folded = write.id.lowercased()
        foldedID = folded.isSameBytes(as: write.id) ? nil : folded
        fields = write.change.fields.map { JSON.write(.mapping($0)) } ?? []
        let digested = write.change.layout.flatMap(LayoutProperty.json(withoutDevice:))
        let layout = digested.map { LayoutProperty.json($0, with: write.change.layout?.device) }
        self.layout = layout
        digest = write.operationID.map { _ in OperationDigest.digest(of: write, layout: digested) }
        refusal =
            RecordRules.refusal(of: write)
            ?? RecordRules.refusal(ofSize: write.id.utf8.count, fields.count, layout?.count ?? 0)
    }
}

/// The reason why a write is refused, with an HTTP status.
struct Refusal: Error, Hashable {
    let status: Int
    let message: String

    static let answersTooLarge = Refusal(
        status: 503, message: "the responses are too large for one batch; send the rest again")
}

extension RecordWrite.Change {
    /// The fields that the change contains.
    var fields: Mapping? {
        switch self {
        case .insert(let fields, _), .merge(let fields, _), .replace(let fields, _): fields
        case .delete, .undelete: nil
        }
    }

    /// The layout that the change contains; nil if the stored layout stays.
    var layout: Layout? {
        switch self {
        case .insert(_, let layout), .merge(_, let layout), .replace(_, let layout): layout
        case .delete, .undelete: nil
        }
    }
}
