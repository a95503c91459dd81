package import TodoModel

/// What a remote says of one todo: that it is, or that it was deleted.
///
/// Its text was checked: it is a valid todo with the todo's id.
package enum RemoteState: Sendable, Hashable {
    /// Indirect, as it is passed on many times: so a copy takes a word.
    indirect case todo(RemoteTodo)
    case deleted(Version)

    package var version: Version {
        switch self {
        case .todo(let todo): todo.version
        case .deleted(let version): version
        }
    }

    package var todo: RemoteTodo? {
        if case .todo(let todo) = self { todo } else { nil }
    }
}

/// A todo as a remote has it, as the text of a file.
package struct RemoteTodo: Sendable, Hashable {
    package var version: Version
    /// The path that the remote knows; nil if no client that knows files has sent one.
    package var path: String?
    package var bytes: [UInt8]
    /// The name of the device that wrote this version, fit to be shown; nil if that is not known.
    package var device: String?

    package init(version: Version, path: String?, bytes: [UInt8], device: String? = nil) {
        self.version = version
        self.path = path
        self.bytes = bytes
        self.device = device
    }
}

/// What the two sides did so that only the user can choose.
package enum ConflictKind: String, Sendable {
    case editEdit = "edit/edit"
    case editDelete = "edit/delete"
    case deleteEdit = "delete/edit"
    case insertInsert = "insert/insert"
}

/// A conflict that the user has not resolved yet.
package struct OpenConflict: Sendable, Hashable {
    package var kind: ConflictKind
    /// The top-level fields in conflict.
    package var fields: [String]
    /// The local file as it was before; nil where the local side had deleted it.
    package var local: [UInt8]?
    /// The path of the local file; of a deleted one the path it had.
    package var localPath: String
    /// What the local side is in conflict with, and what a resolved todo is pending against.
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
    /// Where the file was.
    package var place: String

    package init(operationID: String, bytes: [UInt8]?, path: String?, place: String) {
        self.operationID = operationID
        self.bytes = bytes
        self.path = path
        self.place = place
    }

    /// Returns what the remote has once it has accepted the operation; nil for a delete.
    func confirmed(_ version: Version) -> RemoteTodo? {
        bytes.map { RemoteTodo(version: version, path: path, bytes: $0) }
    }
}

/// A change of a todo's file together with what becomes true once the file is so.
///
/// Written to the journal before the file is touched. If the operation does not end, the file tells whether
/// it was carried out; if not, ``remote`` still has to be brought in.
///
/// An object, as it is passed on many times.
package final class AnnouncedEdit: Sendable {
    package let id: TodoID
    /// Where the file was; nil if there was none.
    package let from: String?
    /// Where the file will be; nil if it is removed.
    package let to: String?
    /// The file's new text; nil if it is removed.
    package let bytes: [UInt8]?
    /// Whether the new path is this folder's alone, as the todo's own path can't be had here.
    package let isDisplaced: Bool
    /// The file's text before; kept for the log where nothing else has it.
    package let replaced: [UInt8]?
    /// The base version from then on; nil if it stays as it is.
    package let remote: RemoteState?
    package let conflict: ConflictChange

    package indirect enum ConflictChange: Sendable, Hashable {
        case none
        case opens(OpenConflict)
        case closes
        /// Closed without an answer: the remote's change still has to be brought in.
        case aborts
        /// Open again as it was, with the base version that it had.
        case reopens(OpenConflict, base: RemoteState?)
    }

    package init(
        id: TodoID, from: String?, to: String?, bytes: [UInt8]?, isDisplaced: Bool = false,
        replaced: [UInt8]? = nil, remote: RemoteState?, conflict: ConflictChange = .none
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.bytes = bytes
        self.isDisplaced = isDisplaced
        self.replaced = replaced
        self.remote = remote
        self.conflict = conflict
    }

    /// Returns the same change with another place for the file.
    package func moved(to path: String, isDisplaced: Bool) -> AnnouncedEdit {
        AnnouncedEdit(
            id: id, from: from, to: path, bytes: bytes, isDisplaced: isDisplaced, replaced: replaced,
            remote: remote, conflict: conflict)
    }
}

extension AnnouncedEdit: Hashable {
    package static func == (left: AnnouncedEdit, right: AnnouncedEdit) -> Bool {
        left.id == right.id && left.from == right.from && left.to == right.to && left.bytes == right.bytes
            && left.isDisplaced == right.isDisplaced && left.replaced == right.replaced
            && left.remote == right.remote && left.conflict == right.conflict
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(to)
        hasher.combine(bytes)
    }
}
