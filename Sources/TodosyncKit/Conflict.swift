internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A conflict: both sides changed the same part of a todo, and no rule decides between them.
public struct Conflict: Sendable {
    /// The todo's id.
    public let id: String
    /// The file's path, relative to the working directory.
    public let path: String
    /// The kind of change on each side.
    public let kind: Kind
    /// The version that both sides started from; nil if they have no common version.
    public let base: Version?
    /// The local version of the todo; nil if it was deleted here.
    public let local: Version?
    /// The remote version of the todo; nil if it was deleted there.
    public let remote: Version?
    /// The fields in conflict, in the order of the file.
    ///
    /// If one side deleted the todo, these are the fields that the other side changed.
    public let fields: [String]
    /// The number of times that this push, pull or sync has asked about the todo, including this time.
    ///
    /// A number above 1 means that the remote has changed since the last answer.
    public let attempt: Int

    /// Creates a conflict, for testing a delegate.
    public init(
        id: String, path: String, kind: Kind, base: Version?, local: Version?, remote: Version?,
        fields: [String], attempt: Int = 1
    ) {
        (self.id, self.path, self.kind) = (id, path, kind)
        (self.base, self.local, self.remote) = (base, local, remote)
        (self.fields, self.attempt) = (fields, attempt)
    }

    /// The kind of change on each side, with the local side first.
    public enum Kind: String, Sendable {
        /// Edited on both sides.
        case editEdit = "edit/edit"
        /// Edited here, and deleted on the remote.
        case editDelete = "edit/delete"
        /// Deleted here, and edited on the remote.
        case deleteEdit = "delete/edit"
        /// Created on both sides with the same id.
        case insertInsert = "insert/insert"
        /// A conflict that exists only as conflict markers in the file, such as those that `git merge`
        /// writes.
        ///
        /// ``WorkingDirectory/conflicts()`` lists it, but delegates aren't asked about it. You can resolve it
        /// with ``ConflictAnswer/local`` (the first side in the file), ``ConflictAnswer/remote`` or, if the
        /// markers include it, ``ConflictAnswer/base``.
        case git
    }

    /// One version of a todo.
    public struct Version: Sendable {
        /// The fields, except the id.
        public let fields: [String: FieldValue]
        /// The file's whole text, including comments.
        public let text: String
        /// The version that the remote assigned; nil if this version exists only here.
        public let version: String?
        /// The name of the device that wrote the version; nil if it isn't known.
        public let device: String?

        /// Creates a version, for testing a delegate.
        public init(
            fields: [String: FieldValue], text: String, version: String? = nil, device: String? = nil
        ) {
            (self.fields, self.text, self.version, self.device) = (fields, text, version, device)
        }
    }
}

/// The answer to a conflict.
public enum ConflictAnswer: Sendable {
    /// Resolves the conflict with the local version; merged parts remain merged.
    case local
    /// Resolves the conflict with the remote version; merged parts remain merged.
    case remote
    /// Resolves the conflict with the version that both sides started from.
    case base
    /// Sets the named fields to these values; other fields remain in conflict.
    case fields([String: FieldAnswer])
    /// Writes both versions into the file, between conflict markers, for the user to choose.
    case leaveToUser
    /// Changes nothing; the next push detects the conflict again.
    case cancel
}

/// The answer to a conflict in one field.
public enum FieldAnswer: Sendable, Hashable {
    /// Resolves the field's conflict with this version; merged parts remain merged.
    case local, remote, base
    /// A new value; ``FieldValue/null`` removes the field.
    case value(FieldValue)
}

extension Conflict {
    init(_ conflict: SyncEngine.Conflict) {
        (id, path) = (conflict.id.string, conflict.path)
        kind =
            switch conflict.kind {
            case .editEdit: .editEdit
            case .editDelete: .editDelete
            case .deleteEdit: .deleteEdit
            case .insertInsert: .insertInsert
            case .git: .git
            }
        base = conflict.base.map(Version.init)
        local = conflict.local.map(Version.init)
        remote = conflict.remote.map(Version.init)
        (fields, attempt) = (conflict.fields, conflict.attempt)
    }
}

extension Conflict.Version {
    fileprivate init(_ text: SyncEngine.Conflict.Text) {
        fields = TodosyncKit.fields(text.fields)
        self.text = String(decoding: text.bytes, as: UTF8.self)
        (version, device) = (text.version, text.device)
    }
}

extension ConflictAnswer {
    var engineAnswer: SyncEngine.ConflictAnswer {
        get throws {
            switch self {
            case .local: .take(.local)
            case .remote: .take(.remote)
            case .base: .take(.base)
            case .fields(let answers): .fields(try engineAnswers(answers))
            case .leaveToUser: .leave
            case .cancel: .cancel
            }
        }
    }
}

/// Converts answers for fields to the engine's type.
func engineAnswers(_ answers: [String: FieldAnswer]) throws -> [ByteKey: SyncEngine.FieldAnswer] {
    let pairs = try answers.map { field, answer in
        let given: SyncEngine.FieldAnswer =
            switch answer {
            case .local: .take(.local)
            case .remote: .take(.remote)
            case .base: .take(.base)
            case .value(let value): .value(try value.checked(for: field))
            }
        return (ByteKey(field), given)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
}

/// Resolves the conflicts of a push, pull or sync, and receives its report.
///
/// This protocol corresponds to `MSSyncContextDelegate` in Azure Mobile Services' tutorial *Handling
/// conflicts with offline data synchronization*: ``resolve(_:)`` corresponds to its
/// `tableOperation(_:onComplete:)`, and ``didComplete(_:)`` to its
/// `syncContext(_:onPushCompleteWithError:completion:)`.
public protocol SyncDelegate: Sendable {
    /// Resolves a conflict that neither the configured merge rules nor remembered resolutions have resolved.
    ///
    /// The answer is sent on the condition that the remote still has ``Conflict/remote``. If the remote has
    /// changed again and that causes another conflict, this method is called again, up to ten times in one
    /// push. After that, the todo stays pending.
    ///
    /// If an answer doesn't fit the conflict, the conflict is left to the user, with a line in
    /// ``SyncReport/warnings``. An error stops the sync, but doesn't undo earlier changes. The working
    /// directory is locked while this method runs, so don't change todos in it.
    func resolve(_ conflict: Conflict) async throws -> ConflictAnswer

    /// Receives the report once at the end, unless an error stopped the sync before it did anything.
    func didComplete(_ report: SyncReport) async
}

extension SyncDelegate {
    /// Does nothing.
    public func didComplete(_ report: SyncReport) async {}
}
