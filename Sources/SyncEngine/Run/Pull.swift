internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Run {
    /// Brings in what is new on the remote, a batch at a time, while the next one is read.
    func pull(_ connection: Connection, _ policy: Policy) async throws {
        var batch = try await firstNews(of: connection)
        while !batch.isLast {
            let current = batch
            try surroundings.checkGoesOn()
            async let following = RecordBatch.read(from: connection, following: current)
            // Not before the last batch, as the command's end makes a cache of all.
            leaveToJournal()
            try await bringIn(current, connection, policy)
            batch = try await following
        }
        try await bringInLast(batch, connection, policy)
    }

    /// From how many todos on that are at hand those are let go of that were brought in.
    private static let manyTodos = 8000

    /// Lets go of what was brought in, so that a pull of any length takes little memory.
    ///
    /// The more there is of it the less often, as each time all of it is gone through.
    private func leaveToJournal() {
        let unchanged = inventory.todos.unchanged
        guard inventory.todos.loaded.count >= max(Self.manyTodos, unchanged.count / 4),
            let all = transaction.leaveToJournal(inventory.knownFile, unchanged)
        else { return }
        inventory.leave(to: all)
    }

    /// Returns the first of the remote's changes since the last pull.
    private func firstNews(of connection: Connection) async throws -> RecordBatch {
        if let news = connection.news, news.after == state.cursor { return try news.batch.get() }
        return try await RecordBatch.read(from: connection, after: state.cursor)
    }

    /// Brings in those changes of a batch that come out the same whatever else the remote has, and holds the
    /// others.
    private func bringIn(
        _ batch: RecordBatch, _ connection: Connection, _ policy: Policy
    ) async throws {
        var changes: [TodoID: RemoteState] = [:]
        take(batch, into: &changes)
        try holdUnanswered(&changes)
        try holdUnsettled(&changes)
        try await bringIn(changes, policy)
        try doubtUncompared(batch)
        guard let next = batch.next else { return }
        try remember(connection)
        try transaction.record([.cursor(next, isMidway: true)])
    }

    /// Brings in the last batch and what was held of others.
    private func bringInLast(
        _ batch: RecordBatch, _ connection: Connection, _ policy: Policy
    ) async throws {
        var changes: [TodoID: RemoteState] = [:]
        take(batch, into: &changes)
        for (id, todo) in state.todos.loaded {
            if let held = todo.held, todo.sent == nil, changes[id] == nil { changes[id] = held }
        }
        try holdUnanswered(&changes)
        refuseOtherCase(in: &changes)
        var policy = policy
        policy.knowsAll = true
        try await bringIn(changes, policy)
        try doubtUncompared(batch)
        if let next = batch.next, next != state.cursor || state.isCursorMidway {
            try remember(connection)
            try transaction.record([.cursor(next)])
        }
    }

    /// Holds changes of todos with an operation whose answer is unknown: it may be what was sent itself.
    ///
    /// The answer, which the next command asks for again, will tell.
    private func holdUnanswered(_ changes: inout [TodoID: RemoteState]) throws {
        for (id, remote) in changes where state.todos[id]?.sent != nil {
            try transaction.record([.held(id: id, remote)])
            changes[id] = nil
        }
    }

    /// Holds changes that can't be brought in before all of the remote's changes are known.
    private func holdUnsettled(_ changes: inout [TodoID: RemoteState]) throws {
        let waiting = snapshot.changesToWait(changes)
        for todo in waiting { changes[todo.id] = nil }
        try hold(waiting)
    }

    /// Returns all of the remote's changes since the last pull, as the folder is now.
    ///
    /// Nothing is changed by it.
    func news(of connection: Connection) async throws -> [TodoID: RemoteState] {
        var batch = try await firstNews(of: connection)
        var news: [TodoID: RemoteState] = [:]
        take(batch, into: &news)
        while !batch.isLast {
            batch = try await RecordBatch.read(from: connection, following: batch)
            take(batch, into: &news)
        }
        refuseOtherCase(in: &news)
        return news
    }

    /// Leaves out new records whose ids differ only in case from those of other todos: they can't live
    /// together, and the one would be taken for a copy of the other.
    private func refuseOtherCase(in changes: inout [TodoID: RemoteState]) {
        let added = changes.filter { $0.value.todo != nil && isNew($0.key) }.keys.sorted()
        guard !added.isEmpty else { return }
        let wanted = Set(added.map(\.folded))
        var holders: [TodoID: TodoID] = [:]
        for id in inventory.todos.loaded.keys {
            let folded = id.folded
            if wanted.contains(folded) { holders[folded] = id }
        }
        // Two in lower case are one.
        let others =
            added.allSatisfy(\.isFolded) ? state.todos.unfoldedIDs : state.todos.idsOfPlaced
        for id in others {
            let folded = id.folded
            guard wanted.contains(folded), holders[folded] == nil else { continue }
            // Who leaves with the same news makes room.
            if case .deleted? = changes[id] { continue }
            holders[folded] = id
        }
        for id in added {
            guard let holder = holders[id.folded], holder != id else {
                holders[id.folded] = id
                continue
            }
            changes[id] = nil
            report.unusableRecords.append(
                UnusableRecord(id: id.string, reason: "its id differs only in case from \(holder)"))
        }
    }

    /// Whether nothing is remembered of a todo but what the remote has of it.
    private func isNew(_ id: TodoID) -> Bool {
        guard let known = state.todos[id] else { return true }
        return known.base == nil && known.place == nil && known.conflict == nil && known.sent == nil
    }

    /// Adds what a batch has that is not known here yet to changes.
    private func take(_ batch: RecordBatch, into changes: inout [TodoID: RemoteState]) {
        checkedTexts = [:]
        checkedTexts.reserveCapacity(batch.records.count)
        changes.reserveCapacity(changes.count + batch.records.count)
        state.todos.readAhead(batch.records.compactMap(\.id))
        for record in batch.records {
            let known = record.id.flatMap { state.todos[$0] }
            let isTombstoneOfNothing =
                record.isDeleted && known == nil && !(record.id.map(inventory.todos.contains) ?? false)
            if known?.knows(record.version) == true || isTombstoneOfNothing {
                if let id = record.id { changes[id] = nil }
                continue
            }
            let local = { record.id.flatMap { self.inventory.todos[$0]?.todo } }
            switch record.materialized(base: known?.base, local: local()) {
            case .usable(let id, let remote, let text):
                changes[id] = remote
                checkedTexts[id] = text
            case .unusable(let unusable): report.unusableRecords.append(unusable)
            }
        }
    }
}

