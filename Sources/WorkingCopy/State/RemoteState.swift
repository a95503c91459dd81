package import TodoModel

/// A todo's state on the remote: it exists, or it was deleted.
///
/// The text was checked: it is a valid todo with the right id.
package enum RemoteState: Sendable, Hashable {
    /// Indirect because it is passed on many times, so that a copy takes only a word.
    indirect case todo(RemoteTodo)
    /// Deleted, with the tombstone's version; nil if the record is gone and left no tombstone.
    case deleted(Version?)

    /// The version on the remote; nil if the record is gone and left no tombstone.
    package var version: Version? {
        switch self {
        case .todo(let todo): todo.version
        case .deleted(let version): version
        }
    }

    package var todo: RemoteTodo? {
        if case .todo(let todo) = self { todo } else { nil }
    }
}

/// A todo as it is on the remote, in the form of a file's text.
package struct RemoteTodo: Sendable, Hashable {
    package var version: Version
    /// The path on the remote; nil if no client that uses files has sent one.
    package var path: String?
    package var bytes: [UInt8]
    /// The name of the device that wrote this version, fit to be printed; nil if unknown.
    package var device: String?

    package init(version: Version, path: String?, bytes: [UInt8], device: String? = nil) {
        self.version = version
        self.path = path
        self.bytes = bytes
        self.device = device
    }
}

/// The changes on both sides that only the user can resolve.
package enum ConflictKind: String, Sendable {
    case editEdit = "edit/edit"
    case editDelete = "edit/delete"
    case deleteEdit = "delete/edit"
    case insertInsert = "insert/insert"
    /// Only the markers in the file tell of it: git left them, or the record of the conflict is lost.
    case git
}

/// A conflict that the user has not resolved yet.
package struct OpenConflict: Sendable, Hashable {
    package var kind: ConflictKind
    /// The conflicting top-level fields.
    package var fields: [String]
    /// The local file before the conflict; nil if the local side had deleted it.
    package var local: [UInt8]?
    /// The path of the local file; the former path if it was deleted.
    package var localPath: String
    /// The remote state that conflicts with the local side; once resolved, the todo is pending against it.
    package var remote: RemoteState

    package init(
        kind: ConflictKind, fields: [String], local: [UInt8]?, localPath: String, remote: RemoteState
    ) {
        self.kind = kind
        self.fields = fields
        self.local = local
        self.localPath = localPath
        self.remote = remote
    }
}

/// An operation that was sent, or was about to be, and has no answer yet.
package struct SentOperation: Sendable, Hashable {
    package var operationID: String
    /// The file's text as it was sent; nil for a delete.
    package var bytes: [UInt8]?
    /// The path as it was sent.
    package var path: String?
    /// The file's path at that time.
    package var place: String

    package init(operationID: String, bytes: [UInt8]?, path: String?, place: String) {
        self.operationID = operationID
        self.bytes = bytes
        self.path = path
        self.place = place
    }

    /// Returns the remote's state once it has accepted the operation; nil for a delete.
    func confirmed(_ version: Version) -> RemoteTodo? {
        bytes.map { RemoteTodo(version: version, path: path, bytes: $0) }
    }
}

/// An edit of a todo's file, with the state that is recorded once it is applied.
///
/// It is written to the journal before the file is touched. If the operation doesn't end, the file shows
/// whether the edit was applied; if not, ``remote`` still has to be applied.
///
/// It is a class because it is passed on many times.
package final class AnnouncedEdit: Sendable {
    package let id: TodoID
    /// The file's old path; nil if there was no file.
    package let from: String?
    /// The file's new path; nil if it is removed.
    package let to: String?
    /// The file's new text; nil if it is removed.
    package let bytes: [UInt8]?
    /// Whether the new path applies to this folder only, because the todo's own path isn't available here.
    package let isDisplaced: Bool
    /// The file's text before the edit, kept for the log if nothing else has it.
    package let replaced: [UInt8]?
    /// The new base version; nil if it stays the same.
    package let remote: RemoteState?
    package let conflict: ConflictChange
    /// Whether the file is removed because the todo isn't kept in this folder any longer.
    package let purges: Bool

    package indirect enum ConflictChange: Sendable, Hashable {
        case none
        case opens(OpenConflict)
        case closes
        /// Closed without an answer: the remote's change still has to be applied.
        case aborts
        /// Reopened as it was, with its former base version.
        case reopens(OpenConflict, base: RemoteState?)
    }

    package init(
        id: TodoID, from: String?, to: String?, bytes: [UInt8]?, isDisplaced: Bool = false,
        replaced: [UInt8]? = nil, remote: RemoteState?, conflict: ConflictChange = .none,
        purges: Bool = false
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.bytes = bytes
        self.isDisplaced = isDisplaced
        self.replaced = replaced
        self.remote = remote
        self.conflict = conflict
        self.purges = purges
    }

    /// Returns the same edit with another path for the file.
    package func moved(to path: String, isDisplaced: Bool) -> AnnouncedEdit {
        AnnouncedEdit(
            id: id, from: from, to: path, bytes: bytes, isDisplaced: isDisplaced, replaced: replaced,
            remote: remote, conflict: conflict, purges: purges)
    }
}

extension AnnouncedEdit: Hashable {
    package static func == (left: AnnouncedEdit, right: AnnouncedEdit) -> Bool {
        left.id == right.id && left.from == right.from && left.to == right.to && left.bytes == right.bytes
            && left.isDisplaced == right.isDisplaced && left.replaced == right.replaced
            && left.remote == right.remote && left.conflict == right.conflict && left.purges == right.purges
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(to)
        hasher.combine(bytes)
    }
}
