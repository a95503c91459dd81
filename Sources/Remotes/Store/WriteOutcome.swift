internal import LosslessYAML
internal import TodoModel

/// The result of a write inside a transaction.
///
/// The outcome becomes a ``WriteAnswer`` or ``PushAnswer`` after the transaction, when other writers no
/// longer wait.
enum WriteOutcome {
    /// Applied: the record as this write left it, with its fields and layout if they are available as values.
    case done(RecordRow, fields: Mapping?, layout: Layout?)
    /// Applied earlier: the current record.
    case repeated(RecordVersion, RecordRow)
    case exists(RecordRow)
    case conditionFailed(RecordRow)
    case notFound(tombstone: RecordRow?)
    case refused(Refusal)

    /// The size of the outcome's record in bytes.
    var size: Int {
        switch self {
        case .done(let row, _, _), .repeated(_, let row), .exists(let row), .conditionFailed(let row),
            .notFound(let row?):
            row.size
        case .notFound(nil), .refused: 0
        }
    }
}

extension WriteAnswer {
    init(_ outcome: WriteOutcome) {
        switch outcome {
        case .done(let row, let fields, let layout):
            self = .done(StoredRecord(row, fields: fields, layout: layout))
        case .repeated(let version, let row): self = .repeated(version.version, StoredRecord(row))
        case .exists(let row): self = .exists(StoredRecord(row))
        case .conditionFailed(let row): self = .conditionFailed(StoredRecord(row))
        case .notFound: self = .notFound
        case .refused(let refusal): self = .refused(status: refusal.status, message: refusal.message)
        }
    }
}

extension PushAnswer {
    /// Creates the answer to an operation on the record with an id.
    init(_ outcome: WriteOutcome, id: String) {
        switch outcome {
        case .done(let row, _, _): self = .accepted(row.version.version)
        case .repeated(let version, _): self = .accepted(version.version)
        case .exists(let row) where !row.id.isSameBytes(as: id):
            self = .refused(status: 409, message: "the id \(row.id) differs from this one only in case")
        case .exists(let row), .conditionFailed(let row): self = .movedOn(row.record())
        case .notFound(let tombstone): self = .movedOn(tombstone?.record())
        case .refused(let refusal): self = .refused(status: refusal.status, message: refusal.message)
        }
    }
}

extension RecordWrite {
    /// Creates the write for an operation.
    init(_ operation: PushOperation) {
        let change: Change
        let condition: Condition
        switch operation.change {
        case .insert(let fields, let layout):
            change = .insert(fields: fields, layout: layout)
            condition = .none
        case .update(let fields, let layout, let base):
            change = .merge(fields: fields, layout: layout)
            condition = .version(base)
        case .delete(let base):
            change = .delete
            condition = .version(base)
        case .recreate(let fields, let layout, let base):
            change = .replace(fields: fields, layout: layout)
            condition = .version(base)
        }
        self.init(id: operation.id, change: change, condition: condition, operationID: operation.operationID)
    }
}
