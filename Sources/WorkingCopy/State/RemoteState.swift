package import TodoModel

/// The state of a todo on the remote: it exists, or it was deleted.
///
/// The text has been validated: it is a todo with the right id.
package enum RemoteState: Sendable, Hashable {
    /// The todo exists. The case is indirect because it is copied often, and a copy then takes only a word.
    indirect case todo(RemoteTodo)
    /// The todo was deleted. The value is the tombstone's version; nil if the record is gone without a
    /// tombstone.
    case deleted(Version?)

    /// The version on the remote; nil if the record is gone without a tombstone.
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

/// A todo on the remote, with its text in the form of a file.
package struct RemoteTodo: Sendable, Hashable {
    package var version: Version
    /// The path on the remote; nil if no client that works with files has sent one.
    package var path: String?
    package var bytes: [UInt8]
    /// The name of the device that wrote this version, safe to print; nil if unknown.
    package var device: String?

    package init(version: Version, path: String?, bytes: [UInt8], device: String? = nil) {
        self.version = version
        self.path = path
        self.bytes = bytes
        self.device = device
    }
}

/// The kind of changes on both sides that only the user can resolve.
package enum ConflictKind: String, Sendable {
    case editEdit = "edit/edit"
    case editDelete = "edit/delete"
    case deleteEdit = "delete/edit"
    case insertInsert = "insert/insert"
    /// Only the markers in the file show the conflict: git left them, or the record of the conflict was lost.
    /// The conflict is recorded once the user has removed the file with a command.
    case git
}

/// A conflict that the user hasn't resolved yet.
package struct OpenConflict: Sendable, Hashable {
    package var kind: ConflictKind
    /// The conflicting top-level fields.
    package var fields: [String]
    /// The local file's text before the conflict; nil if the todo had been deleted locally.
    package var local: [UInt8]?
    /// The path of the local file, or its former path if the todo had been deleted.
    package var localPath: String
    /// The conflicting state of the remote, which becomes the base version once the conflict is resolved.
    package var remote: RemoteState
    /// Why the file has no markers but stays the local one, in words; nil if it was written with markers.
    package var obstacle: String?

    package init(
        kind: ConflictKind, fields: [String], local: [UInt8]?, localPath: String, remote: RemoteState,
        obstacle: String? = nil
    ) {
        self.kind = kind
        self.fields = fields
        self.local = local
        self.localPath = localPath
        self.remote = remote
        self.obstacle = obstacle
    }
}

/// An operation that was sent, or is about to be sent, and has no answer yet.
package struct SentOperation: Sendable, Hashable {
    package var operationID: String
    /// The file's text as it was sent; nil for a delete.
    package var bytes: [UInt8]?
    /// The path that was sent.
    package var path: String?
    /// The file's path in the folder at that time.
    package var localPath: String

    package init(operationID: String, bytes: [UInt8]?, path: String?, localPath: String) {
        self.operationID = operationID
        self.bytes = bytes
        self.path = path
        self.localPath = localPath
    }

    /// Returns the todo that the remote has once it accepts the operation; nil for a delete.
    func confirmed(_ version: Version) -> RemoteTodo? {
        bytes.map { RemoteTodo(version: version, path: path, bytes: $0) }
    }
}

/// An edit of a todo's file, with the state to record once the edit is applied.
///
/// The edit is written to the journal before the file is changed. If the operation is interrupted, the file
/// shows whether the edit was applied. If it wasn't, ``remote`` still has to be applied.
///
/// The type is a class because edits are copied often.
package final class AnnouncedEdit: Sendable {
    package let id: TodoID
    /// The file's old path; nil if there was no file.
    package let from: String?
    /// The file's new path; nil if it is removed.
    package let to: String?
    /// The file's new text; nil if it is removed.
    package let bytes: [UInt8]?
    /// Whether the new path is used only in this folder, because the todo's own path isn't available here.
    package let isPathLocalOnly: Bool
    /// The file's text before the edit, kept for the log if no other record has it.
    package let replaced: [UInt8]?
    /// The new base version; nil if the base version doesn't change.
    package let remote: RemoteState?
    package let conflict: ConflictChange
    /// Whether the file is removed because the user purged the todo.
    package let purges: Bool
    /// Who decided the conflicts between the file and the remote, as far as they were decided.
    package let choices: [LoggedChoice]

    package indirect enum ConflictChange: Sendable, Hashable {
        case none
        case opens(OpenConflict)
        case closes
        /// The conflict is closed without a resolution, so the remote's change still has to be applied.
        case aborts
        /// The conflict is reopened as it was, with its former base version.
        case reopens(OpenConflict, base: RemoteState?)
    }

    package init(
        id: TodoID, from: String?, to: String?, bytes: [UInt8]?, isPathLocalOnly: Bool = false,
        replaced: [UInt8]? = nil, remote: RemoteState?, conflict: ConflictChange = .none,
        purges: Bool = false, choices: [LoggedChoice] = []
    ) {
        self.id = id
        self.from = from
        self.to = to
        self.bytes = bytes
        self.isPathLocalOnly = isPathLocalOnly
        self.replaced = replaced
        self.remote = remote
        self.conflict = conflict
        self.purges = purges
        self.choices = choices
    }

    /// Returns the same edit with a different new path.
    package func moved(to path: String, isPathLocalOnly: Bool) -> AnnouncedEdit {
        AnnouncedEdit(
            id: id, from: from, to: path, bytes: bytes, isPathLocalOnly: isPathLocalOnly, replaced: replaced,
            remote: remote, conflict: conflict, purges: purges, choices: choices)
    }
}

extension AnnouncedEdit: Hashable {
    package static func == (left: AnnouncedEdit, right: AnnouncedEdit) -> Bool {
        left.id == right.id && left.from == right.from && left.to == right.to && left.bytes == right.bytes
            && left.isPathLocalOnly == right.isPathLocalOnly && left.replaced == right.replaced
            && left.remote == right.remote && left.conflict == right.conflict && left.purges == right.purges
            && left.choices == right.choices
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(to)
        hasher.combine(bytes)
    }
}
