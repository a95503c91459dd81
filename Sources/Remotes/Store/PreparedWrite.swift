internal import LosslessYAML
internal import TodoModel
internal import Values

/// A write with everything that can be prepared without the store.
struct PreparedWrite: Sendable {
    let write: RecordWrite
    /// The reason why the write breaks a rule, regardless of what is stored.
    let refusal: Refusal?
    /// Nil if the write has no operation id.
    let digest: [UInt8]?
    /// The id in lower case, if it differs.
    let foldedID: String?
    /// The fields as JSON; for a merge those that it changes, for a delete and an undelete none.
    let fields: [UInt8]
    /// The layout as JSON; nil for an empty layout, and without a layout.
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

/// The reason why a write is not applied, now or if it is sent again; the status is HTTP's.
struct Refusal: Error, Hashable {
    let status: Int
    let message: String

    static let answersTooLarge = Refusal(
        status: 503, message: "the answers are too large for one batch; send the rest again")
}

extension RecordWrite.Change {
    /// The fields that come with the change.
    var fields: Mapping? {
        switch self {
        case .insert(let fields, _), .merge(let fields, _), .replace(let fields, _): fields
        case .delete, .undelete: nil
        }
    }

    /// The layout that comes with the change; nil if the stored one stays.
    var layout: Layout? {
        switch self {
        case .insert(_, let layout), .merge(_, let layout), .replace(_, let layout): layout
        case .delete, .undelete: nil
        }
    }
}
