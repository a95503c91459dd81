internal import Git
internal import TodoModel
internal import WorkingCopy

// Detects git's changes to the folder, and records them.

extension LockedWorkspace {
    /// Decides how changed and missing files are treated.
    func judge() throws {
        // Keep what the user decided in this command.
        let forwarded = standings.filter { $0.value == .forwarded }
        var judged = snapshot
        try GitJudge.judge(&judged, by: survey)
        (folder, takenBack) = (judged.folder, judged.takenBack)
        (indexed, hasHeadMoved) = (judged.indexed, judged.hasHeadMoved)
        standings = judged.standings.merging(forwarded) { $1 }
    }
}

/// Records where todos' files come from and what git has checked out.
struct Origins {
    let locked: LockedWorkspace

    /// Records where the files come from, so that later commands still recognize an edit of an older version.
    func record() throws {
        guard locked.tracked.head != nil else { return }
        var records: [JournalRecord] = []
        for (id, standing) in locked.standings.sorted(by: { $0.key < $1.key })
        where locked.tracked.todos[id]?.isNotKept != true {
            let origin: FileOrigin?
            switch standing {
            case .editOf(let version): origin = .version(version)
            case .behind, .held(.olderVersion), .held(.deleted):
                origin = locked.folder.todos[id].map { .version($0.bytesWithID) }
            // On the home branch, todos are absent only because a commit stopped tracking ignored files.
            case .absent where locked.survey?.isOnHomeBranch ?? true: origin = .removedByGit(was: nil)
            case .absent, .held(.removed): origin = locked.tracked.todos[id]?.originOfRemoved
            case .edit, .goesBack, .held(.unanswered), .forwarded: continue
            }
            if origin != locked.tracked.todos[id]?.origin { records.append(.origin(id: id, origin)) }
        }
        for (id, todo) in locked.tracked.todos.loaded
        where todo.origin != nil && !todo.isNotKept && locked.standings[id] == nil && todo.conflict == nil {
            if isOriginStale(id) { records.append(.origin(id: id, nil)) }
        }
        // Further commits would hide that a commit removed the file.
        for id in (locked.survey?.removedByCommits ?? []).sorted() where locked.standings[id] == nil {
            let isGone = locked.snapshot.pendingOperation(id).map { $0.local == nil } ?? false
            if isGone, locked.tracked.todos[id]?.origin != .removedByCommit {
                records.append(.origin(id: id, .removedByCommit))
            }
        }
        try locked.transaction.record(records)
    }

    /// Returns whether a todo's recorded origin no longer applies to its file.
    private func isOriginStale(_ id: TodoID) -> Bool {
        guard let operation = locked.snapshot.pendingOperation(id) else {
            // The file is the newest version again, unless it is skipped or can't be read.
            return locked.folder.todos.contains(id) || locked.tracked.todos[id]?.base?.todo == nil
        }
        switch locked.tracked.todos[id]?.origin {
        // An edit of a command's text is the user's, too. The origin is removed when the edit is sent.
        case .command? where operation.local != nil: return false
        case .removedByCommit?: return operation.local != nil
        default: break
        }
        return !operation.isByCommand(locked.snapshot)
    }

    /// Treats some todos' files, or their absence, as the user's edits and deletes.
    ///
    /// Records this in the journal, except for files that a command wrote or removed.
    func attributeToUser(_ ids: some Sequence<TodoID>) throws {
        var records: [JournalRecord] = []
        for id in ids {
            locked.standings[id] = nil
            // Outside a repository, only git's earlier changes are recorded.
            guard locked.survey != nil || locked.tracked.todos[id]?.origin != nil,
                let operation = locked.snapshot.pendingOperation(id)
            else { continue }
            if !operation.isByCommand(locked.snapshot) {
                records.append(.origin(id: id, operation.originOfUser))
            }
        }
        try locked.transaction.record(records)
    }

    /// Records what git has checked out, for the next command to compare.
    ///
    /// At the end of the first command in a repository, all pending changes count as the user's.
    func recordHead() throws {
        guard let survey = locked.survey,
            let head = survey.recordedHead(locked.tracked, locked.configuration), head != locked.tracked.head
        else { return }
        // If git failed, nothing is known about the files except that HEAD has moved.
        guard !survey.isUnanswered else { return }
        var records: [JournalRecord] = []
        if locked.tracked.head == nil {
            records = locked.snapshot.pendingOperations().sorted { $0.id < $1.id }.map {
                .origin(id: $0.id, $0.originOfUser)
            }
        }
        try locked.transaction.record(records + [.head(head)])
    }
}

extension PendingOperation {
    /// The origin of a file that the user wrote or removed.
    fileprivate var originOfUser: FileOrigin {
        local.map { .command(ContentMark(of: $0.bytes)) } ?? .removedByCommand
    }
}

extension TodoState {
    /// The origin of a file that git removed, with the version that git might bring back.
    fileprivate var originOfRemoved: FileOrigin {
        switch origin {
        case .removedByGit(let version): .removedByGit(was: version)
        case .version(let version): .removedByGit(was: version)
        case nil, .command, .removedByCommand, .removedByCommit, .notKept:
            .removedByGit(was: base?.todo?.bytes)
        }
    }
}
