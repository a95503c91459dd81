internal import Git
internal import TodoModel
internal import WorkingCopy

// What git did to the folder, and what is recorded about it.

extension LockedWorkspace {
    /// Determines what the changed and absent files count as.
    func judge() throws {
        // What the user decided in this command stays decided.
        let forwarded = standings.filter { $0.value == .forwarded }
        var judged = snapshot
        try GitJudge.judge(&judged, by: survey)
        (folder, takenBack) = (judged.folder, judged.takenBack)
        (indexed, hasHeadMoved) = (judged.indexed, judged.hasHeadMoved)
        standings = judged.standings.merging(forwarded) { $1 }
    }
}

/// Records where todos' files come from, and what git has checked out.
struct Origins {
    let locked: LockedWorkspace

    /// Records where the files come from, so that an edit of an older version counts as such later, too.
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
            // On the home branch, only a commit that stops tracking ignored files leaves todos absent.
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
        try locked.transaction.record(records)
    }

    /// Whether a todo's recorded origin no longer says anything about its file.
    private func isOriginStale(_ id: TodoID) -> Bool {
        guard let operation = locked.snapshot.pendingOperation(id) else {
            // The file is the newest version again, unless it can't be seen or read.
            return locked.folder.todos.contains(id) || locked.tracked.todos[id]?.base?.todo == nil
        }
        // An edit of what a command wrote is the user's, too; the record ends when the edit is sent.
        if case .command? = locked.tracked.todos[id]?.origin, operation.local != nil { return false }
        return !operation.isByCommand(locked.snapshot)
    }

    /// Treats some todos' files, as they are, as the user's edits and deletes.
    func trust(_ ids: some Sequence<TodoID>) throws {
        var records: [JournalRecord] = []
        for id in ids {
            locked.standings[id] = nil
            // Outside a repository, only what git did before is recorded.
            guard locked.survey != nil || locked.tracked.todos[id]?.origin != nil,
                let operation = locked.snapshot.pendingOperation(id)
            else { continue }
            if !operation.isByCommand(locked.snapshot) {
                records.append(.origin(id: id, operation.originOfUser))
            }
        }
        try locked.transaction.record(records)
    }

    /// Records what is checked out, for the next command to compare.
    ///
    /// When the first command in a repository ends, everything that is pending counts as the user's.
    func recordHead() throws {
        guard let survey = locked.survey,
            let head = survey.recordedHead(locked.tracked, locked.configuration), head != locked.tracked.head
        else { return }
        if locked.hasLookedAtSomeOnly {
            // What a file counts as can depend on the head that is still recorded.
            try locked.rescan()
            try record()
        }
        // If git couldn't be asked, nothing is known about the files except that HEAD has moved.
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
    /// The origin that marks a file, or its absence, as the user's.
    fileprivate var originOfUser: FileOrigin {
        local.map { .command(ContentMark(of: $0.bytes)) } ?? .removedByCommand
    }
}

extension TodoState {
    /// The origin that marks a file as removed by git, with the version that it may bring back.
    fileprivate var originOfRemoved: FileOrigin {
        switch origin {
        case .removedByGit(let version): .removedByGit(was: version)
        case .version(let version): .removedByGit(was: version)
        case nil, .command, .removedByCommand, .notKept: .removedByGit(was: base?.todo?.bytes)
        }
    }
}
