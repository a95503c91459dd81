package import LosslessYAML
package import TodoModel

/// A write to a record, with the conditions of the tables protocol.
package struct RecordWrite: Sendable, Hashable {
    package var id: String
    package var change: Change
    package var condition: Condition
    /// The identifier that makes retries of this write safe; 1 to 255 bytes.
    ///
    /// Nil if the client doesn't send one.
    package var operationID: String?

    package enum Change: Sendable, Hashable {
        /// Creates a record, unless a record or tombstone with the id exists.
        case insert(fields: Mapping, layout: Layout?)
        /// Sets the given fields, possibly to null. Without a layout, the stored layout stays.
        case merge(fields: Mapping, layout: Layout?)
        /// Replaces all fields. Without a layout, the stored layout stays.
        ///
        /// With a tombstone's version as the condition, the record replaces the tombstone.
        case replace(fields: Mapping, layout: Layout?)
        case delete
        /// Restores a deleted record as it was. A record that isn't deleted is written unchanged.
        case undelete
    }

    package enum Condition: Sendable, Hashable {
        case none
        /// The record exists, in any version.
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
    /// Applied. The value is the record or tombstone as this write left it.
    case done(StoredRecord)
    /// Applied earlier, and created this version. The second value is the current record or tombstone.
    case repeated(Version, StoredRecord)
    /// Not applied: a record or tombstone has the id, or an id that differs only in case.
    case exists(StoredRecord)
    /// Not applied: the condition doesn't hold.
    case conditionFailed(StoredRecord)
    /// Not applied: the record doesn't exist, or only its tombstone does.
    case notFound
    /// Not applied, and a retry wouldn't help. The status is HTTP's.
    case refused(status: Int, message: String)
}
