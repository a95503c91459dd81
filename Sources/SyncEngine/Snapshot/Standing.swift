internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// How to treat a todo's changed or missing file if git might have changed it.
///
/// Todos don't belong to a branch, so a file that git changed or removed is neither an edit nor a delete.
/// Such a todo is held: it isn't sent, and its file isn't changed, so that git can switch back.
enum Standing: Sendable, Hashable {
    /// The user's edit of the newest base version, or the user's delete.
    case edit
    /// The user's edit of something other than the newest base version.
    case editOf(EditBasis)
    /// Git changed or removed the file.
    case held(HeldFile)
    /// The user decided: the file becomes the newest version.
    case forwarded

    /// Whether the todo isn't pending, and its file isn't changed.
    var isHeld: Bool { if case .held = self { true } else { false } }

    /// Returns whether a file's path is one that git brought back, and not the user's choice.
    func isOfGit(_ path: String, _ recorded: TodoState?) -> Bool {
        switch self {
        case .editOf(let basis): basis.path?.isSameBytes(as: path) == true
        case .forwarded: recorded?.isRenamed(path) == true
        case .edit, .held: false
        }
    }

    /// Whether the file has to be merged with the newest version before it can be sent.
    var isOfOlderVersion: Bool { if case .editOf = self { true } else { false } }
}

extension HeldFile {
    /// Creates the state of a file that is held now.
    ///
    /// - Parameter last: What git had checked out at the last command; the file was the newest version there
    ///   if it wasn't held then.
    init(_ reason: HeldReason, _ operation: PendingOperation, _ state: TodoState, since last: RecordedHead?) {
        self.init(
            reason: reason, mark: operation.local.map { ContentMark(ofLines: $0.bytesWithID) },
            home: last?.branch, version: state.base?.todo.map { ContentMark(ofLines: $0.bytes) })
        if case .held(let held)? = state.origin { (home, version) = (held.home, held.version) }
    }
}

extension Snapshot {
    /// Returns the text that a todo's file is an edit of, if that isn't the base version's.
    func basis(of id: TodoID) -> [UInt8]? {
        switch standings[id] {
        case .editOf(let basis): basis.bytes
        // The file isn't an edit of anything: the newest version replaces it.
        case .forwarded: folder.todos.bytes(of: id)
        case nil, .edit, .held: nil
        }
    }
}

extension EditBasis {
    /// Creates a basis from which each of some fields is a conflict, and any other field an edit of the
    /// newest version.
    ///
    /// - Parameters:
    ///   - version: The version whose comments and layout count as unchanged.
    ///   - fields: The fields; all that differ between the two versions if nil.
    init?(
        asking fields: [String]?, version: [UInt8], newest: [UInt8], path: String?,
        mergesCollections: Bool = false
    ) {
        guard let old = try? Todo(parsing: version), let new = try? Todo(parsing: newest) else { return nil }
        let asked = fields ?? CanonicalField.differences(from: old.fields, to: new.fields)
        var values = fields == nil ? old.document.fields : new.document.fields
        for name in asked {
            let isInBoth = old.fields[name] != nil && new.fields[name] != nil
            let areCollections = [old.fields[name], new.fields[name]].allSatisfy { $0?.isCollection ?? false }
            // With a value that neither side has, removals conflict, too, and so do lists and mappings.
            let canBeAbsent = isInBoth && (mergesCollections || !areCollections) && name != FieldName.text
            values[name] = canBeAbsent ? nil : .string("")
        }
        self.init(bytes: old.document.updated(to: values), path: path, asked: asked)
    }
}

extension EditBasis {
    /// Returns the basis with the remote's values that a file has had; nil if there are none.
    ///
    /// - Parameters:
    ///   - start: The version that the basis was made from.
    ///   - history: The file's earlier texts since this version.
    func acknowledging(
        _ remote: [UInt8], local: [UInt8], since start: [UInt8], in history: some Sequence<[UInt8]>
    ) -> EditBasis? {
        guard let basis = try? Todo(parsing: bytes), let old = try? Todo(parsing: start),
            let new = try? Todo(parsing: remote),
            let own = try? Todo(parsing: local)
        else { return nil }
        let past = history.compactMap { try? Todo(parsing: $0).fields }
        var (fields, asked) = (basis.document.fields, asked)
        for name in CanonicalField.differences(from: old.fields, to: new.fields) {
            let value = { (fields: Mapping) in CanonicalField.value(name, fields[name]) }
            guard value(own.fields) != nil, let sent = value(new.fields), value(own.fields) != sent,
                past.contains(where: { value($0) == sent })
            else { continue }
            if value(own.fields) == value(old.fields) {
                // An edit and an edit back.
                fields[name] = name == FieldName.text ? .string("") : nil
                asked.append(name)
            } else {
                fields[name] = new.fields[name]
                asked.removeAll { $0 == name }
            }
        }
        guard fields != basis.document.fields else { return nil }
        return EditBasis(bytes: basis.document.updated(to: fields), path: path, asked: asked)
    }
}

extension Value {
    fileprivate var isCollection: Bool {
        switch self {
        case .list, .mapping: true
        case .null, .bool, .number, .string: false
        }
    }
}

extension FieldRules {
    /// Creates the rules for a todo's fields, without configured rules where older values might be git's.
    init(for id: TodoID, in snapshot: Snapshot) {
        self = snapshot.rules
        if case .editOf(let basis)? = snapshot.standings[id] { self = withoutChoices(of: basis.asked) }
    }
}

/// The todos whose files git rolled back to older versions.
struct OlderFiles {
    let snapshot: Snapshot

    /// Returns the newest version of a todo whose file git rolled back to an older one; nil for any other
    /// todo.
    func newest(of id: TodoID) -> RemoteTodo? {
        switch snapshot.standings[id] {
        case .held(let held) where held.reason == .olderVersion: break
        case nil, .edit, .editOf, .held, .forwarded: return nil
        }
        guard let recorded = snapshot.tracked.todos[id], recorded.sent == nil else { return nil }
        return recorded.newest?.todo
    }

    /// Returns whether a todo's file is an older version, or an edit of one.
    func contains(_ id: TodoID) -> Bool {
        if snapshot.standings[id]?.isOfOlderVersion == true { return snapshot.tracked.todos[id]?.sent == nil }
        return newest(of: id) != nil
    }

    /// Returns where a todo's file belongs if git also rolled back its path; nil if it can stay.
    func restoredPath(of id: TodoID) -> PathPlan.AssignedPath? {
        guard let path = snapshot.folder.todos.path(of: id), let wished = newest(of: id)?.path,
            snapshot.tracked.todos[id]?.isRenamed(path) == true
        else { return nil }
        return snapshot.freePath(id, wished)
    }
}

extension Snapshot {
    var older: OlderFiles { OlderFiles(snapshot: self) }
}
