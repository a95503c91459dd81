internal import Git
internal import TodoModel
internal import WorkingCopy

// What git did to the folder, and what is recorded of it.

extension LockedWorkspace {
    /// Determines what the changed and absent files count as.
    func judge() throws {
        guard let survey else { return }
        // What the user decided in this command stays decided.
        let forwarded = standings.filter { $0.value == .forwarded }
        var judged = snapshot
        try survey.judge(&judged)
        (indexed, hasHeadMoved) = (judged.indexed, judged.hasHeadMoved)
        standings = judged.standings.merging(forwarded) { $1 }
    }

    /// Records where the files come from, so that an edit of an older version counts as such later, too.
    func recordOrigins() throws {
        guard survey != nil, tracked.head != nil else { return }
        var records: [JournalRecord] = []
        for (id, standing) in standings.sorted(by: { $0.key < $1.key }) {
            let origin: FileOrigin?
            switch standing {
            case .editOf(let version): origin = .version(version)
            case .behind, .held(.olderVersion), .held(.deleted):
                origin = folder.todos[id].map { .version($0.bytesWithID) }
            case .absent, .held(.removed): origin = .removedByGit
            case .edit, .goesBack, .held(.unanswered), .forwarded: continue
            }
            if origin != tracked.todos[id]?.origin { records.append(.origin(id: id, origin)) }
        }
        for (id, todo) in tracked.todos.loaded
        where todo.origin != nil && standings[id] == nil && todo.conflict == nil {
            if snapshot.isOriginStale(id) { records.append(.origin(id: id, nil)) }
        }
        try transaction.record(records)
    }

    /// Takes some todos' files as the user's edits and deletes, as they are.
    func trust(_ ids: some Sequence<TodoID>) throws {
        guard survey != nil else { return }
        var records: [JournalRecord] = []
        for id in ids {
            standings[id] = nil
            guard let operation = snapshot.pendingOperation(id) else { continue }
            if !operation.isByCommand(snapshot) { records.append(.origin(id: id, operation.originOfUser)) }
        }
        try transaction.record(records)
    }

    /// Records what is checked out, for the next command to compare.
    ///
    /// When the first command in a repository ends, everything that is pending counts as the user's.
    func recordHead() throws {
        guard let survey, let head = survey.recordedHead(tracked, configuration), head != tracked.head
        else { return }
        var records: [JournalRecord] = []
        if tracked.head == nil {
            if hasLookedAtSomeOnly { try lookAgain() }
            records = snapshot.pendingOperations().sorted { $0.id < $1.id }.map {
                .origin(id: $0.id, $0.originOfUser)
            }
        }
        try transaction.record(records + [.head(head)])
    }
}

extension PendingOperation {
    /// The origin that marks a file, or its absence, as the user's.
    fileprivate var originOfUser: FileOrigin {
        local.map { .command(ContentMark(of: $0.bytes)) } ?? .removedByCommand
    }
}

extension Snapshot {
    /// Whether a todo's recorded origin no longer says anything about its file.
    fileprivate func isOriginStale(_ id: TodoID) -> Bool {
        guard let operation = pendingOperation(id) else {
            // The file is the newest version again, unless it can't be seen or read.
            return folder.todos.contains(id) || tracked.todos[id]?.base?.todo == nil
        }
        return !operation.isByCommand(self)
    }
}
