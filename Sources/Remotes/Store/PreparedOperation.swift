internal import LosslessYAML
internal import TodoModel

/// An operation with all that can be made of it without looking at the store.
struct PreparedOperation: Sendable {
    let operation: PushOperation
    /// The answer to an operation that breaks a rule.
    let refusal: PushAnswer?
    let digest: [UInt8]
    /// The id in lower case, where that is another string.
    let foldedID: String?
    /// The fields as JSON; of an update those that it names, of a delete none.
    let fields: [UInt8]
    let layout: [UInt8]?

    init(_ operation: PushOperation, digestKey: [UInt8]) {
        self.operation = operation
        let folded = operation.id.lowercased()
        foldedID = folded.isSameBytes(as: operation.id) ? nil : folded
        switch operation.change {
        case .insert(let fields, let layout), .update(let fields, let layout, _),
            .recreate(let fields, let layout, _):
            self.fields = JSON.write(.mapping(fields))
            self.layout = LayoutProperty.json(layout)
        case .delete:
            fields = []
            layout = nil
        }
        digest = OperationDigest.digest(of: operation, layout: layout, key: digestKey)
        refusal =
            RecordRules.refusal(of: operation)
            ?? RecordRules.refusal(ofSize: operation.id.utf8.count, fields.count, layout?.count ?? 0)
    }
}
