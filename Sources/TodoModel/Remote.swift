package import LosslessYAML

/// Where todos are pushed to and pulled from.
///
/// What the protocol foresees is a value; ``RemoteError`` is thrown for what stops the whole exchange.
package protocol Remote: Sendable {
    /// Returns which table of which store this is, so that another one behind the same URL is noticed.
    ///
    /// Where it is the one that was known, its history has to go on from what was known of it, so that a
    /// store put back from an old backup is noticed before anything is sent to it.
    /// - Parameter wantsNews: whether ``changes(after:)`` of the known cursor is called next, so that the
    ///   first page may come with the meeting.
    /// - Throws: ``RemoteError/otherHistory`` where it does not.
    func meet(_ known: KnownHistory?, wantsNews: Bool) async throws -> RemoteIdentity

    /// Returns the records that were written after a cursor, each once with its newest state, tombstones
    /// included.
    ///
    /// Pages come in the order of writing. Without a cursor everything that exists is returned, tombstones
    /// too.
    /// - Throws: ``RemoteError/otherHistory`` where the cursor is not of this table's history, as after a
    ///   backup was put back.
    func changes(after cursor: Cursor?) async throws -> ChangePage

    /// Sends operations and returns an answer for each, in the same order; one's failure holds up no other.
    ///
    /// The remote may carry them out in any order, so they must be about different todos.
    /// An operation that was already carried out (same ``PushOperation/operationID`` and same content) is not
    /// carried out again and gets the answer it got then.
    func push(_ operations: [PushOperation]) async throws -> PushReply
}

extension Remote {
    /// Returns which table of which store this is, for a caller that does not ask for news next.
    package func meet(_ known: KnownHistory?) async throws -> RemoteIdentity {
        try await meet(known, wantsNews: false)
    }
}

/// Which table of which store a remote is; opaque to all but the remote itself.
package struct RemoteIdentity: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// What is known of a remote's history from the last time.
package struct KnownHistory: Sendable, Hashable {
    package var identity: RemoteIdentity
    /// Where the last pull ended.
    package var cursor: Cursor?
    /// The operation that was accepted last; it can be newer than the cursor, which is as old as the last
    /// pull.
    package var accepted: AcceptedOperation?

    package init(identity: RemoteIdentity, cursor: Cursor?, accepted: AcceptedOperation?) {
        self.identity = identity
        self.cursor = cursor
        self.accepted = accepted
    }
}

/// An operation that a remote carried out, and the version that it led to.
package struct AcceptedOperation: Sendable, Hashable {
    package var operationID: String
    package var version: Version

    package init(operationID: String, version: Version) {
        self.operationID = operationID
        self.version = version
    }
}

/// A place in a remote's history; opaque to all but the remote itself.
package struct Cursor: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// The version a remote gave to a record; opaque, compared only for equality.
package struct Version: Sendable, Hashable {
    package let string: String
    package init(_ string: String) { self.string = string }
}

/// A part of a remote's changes.
package struct ChangePage: Sendable {
    package var records: [RemoteRecord]
    /// Where the next call goes on; with the last page the place from which to look for news next time.
    package var next: Cursor
    package var isLast: Bool

    package init(records: [RemoteRecord], next: Cursor, isLast: Bool) {
        self.records = records
        self.next = next
        self.isLast = isLast
    }
}