extension Snapshot {
    /// Returns the changes that can't be brought in before all of the remote's changes are known.
    ///
    /// The others are new texts in their places, and new todos whose paths are free. Deletes are counted by
    /// the guard all together, and who has a path that is wanted may be about to leave it.
    fileprivate func changesToWait(_ changes: [TodoID: RemoteState]) -> [Plan.Waiting] {
        let unfolded = folder.todos.loaded.keys.filter { !$0.isFolded } + tracked.todos.unfoldedIDs
        let unfoldedIDs = Set(unfolded.map(\.folded))
        var paths: Set<ByteKey> = []
        return changes.sorted { $0.key < $1.key }.compactMap { id, remote in
            let isReady: Bool
            if remote.todo == nil {
                isReady = false
            } else if folder.todos.contains(id) {
                isReady = wishedPath(of: id, remote) == nil
            } else if tracked.todos[id] == nil, !folder.hasFile(of: id),
                let path = wishedPath(of: id, remote), isUsable(path), !folder.hasFile(at: path)
            {
                // Two ids that differ only in case can't live together.
                isReady =
                    id.isFolded && !unfoldedIDs.contains(id) && paths.insert(ByteKey(path)).inserted
            } else {
                isReady = false
            }
            return isReady ? nil : Plan.Waiting(id: id, remote: remote, reason: .silent)
        }
    }
}

extension TodoState {
    /// Whether a version is the newest of the remote's that is known here.
    func knows(_ version: Version) -> Bool {
        held?.version == version || held == nil && (conflict?.remote.version ?? base?.version) == version
    }
}
