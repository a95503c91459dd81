internal import TodoModel
internal import WorkingCopy

/// The todos whose files git rolled back to older versions.
struct OlderFiles {
    let snapshot: Snapshot

    /// Returns the newest version of a todo whose file git rolled back to an older one; nil for any other
    /// todo.
    func newest(of id: TodoID) -> RemoteTodo? {
        switch snapshot.standings[id] {
        case .held(let held) where held.reason == .olderVersion: break
        case nil, .edit, .editOf, .held, .forwarded: return nil
        }
        guard let recorded = snapshot.tracked.todos[id], recorded.sent == nil else { return nil }
        return recorded.newest?.todo
    }

    /// Returns whether a todo's file is an older version, or an edit of one.
    func contains(_ id: TodoID) -> Bool {
        if snapshot.standings[id]?.isOfOlderVersion == true { return snapshot.tracked.todos[id]?.sent == nil }
        return newest(of: id) != nil
    }

    /// Returns where a todo's file belongs if git also rolled back its path; nil if it can stay.
    func restoredPath(of id: TodoID) -> PathPlan.AssignedPath? {
        guard let path = snapshot.folder.todos.path(of: id), let wished = newest(of: id)?.path,
            snapshot.tracked.todos[id]?.isRenamed(path) == true
        else { return nil }
        return snapshot.freePath(id, wished)
    }
}

extension Snapshot {
    var older: OlderFiles { OlderFiles(snapshot: self) }
}
