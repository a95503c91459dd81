internal import TodoModel
internal import WorkingCopy

/// The state of a working directory as far as it is known without scanning the folder, for a shell prompt.
///
/// It reads only the files that commands changed. It doesn't see an editor's changes or new files without an
/// id, and it doesn't run git.
package struct Glance: Sendable, Hashable {
    /// The number of pending operations.
    package var pending = 0
    /// Whether more operations might be pending, because not all candidates were read.
    package var hasMore = false
    /// The number of open conflicts.
    package var conflicts = 0
    /// The time of the last successful push, pull or sync.
    package var lastSync: String?

    /// The maximum number of files to read.
    private static let limit = 100

    package init(of workspace: Workspace) throws {
        let directory = workspace.directory
        lastSync = LastSync.read(in: directory)
        let state = try directory.state()
        var candidates: [TodoState] = []
        for id in state.todos.idsOfPossiblyChanged.sorted() {
            if state.todos.loaded[id]?.conflict != nil {
                conflicts += 1
            } else if candidates.count == Self.limit {
                hasMore = true
            } else if let todo = state.todos[id] {
                candidates.append(todo)
            }
        }
        try state.todos.check()
        let files = try lookAtFiles(
            candidates.map { $0.place ?? "" }, root: directory.root, fileSystem: directory.fileSystem)
        pending = zip(candidates, files).count { $0.isPending($1) }
    }
}

extension TodoState {
    /// Returns whether the file at the recorded path makes the todo pending; nil stands for a missing file.
    fileprivate func isPending(_ file: FoundFile?) -> Bool {
        guard let base = base?.todo, let place else { return base?.todo != nil || file != nil }
        guard let file, case .read(let bytes) = file.content else { return true }
        return bytes != base.bytes || isRenamed(place)
    }
}
