package import LosslessYAML

/// A table that todos are pushed to and pulled from.
///
/// Expected outcomes are returned. A ``RemoteError`` stops the whole exchange.
package protocol Remote: Sendable {
    /// Returns the identity of the store and table, so that a different store or table behind the same URL is
    /// detected.
    ///
    /// If the identity equals the recorded identity, this also checks that the remote's history continues the
    /// recorded history. This detects a store that was restored from an old backup before anything is sent to
    /// it.
    /// - Parameter wantsNews: Whether the caller is going to call ``changes(after:)`` with the recorded
    ///   cursor next, so that the first page can be part of the same response.
    /// - Throws: ``RemoteError/otherHistory`` if the history doesn't continue the recorded one.
    func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity

    /// Returns the records that were written after a cursor, including tombstones.
    ///
    /// Each record appears only once, in its newest state. Pages come in the order of writing. Without a
    /// cursor, all records are returned.
    /// - Throws: ``RemoteError/otherHistory`` if the cursor isn't from this table's history, for example
    ///   because a backup was restored.
    func changes(after cursor: Cursor?) async throws -> ChangePage

    /// Sends operations and returns the result of each, in the same order.
    ///
    /// A failed operation doesn't affect the others. The remote may apply them in any order, so they must be
    /// about different todos. An operation that was already applied (with the same
    /// ``PushOperation/operationID`` and content) isn't applied again and has the same result.
    func push(_ operations: [PushOperation]) async throws -> PushReply

    /// Waits until there are changes after a cursor.
    ///
    /// - Parameter time: The longest wait, at most 50 seconds.
    /// - Returns: Whether there are any; nil if the remote can't wait.
    func awaitChanges(after cursor: Cursor?, for time: Duration) async throws -> Bool?
}

extension Remote {
    package func awaitChanges(after cursor: Cursor?, for time: Duration) async throws -> Bool? { nil }

    /// Returns the identity of the store and table, for a caller that isn't going to ask for changes next.
    package func meet(_ recorded: RecordedHistory?) async throws -> RemoteIdentity {
        try await meet(recorded, wantsNews: false)
    }
}

/// The identity of a remote's store and table; it is opaque except to the remote itself.
package struct RemoteIdentity: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// The part of a remote's history that the working directory has seen.
package struct RecordedHistory: Sendable, Hashable {
    package var identity: RemoteIdentity
    /// The cursor after the last pull.
    package var cursor: Cursor?
    /// The operation that the remote accepted last, which can be newer than the cursor.
    package var accepted: AcceptedOperation?

    package init(identity: RemoteIdentity, cursor: Cursor?, accepted: AcceptedOperation?) {
        self.identity = identity
        self.cursor = cursor
        self.accepted = accepted
    }
}

/// An operation that a remote applied, with the version that it created.
package struct AcceptedOperation: Sendable, Hashable {
    package var operationID: String
    package var version: Version

    package init(operationID: String, version: Version) {
        self.operationID = operationID
        self.version = version
    }
}

/// A position in a remote's history; it is opaque except to the remote itself.
package struct Cursor: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// The version that a remote assigned to a record; it is opaque and only compared for equality.
package struct Version: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// A page of a remote's changes.
package struct ChangePage: Sendable {
    package var records: [RemoteRecord]
    /// The cursor for the next page or, on the last page, for the next pull.
    package var next: Cursor
    package var isLast: Bool
    /// The number of records from this page on; nil if the remote didn't count them.
    ///
    /// The number is only for display.
    package var total: Int?

    package init(records: [RemoteRecord], next: Cursor, isLast: Bool, total: Int? = nil) {
        self.records = records
        self.next = next
        self.isLast = isLast
        self.total = total
    }
}

/// A todo's record as the remote returned it.
///
/// A record isn't trusted: the engine checks every part before using it.
package struct RemoteRecord: Sendable, Hashable {
    package var id: String
    package var version: Version
    /// Whether the record is a tombstone: the todo was deleted.
    ///
    /// A tombstone has the todo's last fields, if the remote still has them.
    package var isDeleted: Bool
    /// The fields without `id`, ``layout`` and the remote's own properties.
    package var fields: Mapping
    /// The file's path and text, from the last client that sent them.
    ///
    /// The text's fields are older than ``fields`` if a client that sends only fields made the last change.
    package var layout: Layout?
    /// The reason why only the id and version could be read, as a phrase; nil if the whole record was read.
    package var problem: String?

    package init(
        id: String, version: Version, isDeleted: Bool = false, fields: Mapping, layout: Layout? = nil,
        problem: String? = nil
    ) {
        self.id = id
        self.version = version
        self.isDeleted = isDeleted
        self.fields = fields
        self.layout = layout
        self.problem = problem
    }
}

