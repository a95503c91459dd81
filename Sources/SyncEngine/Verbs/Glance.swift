internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The state of a working directory as far as it is known without scanning the folder, for a shell prompt.
///
/// It reads only the files that commands changed. It doesn't see an editor's changes or new files without an
/// id. If one of these files is missing, is one that a scan skips, or isn't an ordinary todo, the folder is
/// scanned as for a status.
package struct Glance: Sendable, Hashable {
    /// The number of pending operations.
    package var pending = 0
    /// Whether more operations might be pending, because not all candidates were read.
    package var hasMore = false
    /// The number of open conflicts.
    package var conflicts = 0
    /// The number of todos that can't be synced until the user has done something.
    package var waiting = 0
    /// The time of the last successful push, pull or sync.
    package var lastSync: String?

    /// The maximum number of files to read.
    private static let limit = 100

    package init(of workspace: Workspace) throws {
        let directory = workspace.directory
        lastSync = LastSync.read(in: directory)
        let state = try directory.state()
        var candidates: [TodoID: TodoState] = [:]
        for id in state.todos.idsOfPossiblyChanged.sorted() {
            if state.todos.loaded[id]?.conflict != nil {
                conflicts += 1
            } else if candidates.count == Self.limit {
                hasMore = true
            } else {
                candidates[id] = state.todos[id]
            }
        }
        try state.todos.check()
        let ids = candidates.keys.sorted()
        let found = try? scan(
            at: ids.compactMap { candidates[$0]?.localPath }, root: directory.root,
            include: (try? directory.configuration())?.include ?? [], fileSystem: directory.fileSystem)
        let files = Dictionary((found ?? []).map { (ByteKey($0.path), $0) }) { first, _ in first }
        let isOrdinary = state.todos.loaded.values.allSatisfy { $0.held == nil && $0.unfinished == nil }
        let arePending = ids.map { candidates[$0]?.isPending($0, files) }
        if isOrdinary, !arePending.contains(nil) {
            pending = arePending.count { $0 == true }
        } else {
            try look(at: Snapshot(of: workspace), directory)
        }
    }

    private mutating func look(at snapshot: Snapshot, _ directory: WorkingDirectory) throws {
        conflicts = 0
        pending = snapshot.folder.newTodos.count
        for condition in snapshot.conditions().values {
            if condition.isConflicted { conflicts += 1 } else if condition.isPending { pending += 1 }
        }
        waiting = try WaitingTodos(in: snapshot, directory).all(delayed: true).count
        hasMore = false
    }
}

extension TodoState {
    /// Returns whether the file at the recorded path makes the todo pending; nil if only a scan shows it.
    fileprivate func isPending(_ id: TodoID, _ files: [ByteKey: FoundFile]) -> Bool? {
        guard let localPath, case .read(let bytes)? = files[ByteKey(localPath)]?.content else { return nil }
        if let base = base?.todo, isSameText(bytes, base.bytes) { return isRenamed(localPath) }
        guard case .todo(let todo) = ParsedFile(bytes, isRecorded: true), todo.id == id else { return nil }
        return true
    }
}
