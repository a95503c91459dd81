internal import Git
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Finds the working directory in the main worktree that corresponds to a folder in a linked worktree;
    /// nil if there isn't one or the folder isn't in a linked worktree.
    package static func inMainWorktree(of folder: String, _ surroundings: Surroundings) -> Workspace? {
        guard let repository = Repository(containing: folder), repository.isLinked,
            let top = repository.mainTop
        else { return nil }
        let root = top + "/" + repository.prefix
        let directory = WorkingDirectory(root: root.hasSuffix("/") ? String(root.dropLast()) : root)
        guard (try? directory.configuration())?.remote != nil else { return nil }
        return Workspace(directory: directory, surroundings: surroundings)
    }

    /// Turns a folder in a linked worktree into a working directory with the main worktree's state: its
    /// remote, its home branch, and the versions of its todos.
    ///
    /// The main worktree's pending changes and operation log aren't taken over.
    package static func create(
        at folder: String, takingOver main: Workspace, _ surroundings: Surroundings
    ) throws -> Workspace {
        let workspace = Workspace(directory: WorkingDirectory(root: folder), surroundings: surroundings)
        let (configuration, state, past) = try main.translatingErrors {
            try main.directory.remembered(timeout: surroundings.lockTimeout)
        }
        let confirmed = state.todos.all.filter { $0.value.base != nil }.sorted { $0.key < $1.key }
        let paths = confirmed.map { $0.value.lastLocalPath ?? $0.value.base?.todo?.path ?? "" }
        let files = try lookAtFiles(paths, root: folder)
        var records: [JournalRecord] = []
        for (index, (id, todo)) in confirmed.enumerated() {
            var taken = TodoState()
            taken.base = todo.base
            if todo.base?.todo != nil {
                // This worktree's branch might not have all todos, so a missing file isn't a delete.
                if files[index] == nil {
                    taken.formerLocalPath = paths[index]
                    taken.origin =
                        todo.isNotKept
                        ? .notKept
                        : .held(
                            HeldFile(
                                reason: .removedByGit, mark: nil, home: state.head?.branch,
                                version: taken.base?.todo.map { ContentMark(ofLines: $0.bytes) }))
                } else {
                    taken.localPath = paths[index]
                }
            }
            records.append(.remembered(id: id, taken))
            if let record = past[id]?.record(of: id) { records.append(record) }
        }
        // The commit that this worktree has checked out might never have been synced, and its whole log of
        // HEAD is newer than the main worktree's last command.
        if var head = state.head {
            (head.branch, head.logLength, head.lastLogLine) = (nil, 0, "")
            records.append(.head(head))
        }
        do {
            try workspace.directory.create(configuration, recording: records)
        } catch WorkingDirectoryError.exists {
            throw EngineError.isWorkingDirectory(folder)
        } catch {
            throw error.below(folder)
        }
        return workspace
    }
}
