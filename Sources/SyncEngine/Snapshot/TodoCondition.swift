internal import Git
internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A todo's state in this folder: what its file, its record and git say about it together.
///
/// One function of the snapshot computes it. Whatever depends on a todo's state switches over it, so that the
/// compiler names every line that a new state concerns. A file that isn't a todo's file is a
/// ``Selection/Named``.
indirect enum TodoCondition: Sendable {
    /// The file is the base version's.
    case unchanged
    /// The user made, edited, moved or deleted the file, and a push would send it.
    case pending(PendingOperation)
    /// The todo has an open conflict; the record is nil if only markers show the conflict.
    ///
    /// `file` is the state without the conflict, which matters for a conflict without markers. A file that
    /// has or had markers is invalid.
    case conflicted(OpenConflict?, file: TodoCondition)
    /// Git changed or removed the file.
    ///
    /// Elsewhere means that another branch than the one where the file last was the newest version is checked
    /// out, so that nothing needs to be decided here.
    case held(HeldFile, isElsewhere: Bool)
    /// The user purged the todo, and it has no file.
    case notKept
    /// The file can't be read as a todo.
    case invalid
    /// The file wasn't found, but might exist: it is ignored, hidden, behind a link or unreadable, or only
    /// copies of it are left that other tools made.
    case unseen(hasOnlyCopies: Bool)
    /// There is neither a file nor a delete to send.
    case absent

    /// The state without an open conflict.
    var ofFile: TodoCondition { if case .conflicted(_, let file) = self { file } else { self } }

    /// The operation that is pending, even if it can't be sent yet.
    var operation: PendingOperation? { if case .pending(let operation) = ofFile { operation } else { nil } }

    /// Whether a change of the user's isn't on the remote, including one that is in conflict.
    var isPending: Bool {
        switch self {
        case .pending: true
        case .conflicted(_, file: .unchanged), .conflicted(_, file: .held): false
        case .conflicted: true
        case .unchanged, .held, .notKept, .invalid, .unseen, .absent: false
        }
    }

    /// Whether the todo is pending or in conflict, or might be, because its file can't be read.
    var mightBePending: Bool {
        switch self {
        case .pending, .conflicted, .invalid, .unseen: true
        case .unchanged, .held, .notKept, .absent: false
        }
    }

    /// Whether the file might exist where todosync can't see it, so that no other file may replace it.
    var isHidden: Bool {
        switch ofFile {
        case .unseen(let hasOnlyCopies): !hasOnlyCopies
        case .unchanged, .pending, .conflicted, .held, .notKept, .invalid, .absent: false
        }
    }

    /// Whether the file wasn't found, but might exist.
    var isUnseen: Bool { if case .unseen = ofFile { true } else { false } }
    var isConflicted: Bool { if case .conflicted = self { true } else { false } }
    /// Whether git changed or removed the file.
    var isHeld: Bool { if case .held = ofFile { true } else { false } }
    /// Whether git changed or removed the file, and nothing needs to be decided on this branch.
    var isHeldElsewhere: Bool { if case .held(_, isElsewhere: true) = ofFile { true } else { false } }
    var isNotKept: Bool { if case .notKept = ofFile { true } else { false } }
}

extension Snapshot {
    /// Returns a todo's state, by its file, its record and what git did to the file.
    func condition(of id: TodoID) -> TodoCondition {
        let recorded = tracked.todos[id]
        if folder.conflicted[id] != nil { return .conflicted(recorded?.conflict, file: .invalid) }
        let file = fileCondition(of: id, recorded)
        return recorded?.conflict.map { .conflicted($0, file: file) } ?? file
    }

    /// Returns the state of a todo without markers in its file, apart from an open conflict.
    private func fileCondition(of id: TodoID, _ recorded: TodoState?) -> TodoCondition {
        if case .held(let file)? = standings[id] {
            return .held(file, isElsewhere: isElsewhere(file, recorded))
        }
        if folder.todos.contains(id) {
            return pendingEdit(of: id, recorded).map(TodoCondition.pending) ?? .unchanged
        }
        if folder.unreadable[id] != nil { return .invalid }
        guard let recorded else { return .absent }
        if recorded.isNotKept { return .notKept }
        if !folder.isGone(id, recorded) {
            return .unseen(hasOnlyCopies: folder.hasOnlyCopies(of: id, tracked))
        }
        guard recorded.base?.todo != nil, recorded.conflict == nil else { return .absent }
        return .pending(
            PendingOperation(
                id: id, kind: .delete, path: recorded.lastLocalPath ?? recorded.base?.todo?.path ?? id.string,
                base: recorded.base, canBeSent: canBeSent(id, recorded)))
    }

