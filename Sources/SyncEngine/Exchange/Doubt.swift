internal import TodoModel
internal import WorkingCopy

extension Snapshot {
    /// Returns the todos whose base versions may be older than their files: by an older one an edit could
    /// look like none.
    ///
    /// That is only where nothing tells how long the journal should be, or nothing did when they could not be
    /// compared. A base version that has the version of the remote's record is right all the same.
    ///
    /// - Parameter isProven: see ``Transaction/isProven``.
    func doubtful(_ changes: [TodoID: RemoteState], isProven: Bool) -> [TodoID] {
        guard !isProven || !tracked.doubted.isEmpty else { return [] }
        return changes.filter { id, remote in
            guard let known = tracked.todos[id], let base = known.base, known.conflict == nil else {
                return false
            }
            let isDoubted = tracked.doubted.contains(DoubtedVersion(id: id, version: base.version))
            guard !isProven || isDoubted else { return false }
            return base.version != remote.version && folder.hasFile(of: id)
        }.keys.sorted()
    }
}

extension Surroundings {
    func tellDoubt() {
        notice(
            ".todosync/journal.length was missing or damaged, so the journal may be an older one; "
                + "todosync compares the remote's changes with the files by id")
    }
}

extension Exchange {
    /// Forgets doubtful base versions.
    ///
    /// Where the remote has another one, file and record are compared by id. What was deleted here is still
    /// in conflict with an edit there.
    func forgetDoubtful(_ changes: [TodoID: RemoteState]) throws {
        let doubtful = locked.snapshot.doubtful(changes, isProven: locked.transaction.isProven)
        guard !doubtful.isEmpty else { return }
        try locked.transaction.record([.distrusted(doubtful)])
        locked.surroundings.tellDoubt()
        try locked.lookAgain()
    }

    /// Takes note of base versions that could not be compared with what the remote has instead, so that they
    /// are doubted until they are: the remote tells each change once.
    ///
    /// - Parameter batch: what the remote has new, as far as it was brought in.
    func doubtUncompared(_ batch: RecordBatch) throws {
        guard !locked.transaction.isProven || !locked.tracked.doubted.isEmpty else { return }
        var doubted = locked.tracked.doubted.filter {
            locked.tracked.todos[$0.id]?.basesToBe.contains($0.version) ?? false
        }
        if !locked.transaction.isProven {
            var news = batch.records.compactMap { record in record.id.map { ($0, record.version) } }
            if batch.isLast {
                news += locked.tracked.todos.loaded.compactMap { id, todo in
                    todo.held.map { (id, $0.version) }
                }
            }
            for (id, version) in news {
                for base in locked.tracked.todos[id]?.basesToBe ?? [] where base != version {
                    doubted.insert(DoubtedVersion(id: id, version: base))
                }
            }
        }
        if doubted != locked.tracked.doubted { try locked.transaction.record([.doubted(doubted)]) }
    }
}

extension TodoState {
    /// The version of the todo's base version, and of what will be it once the todo's conflict is resolved.
    fileprivate var basesToBe: [Version] { [base?.version, conflict?.remote.version].compactMap(\.self) }
}