/// A todo as a remote has it.
///
/// Nothing in it is trusted: the engine checks every part before it is used.
package struct RemoteRecord: Sendable, Hashable {
    package var id: String
    package var version: Version
    /// A tombstone: the todo was deleted.
    ///
    /// Its fields are those it had last, where the remote still knows them.
    package var isDeleted: Bool
    /// The fields without `id`, ``layout`` and the remote's own properties.
    package var fields: Mapping
    /// The file's path and text as the last client that knows files sent them; the text's fields are older
    /// than ``fields`` where a client that knows only fields made a change.
    package var layout: Layout?
    /// Why nothing but id and version could be read of it, in words; nil where all could.
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

/// The property `todosync` of a record: what a todo is besides its fields.
package struct Layout: Sendable, Hashable {
    /// The file's path, relative to the working directory, `/` as separator.
    package var path: String?
    /// The file's text.
    package var yaml: String?
    /// The name of the device that sent the two, as it says itself; nil where it says none.
    ///
    /// It is no part of the todo: layouts that differ only in it are equal.
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

/// An insert, update or delete on its way to a remote.
package struct PushOperation: Sendable, Hashable {
    /// 32 lower-case hexadecimal digits, random, made and recorded before the operation is first sent.
    package var operationID: String
    package var id: String
    package var change: Change

    package enum Change: Sendable, Hashable {
        /// Only if the remote has no record with this id, not even a tombstone.
        case insert(fields: Mapping, layout: Layout)
        /// The fields named get new values; only if the record still has the version.
        ///
        /// A field that was removed gets null: that and an absent one are one value, and a remote may keep
        /// either.
        case update(fields: Mapping, layout: Layout, base: Version)
        /// Only if the record still has the version.
        case delete(base: Version)
        /// Puts a whole new record in the place of a tombstone; only if the tombstone still has the version.
        ///
        /// The base is never the version of a record that is not deleted.
        case recreate(fields: Mapping, layout: Layout, base: Version)
    }

    package init(operationID: String, id: String, change: Change) {
        self.operationID = operationID
        self.id = id
        self.change = change
    }
}

/// What a remote says to a push.
package struct PushReply: Sendable, Hashable {
    /// One for each operation, in the same order.
    package var answers: [PushAnswer]
    /// The parts of the remote's history that were made now, as far as the remote tells them; in no order.
    package var parts: [HistoryPart]

    package init(answers: [PushAnswer], parts: [HistoryPart] = []) {
        self.answers = answers
        self.parts = parts
    }

    /// Returns the place up to which there is nothing behind a cursor but what was carried out now; the
    /// cursor itself if that is unknown.
    package func end(from cursor: Cursor?) -> Cursor? {
        var end = cursor
        var ends: [Cursor?: Cursor] = [:]
        for part in parts {
            ends[part.start] = part.end
            if part.isFirst { ends[nil] = part.end }
        }
        // Each is taken once, as nobody but the remote says that they are no circle.
        while let next = ends.removeValue(forKey: end) { end = next }
        return end
    }
}

/// A part of a remote's history that holds nothing but what was carried out for one push.
package struct HistoryPart: Sendable, Hashable {
    package var start: Cursor
    package var end: Cursor
    /// Whether it is the history's first part, before which there is nothing to know.
    package var isFirst: Bool

    package init(start: Cursor, end: Cursor, isFirst: Bool) {
        self.start = start
        self.end = end
        self.isFirst = isFirst
    }
}

/// What a remote says to one operation.
package enum PushAnswer: Sendable, Hashable {
    /// Carried out; the record (or its tombstone) has this version now.
    case accepted(Version)
    /// Not carried out: the condition did not hold. The record as it is now, nil if there is none at all.
    case movedOn(RemoteRecord?)
    /// Not carried out, and sending it again would not help. The status is HTTP's.
    case refused(status: Int, message: String)
    /// Not carried out: the key does not allow it.
    case notAllowed(String, KeyProblem)
    /// Sent, but the answer was lost: it may have been carried out, and can be sent again safely.
    case unknown(message: String)
}

/// Why an exchange with a remote stopped.
package enum RemoteError: Error, Sendable, Hashable {
    /// It can't be reached, or answers nonsense.
    case unavailable(String)
    /// The key is missing or wrong, or allows less.
    case notAllowed(String, KeyProblem)
    /// It is on a server that the user has not trusted, as `https://example.org`; nothing was sent there.
    case untrusted(server: String)
    /// The cursor is not of this history: another store, or one put back from an old backup.
    case otherHistory
    /// The URL or what it leads to is no remote that can be used.
    case unusable(String)
    /// It is on this machine, and its files can't be read or written.
    case failing(String, StorageProblem)
}

extension RemoteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason), .notAllowed(let reason, _), .unusable(let reason),
            .failing(let reason, _):
            reason
        case .untrusted(let server): "\(server) is not a server that you trust"
        case .otherHistory: "the cursor or operation is not of this history"
        }
    }
}

/// Why files of a remote on this machine can't be read or written.
package enum StorageProblem: Sendable, Hashable {
    case diskFull
    /// This user may not, or nobody may.
    case notPermitted
    case inputOutput
}

/// What is wrong with the key where a remote does not allow something.
package enum KeyProblem: Sendable, Hashable {
    /// There is none, or one that the server with this URL does not know.
    case unknown(url: String)
    /// It allows less than what is needed, as `write access to the table todoitem`.
    case insufficient(need: String)
    /// It is none that can be sent to the server with this URL.
    case malformed(url: String)
    /// It would travel readable to another machine.
    case exposed
}
