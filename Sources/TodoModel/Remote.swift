package import LosslessYAML

/// The table that todos are pushed to and pulled from.
///
/// Expected outcomes are return values. ``RemoteError`` is thrown for an error that stops the whole exchange.
package protocol Remote: Sendable {
    /// Returns the identity of the store and table, so that a different one behind the same URL is detected.
    ///
    /// If the identity is the known one, the method checks that the history continues the known history. A
    /// store restored from an old backup is thus detected before anything is sent to it.
    /// - Parameter wantsNews: Whether the caller next calls ``changes(after:)`` with the known cursor, so
    ///   that the first page can come with the same response.
    /// - Throws: ``RemoteError/otherHistory`` if the history doesn't continue the known one.
    func meet(_ known: KnownHistory?, wantsNews: Bool) async throws -> RemoteIdentity

    /// Returns the records that were written after a cursor, tombstones included.
    ///
    /// Each record appears once, in its newest state, and pages come in the order of writing. Without a
    /// cursor, all records are returned.
    /// - Throws: ``RemoteError/otherHistory`` if the cursor is not from this table's history, for example
    ///   after a backup was restored.
    func changes(after cursor: Cursor?) async throws -> ChangePage

    /// Sends operations and returns the result of each, in the same order.
    ///
    /// An operation that fails doesn't affect the others. The remote can apply them in any order, so they
    /// must be about different todos. An operation that was already applied (same
    /// ``PushOperation/operationID`` and same content) isn't applied again and gets the same result.
    func push(_ operations: [PushOperation]) async throws -> PushReply
}

extension Remote {
    /// Returns the identity of the store and table, for a caller that doesn't ask for changes next.
    package func meet(_ known: KnownHistory?) async throws -> RemoteIdentity {
        try await meet(known, wantsNews: false)
    }
}

/// The identity of a remote's store and table; opaque to everything but the remote itself.
package struct RemoteIdentity: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// What the working directory recorded about a remote's history.
package struct KnownHistory: Sendable, Hashable {
    package var identity: RemoteIdentity
    /// Where the last pull ended.
    package var cursor: Cursor?
    /// The operation that the remote accepted last; it can be newer than the cursor, which is from the last
    /// pull.
    package var accepted: AcceptedOperation?

    package init(identity: RemoteIdentity, cursor: Cursor?, accepted: AcceptedOperation?) {
        self.identity = identity
        self.cursor = cursor
        self.accepted = accepted
    }
}

/// An operation that a remote applied, and the version that it created.
package struct AcceptedOperation: Sendable, Hashable {
    package var operationID: String
    package var version: Version

    package init(operationID: String, version: Version) {
        self.operationID = operationID
        self.version = version
    }
}

/// A position in a remote's history; opaque to everything but the remote itself.
package struct Cursor: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// The version that a remote assigned to a record; opaque, and compared only for equality.
package struct Version: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// A page of a remote's changes.
package struct ChangePage: Sendable {
    package var records: [RemoteRecord]
    /// The cursor for the next page; in the last page, the cursor for the next pull.
    package var next: Cursor
    package var isLast: Bool

    package init(records: [RemoteRecord], next: Cursor, isLast: Bool) {
        self.records = records
        self.next = next
        self.isLast = isLast
    }
}

/// A todo as the remote has it.
///
/// Nothing in a record is trusted: the engine checks every part before using it.
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
    /// The fields in the text are older than ``fields`` if a client that sends only fields made a later
    /// change.
    package var layout: Layout?
    /// Why only the id and version could be read, in words; nil if the whole record was read.
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

/// A record's property `todosync`: the parts of a todo besides its fields.
package struct Layout: Sendable, Hashable {
    /// The file's path, relative to the working directory, with `/` as the separator.
    package var path: String?
    /// The file's text.
    package var yaml: String?
    /// The name that the device that sent the path and text gives itself; nil if it sent no name.
    ///
    /// The name is not a part of the todo: layouts that differ only in it are equal.
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
    /// 32 random lower-case hexadecimal digits, created and recorded before the operation is first sent.
    package var operationID: String
    package var id: String
    package var change: Change

    package enum Change: Sendable, Hashable {
        /// Inserts a record, on condition that the remote has no record and no tombstone with this id.
        case insert(fields: Mapping, layout: Layout)
        /// Sets the given fields, on condition that the record still has the version `base`.
        ///
        /// A removed field is null. Null and absent are equal, and a remote can store either.
        case update(fields: Mapping, layout: Layout, base: Version)
        /// Deletes the record, on condition that it still has the version `base`.
        case delete(base: Version)
        /// Replaces a tombstone with a new record, on condition that the tombstone still has the version
        /// `base`.
        ///
        /// `base` is always the version of a tombstone.
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
    /// The parts of the remote's history that this push created, in no order; empty if the remote sends none.
    package var parts: [HistoryPart]

    package init(answers: [PushAnswer], parts: [HistoryPart] = []) {
        self.answers = answers
        self.parts = parts
    }

    /// Returns a cursor moved past this push's own changes, so that the next pull doesn't return them.
    ///
    /// It stops before changes that could be from elsewhere; without known parts, it is the cursor itself.
    package func end(from cursor: Cursor?) -> Cursor? {
        var end = cursor
        var ends: [Cursor?: Cursor] = [:]
        for part in parts {
            ends[part.start] = part.end
            if part.isFirst { ends[nil] = part.end }
        }
        // Each part is used once, so that a cycle in the remote's response can't loop forever.
        while let next = ends.removeValue(forKey: end) { end = next }
        return end
    }
}

/// A part of a remote's history that contains only the changes of one push.
package struct HistoryPart: Sendable, Hashable {
    package var start: Cursor
    package var end: Cursor
    /// Whether this is the first part of the history, with no changes before it.
    package var isFirst: Bool

    package init(start: Cursor, end: Cursor, isFirst: Bool) {
        self.start = start
        self.end = end
        self.isFirst = isFirst
    }
}

/// The result of one operation of a push.
package enum PushAnswer: Sendable, Hashable {
    /// Applied; the record (or its tombstone) now has this version.
    case accepted(Version)
    /// Not applied, because the condition failed; the current record, nil if there is none.
    case movedOn(RemoteRecord?)
    /// Not applied, and a retry wouldn't help; the status is HTTP's, and the message is nil if the remote
    /// gave none.
    case refused(status: Int, message: String?)
    /// Not applied, because the key doesn't allow it.
    case notAllowed(KeyProblem)
    /// Sent, but the response was lost, so it may have been applied; a retry is safe.
    case unknown(message: String)
}
