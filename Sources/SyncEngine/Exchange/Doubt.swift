internal import TodoModel
internal import WorkingCopy

extension Snapshot {
    /// Returns the todos whose base versions might be older than their files.
    ///
    /// An older base version could hide an edit. This can only happen while the journal's expected length
    /// isn't known, or for versions that couldn't be compared then. A base version that equals the remote's
    /// version is certainly right.
    ///
    /// - Parameter isProven: See ``Transaction/isProven``.
    func doubtful(_ changes: [TodoID: RemoteState], isProven: Bool) -> [TodoID] {
        guard !isProven || !tracked.doubted.isEmpty else { return [] }
        return changes.filter { id, remote in
            guard let recorded = tracked.todos[id], let base = recorded.base, recorded.conflict == nil else {
                return false
            }
            let isDoubted = base.version.map {
                tracked.doubted.contains(DoubtedVersion(id: id, version: $0))
            }
            guard !isProven || isDoubted == true else { return false }
            return base.version != remote.version && folder.hasFile(of: id)
        }.keys.sorted()
    }
}

extension Surroundings {
    func warnOfDoubt() {
        notice(
            ".todosync/journal.length was missing or damaged, so the journal might be an older copy; "
                + "todosync compares the remote's changes with the files by id")
    }
}

extension Exchange {
    /// Forgets doubtful base versions.
    ///
    /// If the remote has a different version, the file and the record are then compared by id. A local delete
    /// still conflicts with a remote edit.
    func forgetDoubtful(_ changes: [TodoID: RemoteState]) throws {
        let doubtful = locked.snapshot.doubtful(changes, isProven: locked.transaction.isProven)
        guard !doubtful.isEmpty else { return }
        try locked.transaction.record([.distrusted(doubtful)])
        locked.surroundings.warnOfDoubt()
        try locked.rescan()
    }

    /// Records the base versions that couldn't be compared with the remote's versions.
    ///
    /// They stay doubted until they can be compared, because the remote reports each change only once.
    ///
    /// - Parameter batch: The remote's changes that were read.
    func doubtUncompared(_ batch: RecordBatch) throws {
        guard !locked.transaction.isProven || !locked.tracked.doubted.isEmpty else { return }
        var doubted = locked.tracked.doubted.filter {
            locked.tracked.todos[$0.id]?.basesToBe.contains($0.version) ?? false
        }
        if !locked.transaction.isProven {
            var news: [(TodoID, Version?)] = batch.records.compactMap { record in
                record.id.map { ($0, record.version) }
            }
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
    /// The todo's base version, and the base version that the resolution of its conflict will set.
    fileprivate var basesToBe: [Version] { [base?.version, conflict?.remote.version].compactMap(\.self) }
}
