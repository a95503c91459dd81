internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Run {
    /// Brings in what is new on the remote, a batch at a time, while the next one is read.
    func pull(_ connection: Connection, _ options: BringInOptions) async throws {
        var batch = try await firstNews(of: connection)
        while !batch.isLast {
            let current = batch
            try surroundings.checkGoesOn()
            async let following = RecordBatch.read(from: connection, following: current)
            // Not before the last batch, as the command's end makes a cache of all.
            leaveToJournal()
            try await bringIn(current, connection, options)
            batch = try await following
        }
        try await bringInLast(batch, connection, options)
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
        _ batch: RecordBatch, _ connection: Connection, _ options: BringInOptions
    ) async throws {
        var changes: [TodoID: RemoteState] = [:]
        take(batch, into: &changes)
        try holdUnanswered(&changes)
        try holdUnsettled(&changes)
        try await bringIn(changes, options)
        try doubtUncompared(batch)
        guard let next = batch.next else { return }
        try remember(connection)
        try transaction.record([.cursor(next, isMidway: true)])
    }

    /// Brings in the last batch and what was held of others.
    private func bringInLast(
        _ batch: RecordBatch, _ connection: Connection, _ options: BringInOptions
    ) async throws {
        var changes: [TodoID: RemoteState] = [:]
        take(batch, into: &changes)
        for (id, todo) in state.todos.loaded {
            if let held = todo.held, todo.sent == nil, changes[id] == nil { changes[id] = held }
        }
        try holdUnanswered(&changes)
        refuseOtherCase(in: &changes)
        var options = options
        options.knowsAll = true
        try await bringIn(changes, options)
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
        let inventory = inventory
        var added = AddedTodos(besides: inventory, state)
        for id in changes.keys.sorted() {
            guard let remote = changes[id], !comesOutTheSame(id, remote, inventory, besides: &added)
            else { continue }
            try hold(id, remote, nil)
            changes[id] = nil
        }
    }

    /// Whether a change can be brought in before all of the remote's changes are known.
    ///
    /// That is so of a new text in its place and of a new todo whose path is free. Deletes are counted by the
    /// guard all together, and who has a path that is wanted may be about to leave it.
    private func comesOutTheSame(
        _ id: TodoID, _ remote: RemoteState, _ inventory: Inventory, besides added: inout AddedTodos
    ) -> Bool {
        guard let todo = remote.todo else { return false }
        if let path = inventory.todos.path(of: id) { return wishedPath(path, state.todos[id], remote) == nil }
        guard state.todos[id] == nil, !inventory.hasFile(of: id) else { return false }
        let path = todo.path ?? Run.path(forTextOf: todo.bytes)
        return isUsable(path) && !inventory.hasFile(at: path) && added.take(id, path)
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

/// The new todos that are brought in before all of the remote's changes are known.
private struct AddedTodos {
    private var paths: Set<ByteKey> = []
    /// Ids of other todos that are not in lower case, in lower case.
    private let foldedIDs: Set<TodoID>

    init(besides inventory: Inventory, _ state: State) {
        let others = inventory.todos.loaded.keys.filter { !$0.isFolded } + state.todos.unfoldedIDs
        foldedIDs = Set(others.map(\.folded))
    }

    /// Adds a todo, unless another one wants its path, or its id may differ only in case from another one's.
    mutating func take(_ id: TodoID, _ path: String) -> Bool {
        id.isFolded && !foldedIDs.contains(id) && paths.insert(ByteKey(path)).inserted
    }
}

extension TodoState {
    /// Whether a version is the newest of the remote's that is known here.
    func knows(_ version: Version) -> Bool {
        held?.version == version || held == nil && (conflict?.remote.version ?? base?.version) == version
    }
}
