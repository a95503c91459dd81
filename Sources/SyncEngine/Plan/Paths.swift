internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Snapshot {
    /// Returns the path that a todo's file should have after both sides' changes; nil if it stays the same,
    /// or if the remote deleted the todo.
    ///
    /// The path merges like a scalar and never conflicts: if both sides changed it, the local path wins.
    func wishedPath(of id: TodoID, _ remote: RemoteState) -> String? {
        guard let remote = remote.todo else { return nil }
        let recorded = tracked.todos[id]
        let basePath = recorded?.base?.todo?.path
        guard let localPath = folder.todos.path(of: id) else {
            if let remotePath = remote.path,
                recorded?.isPathLocalOnly == true || recorded?.isNotKept == true
                    || basePath?.isSameBytes(as: remotePath) != true
            {
                return remotePath
            }
            return recorded?.lastLocalPath ?? remote.path ?? Snapshot.path(forTextOf: remote.bytes)
        }
        // Git rolled the path back, too.
        if let path = remote.path, standings[id]?.isOfGit(localPath, recorded) == true { return path }
        guard let recorded, recorded.base?.todo != nil, let path = remote.path, !recorded.isRenamed(localPath)
        else {
            return nil
        }
        let isUnchanged = basePath?.isSameBytes(as: path) == true
        return isUnchanged && !recorded.isPathLocalOnly ? nil : path
    }

    /// Returns the path of a todo that came without one: the slug of its text.
    static func path(forTextOf bytes: [UInt8]) -> String {
        PathRules.slug(of: (try? Todo(parsing: bytes))?.text ?? "") + ".yaml"
    }

    /// Returns a free path for a todo among all existing files; nil if there isn't one.
    func freePath(_ id: TodoID, _ path: String) -> PathPlan.AssignedPath? {
        let plan = PathPlan([PathPlan.Wish(id: id, path: path)], isUsable: isUsable) { path in
            folder.hasFile(at: path) ? .fixed : nil
        }
        return plan.assignedPaths[id]
    }
}