    private func isElsewhere(_ file: HeldFile, _ recorded: TodoState?) -> Bool {
        if file.reason == .gitFailed { return false }
        if recorded?.origin == .notKept { return true }
        // Outside of a repository, there is no other branch.
        return head.map { file.home == nil || $0.branch != file.home } ?? false
    }

    /// Returns the operation of a todo with a valid file; nil if the file is the base version's.
    private func pendingEdit(of id: TodoID, _ recorded: TodoState?) -> PendingOperation? {
        if let recorded, let base = recorded.base?.todo, let path = folder.todos.path(of: id),
            folder.todos.loaded[id] == nil, !recorded.isRenamed(path),
            folder.todos.bytes(of: id).map({ isSameText(base.bytes, $0) }) == true
        {
            // A file that wasn't read needn't be parsed.
            return nil
        }
        guard let local = folder.todos[id] else { return nil }
        let canBeSent = canBeSent(id, recorded)
        guard let base = recorded?.base, case .todo(let confirmed) = base else {
            return PendingOperation(
                id: id, kind: .insert, local: local, path: local.path, wirePath: local.path,
                base: recorded?.base, canBeSent: canBeSent)
        }
        let isRenamed = recorded.map { local.isRenamed($0) } ?? false
        guard isRenamed || !isSameText(confirmed.bytes, local.bytesWithID) else { return nil }
        let wirePath = isRenamed || confirmed.path == nil ? local.path : confirmed.path
        return PendingOperation(
            id: id, kind: .update, local: local, path: local.path, wirePath: wirePath,
            previousPath: isRenamed ? confirmed.path ?? recorded?.localPath : nil, base: base,
            canBeSent: canBeSent)
    }

    /// Returns whether a push can send a todo's operation now.
    ///
    /// An unanswered operation has to be sent again, unchanged, before any other operation of its todo. If
    /// the remote is known to have a newer version, as in a conflict without markers, it would reject the
    /// operation.
    private func canBeSent(_ id: TodoID, _ recorded: TodoState?) -> Bool {
        recorded?.sent == nil && recorded?.held == nil && recorded?.conflict == nil
            && standings[id]?.isOfOlderVersion != true
    }

    /// Returns the states of all or some todos, except unchanged and absent ones.
    ///
    /// Todos that are loaded in neither the folder nor the state are unchanged.
    func conditions(of isWanted: (TodoID) -> Bool = { _ in true }) -> [TodoID: TodoCondition] {
        var ids = Set(folder.todos.loaded.keys).union(tracked.todos.loaded.keys)
        ids.formUnion(folder.conflicted.keys)
        ids.formUnion(folder.unreadable.keys)
        let found = mapConcurrently(ids.filter(isWanted)) { id -> (TodoID, TodoCondition)? in
            let condition = condition(of: id)
            switch condition {
            case .unchanged, .absent: return nil
            case .pending, .conflicted, .held, .notKept, .invalid, .unseen: return (id, condition)
            }
        }
        return Dictionary(uniqueKeysWithValues: found.compactMap(\.self))
    }

    /// Returns the todos that are pending or in conflict, or whose state can't be determined.
    func pendingOrUnreadable() -> Set<TodoID> {
        Set(conditions().filter { $1.mightBePending }.keys)
    }

    /// Returns the pending operations of all or some todos, in no particular order.
    func pendingOperations(of isWanted: (TodoID) -> Bool = { _ in true }) -> [PendingOperation] {
        conditions(of: isWanted).values.compactMap(\.operation)
    }

    /// Returns the pending deletes of all or some todos.
    func pendingDeletes(of isWanted: (TodoID) -> Bool = { _ in true }) -> [PendingOperation] {
        pendingOperations { !folder.todos.contains($0) && isWanted($0) }.filter { $0.kind == .delete }
    }
}
