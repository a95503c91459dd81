internal import TodoModel
internal import WorkingCopy

extension Run {
    /// Forgets base versions that may be older than their files: by an older one an edit could look like
    /// none.
    ///
    /// That is only where nothing tells how long the journal should be, or nothing did when they could not be
    /// compared. A base version that has the version of the remote's record is right all the same. Where the
    /// remote has another one, file and record are compared by id. What was deleted here is still in conflict
    /// with an edit there.
    func forgetDoubtful(_ changes: [TodoID: RemoteState]) throws {
        guard !transaction.isProven || !state.doubted.isEmpty else { return }
        let doubtful = changes.filter { id, remote in
            guard let known = state.todos[id], let base = known.base, known.conflict == nil else {
                return false
            }
            guard
                !transaction.isProven
                    || state.doubted.contains(DoubtedVersion(id: id, version: base.version))
            else { return false }
            return base.version != remote.version && inventory.hasFile(of: id)
        }.keys.sorted()
        guard !doubtful.isEmpty else { return }
        try transaction.record([.distrusted(doubtful)])
        surroundings.notice(
            ".todosync/journal.length was missing or damaged, so the journal may be an older one; "
                + "todosync compares the remote's changes with the files by id")
        try lookAgain()
    }

    /// Takes note of base versions that could not be compared with what the remote has instead, so that they
    /// are doubted until they are: the remote tells each change once.
    ///
    /// - Parameter batch: what the remote has new, as far as it was brought in.
    func doubtUncompared(_ batch: RecordBatch) throws {
        guard !transaction.isProven || !state.doubted.isEmpty else { return }
        var doubted = state.doubted.filter { state.todos[$0.id]?.basesToBe.contains($0.version) ?? false }
        if !transaction.isProven {
            var news = batch.records.compactMap { record in record.id.map { ($0, record.version) } }
            if batch.isLast {
                news += state.todos.loaded.compactMap { id, todo in todo.held.map { (id, $0.version) } }
            }
            for (id, version) in news {
                for base in state.todos[id]?.basesToBe ?? [] where base != version {
                    doubted.insert(DoubtedVersion(id: id, version: base))
                }
            }
        }
        if doubted != state.doubted { try transaction.record([.doubted(doubted)]) }
    }
}

extension TodoState {
    /// The version of the todo's base version, and of what will be it once the todo's conflict is resolved.
    fileprivate var basesToBe: [Version] { [base?.version, conflict?.remote.version].compactMap(\.self) }
}
