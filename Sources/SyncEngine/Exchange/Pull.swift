internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Exchange {
    /// Applies the remote's changes in batches, and reads each batch while the previous one is applied.
    func pull(_ connection: Connection) async throws {
        var batch = try await connection.firstNews(after: locked.tracked.cursor)
        var done = 0
        let total = batch.total
        var releases = Releases()
        while !batch.isLast {
            let current = batch
            try locked.surroundings.checkGoesOn()
            async let following = RecordBatch.read(from: connection, following: current)
            // The last batch isn't released: the end of the command writes all todos to the cache.
            leaveToJournal(&releases)
            try await pull(current, connection)
            done += current.records.count
            locked.surroundings.progress?(Progress(.pulling, .todos, done: done, total: total))
            batch = try await following
        }
        try await pullLast(batch, connection)
    }

    /// Releases the states of applied todos, so that a pull of any length needs little memory.
    private func leaveToJournal(_ releases: inout Releases) {
        let unchanged = locked.folder.todos.unchanged
        guard releases.isDue(loaded: locked.folder.todos.loaded.count, released: unchanged.count),
            let all = locked.transaction.leaveToJournal(locked.folder.stampedFile, unchanged)
        else { return }
        locked.folder.leave(to: all)
        releases.end(loaded: locked.folder.todos.loaded.count)
    }

    /// Applies the changes of a batch that don't depend on the remote's other changes, and holds the others.
    private func pull(_ batch: RecordBatch, _ connection: Connection) async throws {
        var changes = take(batch).changes
        try holdUnanswered(&changes)
        try holdPremature(&changes)
        try await applyChanges(changes)
        try doubtUncompared(batch)
        guard let next = batch.next else { return }
        try remember(connection)
        try locked.transaction.record([.cursor(next, isMidway: true)])
    }

    /// Applies the last batch and the changes that earlier batches held.
    private func pullLast(_ batch: RecordBatch, _ connection: Connection) async throws {
        var incoming = take(batch)
        for (id, todo) in locked.tracked.todos.loaded where incoming.changes[id] == nil {
            incoming.changes[id] = locked.folder.recordedChange(of: id, todo)
        }
        try holdUnanswered(&incoming.changes)
        round.report.unusableRecords += incoming.refuseOtherCase(at: locked.snapshot)
        try await applyChanges(incoming.changes, coversAll: true)
        try doubtUncompared(batch)
        // A cursor behind no change isn't worth a record: some remotes always have another one.
        let isNew =
            batch.next != locked.tracked.cursor
            && (!batch.records.isEmpty || locked.tracked.cursor == nil)
        if let next = batch.next, isNew || locked.tracked.isCursorMidway {
            try remember(connection)
            try locked.transaction.record([.cursor(next)])
        }
    }

    /// Holds changes to todos with an unanswered operation, because a change might be that operation itself.
    ///
    /// The next command asks for the answer again, and then decides.
    private func holdUnanswered(_ changes: inout [TodoID: RemoteState]) throws {
        for (id, remote) in changes where locked.tracked.todos[id]?.sent != nil {
            try locked.transaction.record([.held(id: id, remote)])
            changes[id] = nil
        }
    }

    /// Holds changes that can't be applied before all of the remote's changes are known.
    private func holdPremature(_ changes: inout [TodoID: RemoteState]) throws {
        let waiting = locked.snapshot.changesToWait(changes)
        for todo in waiting { changes[todo.id] = nil }
        try hold(waiting)
    }

    /// Returns the changes of a batch that aren't recorded yet.
    private func take(_ batch: RecordBatch) -> IncomingChanges {
        let incoming = IncomingChanges(batch, at: locked.snapshot)
        round.report.unusableRecords += incoming.unusable
        locked.checkedTexts = incoming.texts
        return incoming
    }
}

/// Decides when a pull releases the states of applied todos.
///
/// Each release goes through all todos, so it happens less often the more todos there are.
struct Releases {
    /// The smallest number of loaded todos that is worth releasing.
    static let least = 8000
    /// The number of loaded todos after the last release.
    private var remaining = 0

    /// Returns whether to release todos now.
    ///
    /// - Parameter released: The number of todos that were released before.
    func isDue(loaded: Int, released: Int) -> Bool {
        // Todos with unexpected values are never released, and mustn't be tried again with each batch.
        loaded >= max(Self.least, released / 4, 2 * remaining)
    }

    /// Records the end of a release.
    mutating func end(loaded: Int) { remaining = loaded }
}

extension Connection {
    /// Returns the first batch of the remote's changes after a cursor.
    func firstNews(after cursor: Cursor?) async throws -> RecordBatch {
        if let news, news.after == cursor { return try news.batch.get() }
        return try await RecordBatch.read(from: self, after: cursor)
    }
}

extension Snapshot {
    /// Returns the changes that can't be applied before all of the remote's changes are known.
    ///
    /// The other changes are new texts of todos at their recorded paths, and new todos whose paths are free.
    /// The guard counts all deletes together, and a todo at a wanted path might be about to move.
    fileprivate func changesToWait(_ changes: [TodoID: RemoteState]) -> [Plan.Waiting] {
        let unfolded = folder.todos.loaded.keys.filter { !$0.isFolded } + tracked.todos.unfoldedIDs
        let unfoldedIDs = Set(unfolded.map(\.folded))
        var paths: Set<ByteKey> = []
        return changes.keys.sorted().compactMap { id in
            guard let remote = changes[id] else { return nil }
            let isReady: Bool
            if remote.todo == nil {
                isReady = false
            } else if folder.todos.contains(id) {
                isReady = wishedPath(of: id, remote) == nil
            } else if tracked.todos[id] == nil, !folder.hasFile(of: id),
                let path = wishedPath(of: id, remote), isUsable(path), !folder.hasFile(at: path)
            {
                // Ids that differ only in case can't coexist.
                isReady =
                    id.isFolded && !unfoldedIDs.contains(id) && paths.insert(ByteKey(path)).inserted
            } else {
                isReady = false
            }
            return isReady ? nil : Plan.Waiting(id: id, remote: remote)
        }
    }
}