/// The record's property `todosync`: the parts of a todo other than its fields.
package struct Layout: Sendable, Hashable {
    /// The file's path, relative to the working directory, with `/` as the separator.
    package var path: String?
    /// The file's text.
    package var yaml: String?
    /// The name of the device that sent the path and text; nil if it sent no name.
    ///
    /// The name isn't part of the todo, so layouts that differ only in this name are equal.
    package var device: String?

    package init(path: String?, yaml: String?, device: String? = nil) {
        self.path = path
        self.yaml = yaml
        self.device = device
    }

    package static func == (left: Layout, right: Layout) -> Bool {
        left.path == right.path && left.yaml == right.yaml
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(yaml)
    }
}

/// An insert, update or delete to send to a remote.
package struct PushOperation: Sendable, Hashable {
    /// 32 random lowercase hexadecimal digits, which are created and recorded before the operation is first
    /// sent.
    package var operationID: String
    package var id: String
    package var change: Change

    package enum Change: Sendable, Hashable {
        /// Inserts a record, if the remote has neither a record nor a tombstone with this id.
        case insert(fields: Mapping, layout: Layout)
        /// Sets fields, if the record still has the version `base`.
        ///
        /// The value of a removed field is null. Null and absent fields are equivalent, and a remote can
        /// store either.
        case update(fields: Mapping, layout: Layout, base: Version)
        /// Deletes a record that still has the version `base`.
        case delete(base: Version)
        /// Replaces a tombstone with a new record, if the tombstone still has the version `base`.
        ///
        /// `base` is always a tombstone's version.
        case recreate(fields: Mapping, layout: Layout, base: Version)
    }

    package init(operationID: String, id: String, change: Change) {
        self.operationID = operationID
        self.id = id
        self.change = change
    }
}

/// A remote's response to a push.
package struct PushReply: Sendable, Hashable {
    /// The result of each operation, in the same order.
    package var answers: [PushAnswer]
    /// The parts of the remote's history that this push created, in any order; empty if the remote doesn't
    /// send them.
    package var parts: [HistoryPart]

    package init(answers: [PushAnswer], parts: [HistoryPart] = []) {
        self.answers = answers
        self.parts = parts
    }

    /// Returns a cursor moved past this push's own changes, so that the next pull doesn't return them.
    ///
    /// The cursor stops before changes that might be from other clients. Without parts, it doesn't move.
    package func end(from cursor: Cursor?) -> Cursor? {
        var end = cursor
        var ends: [Cursor?: Cursor] = [:]
        for part in parts {
            ends[part.start] = part.end
            if part.isFirst { ends[nil] = part.end }
        }
        // Use each part once, so that a cycle in the remote's response can't cause an endless loop.
        while let next = ends.removeValue(forKey: end) { end = next }
        return end
    }
}

/// A part of a remote's history with only the changes of one push.
package struct HistoryPart: Sendable, Hashable {
    package var start: Cursor
    package var end: Cursor
    /// Whether this is the beginning of the history, without any changes before it.
    package var isFirst: Bool

    package init(start: Cursor, end: Cursor, isFirst: Bool) {
        self.start = start
        self.end = end
        self.isFirst = isFirst
    }
}

/// The result of one operation of a push.
package enum PushAnswer: Sendable, Hashable {
    /// The operation was applied, and the record or tombstone now has this version.
    case accepted(Version)
    /// The operation wasn't applied, because its condition failed. The value is the current record; nil if
    /// there isn't one.
    case movedOn(RemoteRecord?)
    /// The operation wasn't applied, and a retry wouldn't help. The status is HTTP's; the message is nil if
    /// the remote didn't send one.
    case refused(status: Int, message: String?)
    /// The operation wasn't applied, because the key doesn't allow it.
    case notAllowed(KeyProblem)
    /// The operation was sent, but the response was lost, so it might have been applied. A retry is safe.
    case unknown(message: String)
}
