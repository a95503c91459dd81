package import LosslessYAML
package import TodoModel

/// A write to a record, with the conditions of the tables protocol.
package struct RecordWrite: Sendable, Hashable {
    package var id: String
    package var change: Change
    package var condition: Condition
    /// The identifier of this write, so that sending it again changes nothing; 1 to 255 bytes.
    ///
    /// Nil if the client doesn't send one.
    package var operationID: String?

    package enum Change: Sendable, Hashable {
        /// A new record; only if there is none with the id, not even a tombstone.
        case insert(fields: Mapping, layout: Layout?)
        /// The given fields get new values, which can be null; without a layout the stored one stays.
        case merge(fields: Mapping, layout: Layout?)
        /// These fields replace all stored ones; without a layout the stored one stays.
        ///
        /// With a tombstone's version as the condition, the record replaces the tombstone.
        case replace(fields: Mapping, layout: Layout?)
        case delete
        /// Restores a deleted record as it was; a record that is not deleted is written unchanged.
        case undelete
    }

    package enum Condition: Sendable, Hashable {
        case none
        /// The record exists, whatever its version.
        case exists
        case version(Version)
    }

    package init(id: String, change: Change, condition: Condition = .none, operationID: String? = nil) {
        self.id = id
        self.change = change
        self.condition = condition
        self.operationID = operationID
    }
}

/// The answer to a ``RecordWrite``.
package enum WriteAnswer: Sendable, Hashable {
    /// Carried out; the record or tombstone as this write left it.
    case done(StoredRecord)
    /// The write was applied before, and created this version; with the record or tombstone as it is now.
    case repeated(Version, StoredRecord)
    /// Not applied: a record or tombstone has the id, or one that differs from it only in case.
    case exists(StoredRecord)
    /// Not applied: the condition did not hold.
    case conditionFailed(StoredRecord)
    /// Not applied: there is no such record, or only a tombstone of it.
    case notFound
    /// Not applied, and sending it again would not help. The status is HTTP's.
    case refused(status: Int, message: String)
}
