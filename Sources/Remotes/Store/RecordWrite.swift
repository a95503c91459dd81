package import LosslessYAML
package import TodoModel

/// One write to one record, with the conditions that the tables protocol has.
package struct RecordWrite: Sendable, Hashable {
    package var id: String
    package var change: Change
    package var condition: Condition
    /// What tells this write from all others, so that sending it again changes nothing; 1 to 255 bytes.
    ///
    /// Nil for a client that does not say.
    package var operationID: String?

    package enum Change: Sendable, Hashable {
        /// A new record; only if there is none with the id, not even a tombstone.
        case insert(fields: Mapping, layout: Layout?)
        /// The fields named get new values, null among them; without a layout the one that is stored stays.
        case merge(fields: Mapping, layout: Layout?)
        /// These fields instead of all that are stored; without a layout the one that is stored stays.
        ///
        /// On the condition of a tombstone's version it puts the record in the tombstone's place.
        case replace(fields: Mapping, layout: Layout?)
        case delete
        /// Brings a deleted record back as it was; one that is not deleted is written as it is.
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

/// What came of a ``RecordWrite``.
package enum WriteAnswer: Sendable, Hashable {
    /// Carried out; the record or tombstone as this write left it.
    case done(StoredRecord)
    /// It was carried out before, and led to this version; the record or tombstone as it is now.
    case repeated(Version, StoredRecord)
    /// Not carried out: a record or tombstone has the id, or one that differs from it only in case.
    case exists(StoredRecord)
    /// Not carried out: the condition did not hold.
    case conditionFailed(StoredRecord)
    /// Not carried out: there is no such record, or only a tombstone of it.
    case notFound
    /// Not carried out, and sending it again would not help. The status is HTTP's.
    case refused(status: Int, message: String)
}
