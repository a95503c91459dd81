internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The remote's changes that aren't recorded in the journal yet.
struct IncomingChanges {
    var changes: [TodoID: RemoteState] = [:]
    /// The records that can't become todos.
    private(set) var unusable: [UnusableRecord] = []
    /// The checked texts of the records.
    private(set) var texts: [TodoID: CheckedText] = [:]

    /// Reads the changes of a batch that aren't recorded yet.
    init(_ batch: RecordBatch, at snapshot: Snapshot) {
        texts.reserveCapacity(batch.records.count)
        changes.reserveCapacity(batch.records.count)
        let (tracked, todos) = (snapshot.tracked.todos, snapshot.folder.todos)
        tracked.readAhead(batch.records.compactMap(\.id))
        for record in batch.records {
            let recorded = record.id.flatMap { tracked[$0] }
            let isTombstoneOfNothing =
                record.isDeleted && recorded == nil && !(record.id.map(todos.contains) ?? false)
            if recorded?.hasSeen(record.version) == true || isTombstoneOfNothing {
                if let id = record.id { changes[id] = nil }
                continue
            }
            switch record.todo(base: recorded?.base, local: record.id.flatMap { todos[$0]?.todo }) {
            case .usable(let id, let remote, let text):
                changes[id] = remote
                texts[id] = text
            case .unusable(let record): unusable.append(record)
            }
        }
    }

    /// Removes new records whose ids differ only in case from those of other todos.
    ///
    /// Such todos can't coexist, because one would look like a copy of the other.
    ///
    /// - Returns: The removed records.
    mutating func refuseOtherCase(at snapshot: Snapshot) -> [UnusableRecord] {
        let tracked = snapshot.tracked.todos
        let loaded = snapshot.folder.todos.loaded.keys
        // Two lowercase ids can't differ only in case.
        if changes.keys.allSatisfy(\.isFolded), loaded.allSatisfy(\.isFolded), tracked.unfoldedIDs.isEmpty {
            return []
        }
        let added = changes.filter { $0.value.todo != nil && isNew($0.key, snapshot.tracked) }.keys.sorted()
        guard !added.isEmpty else { return [] }
        let wanted = Set(added.map(\.folded))
        var holders: [TodoID: TodoID] = [:]
        for id in loaded {
            let folded = id.folded
            if wanted.contains(folded) { holders[folded] = id }
        }
        for id in added.allSatisfy(\.isFolded) ? tracked.unfoldedIDs : tracked.idsWithPath {
            let folded = id.folded
            guard wanted.contains(folded), holders[folded] == nil else { continue }
            // A todo that the same changes delete doesn't count.
            if case .deleted? = changes[id] { continue }
            holders[folded] = id
        }
        var refused: [UnusableRecord] = []
        for id in added {
            guard let holder = holders[id.folded], holder != id else {
                holders[id.folded] = id
                continue
            }
            changes[id] = nil
            refused.append(
                UnusableRecord(id: id.string, reason: "its id differs only in case from \(holder)"))
        }
        return refused
    }

    /// Returns whether nothing is recorded about a todo, except perhaps a held state of the remote.
    private func isNew(_ id: TodoID, _ tracked: State) -> Bool {
        guard let recorded = tracked.todos[id] else { return true }
        return recorded.base == nil && recorded.localPath == nil && recorded.conflict == nil
            && recorded.sent == nil
    }
}

extension TodoState {
    /// The newest recorded state of the remote, outside of a conflict.
    var newest: RemoteState? { held ?? base }

    /// Returns whether a version is the newest remote version that is recorded.
    func hasSeen(_ version: Version) -> Bool {
        held?.version == version || held == nil && (conflict?.remote.version ?? base?.version) == version
    }
}
