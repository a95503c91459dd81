internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Run {
    /// Brings in what is new on the remote.
    func pull(_ connection: Connection, _ options: BringInOptions) async throws {
        var news = try await self.news(of: connection)
        for (id, todo) in state.todos.loaded {
            if let held = todo.held, todo.sent == nil, news.changes[id] == nil { news.changes[id] = held }
        }
        report.unusableRecords += news.unusable
        for (id, remote) in news.changes where state.todos[id]?.sent != nil {
            // It may be what was sent itself; the answer, which the next command asks for again, will tell.
            try transaction.record([.held(id: id, remote)])
            news.changes[id] = nil
        }
        var options = options
        options.knowsAll = true
        try bringIn(news.changes, options)
        if let cursor = news.cursor, cursor != state.cursor {
            try remember(connection)
            try transaction.record([.cursor(cursor)])
        }
    }

    /// What a remote has that this working directory does not know yet.
    struct News {
        var changes: [TodoID: RemoteState] = [:]
        var unusable: [UnusableRecord] = []
        var cursor: Cursor?
    }

    /// Reads the remote's changes since the last pull.
    ///
    /// Nothing is changed by it.
    func news(of connection: Connection) async throws -> News {
        var news = News(cursor: state.cursor)
        var isLast = false
        while !isLast {
            let page = try await changes(of: connection, after: news.cursor)
            for record in page.records { take(record, into: &news) }
            if !page.isLast, page.next == news.cursor {
                throw RemoteError.unavailable("its list of changes does not end")
            }
            news.cursor = page.next
            isLast = page.isLast
        }
        refuseOtherCase(in: &news)
        return news
    }

    /// Leaves out new records whose ids differ only in case from those of other todos: they can't live
    /// together, and the one would be taken for a copy of the other.
    private func refuseOtherCase(in news: inout News) {
        let added = news.changes.filter { $0.value.todo != nil && state.todos[$0.key] == nil }.keys.sorted()
        guard !added.isEmpty else { return }
        var holders: [String: TodoID] = [:]
        for id in inventory.todos.loaded.keys { holders[id.folded] = id }
        for id in state.todos.idsOfPlaced where holders[id.folded] == nil {
            // Who leaves with the same news makes room.
            if case .deleted? = news.changes[id] { continue }
            holders[id.folded] = id
        }
        for id in added {
            guard let holder = holders[id.folded], holder != id else {
                holders[id.folded] = id
                continue
            }
            news.changes[id] = nil
            news.unusable.append(
                UnusableRecord(id: id.string, reason: "its id differs only in case from \(holder)"))
        }
    }

    private func changes(of connection: Connection, after cursor: Cursor?) async throws -> ChangePage {
        do {
            return try await connection.remote.changes(after: cursor)
        } catch RemoteError.otherHistory {
            throw EngineError.otherHistory(url: connection.url)
        }
    }

    private func take(_ record: RemoteRecord, into news: inout News) {
        let id = TodoID(record.id)
        let known = id.flatMap { state.todos[$0] }
        if known?.knows(record.version) == true {
            if let id { news.changes[id] = nil }
            return
        }
        let hasFile = id.map(inventory.todos.contains) ?? false
        if record.isDeleted, known == nil, !hasFile {
            if let id { news.changes[id] = nil }
            return
        }
        switch materialize(record, base: known?.base, local: id.flatMap { inventory.todos[$0]?.todo }) {
        case .usable(let id, let remote): news.changes[id] = remote
        case .unusable(let unusable): news.unusable.append(unusable)
        }
    }
}

extension TodoState {
    /// Whether a version is the newest of the remote's that is known here.
    func knows(_ version: Version) -> Bool {
        held?.version == version || held == nil && (conflict?.remote.version ?? base?.version) == version
    }
}
