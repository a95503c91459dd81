internal import TodoModel
internal import WorkingCopy

/// The todos whose files git took back to older versions.
struct OlderFiles {
    let snapshot: Snapshot

    /// Returns the newest version of a todo whose file git took back to an older one; nil for any other todo.
    func newest(of id: TodoID) -> RemoteTodo? {
        switch snapshot.standings[id] {
        case .behind, .held(.olderVersion): break
        case nil, .edit, .editOf, .goesBack, .absent, .held, .forwarded: return nil
        }
        guard let known = snapshot.tracked.todos[id], known.sent == nil else { return nil }
        return (known.held ?? known.base)?.todo
    }

    func contains(_ id: TodoID) -> Bool { newest(of: id) != nil }

    /// Returns the edit that gives a todo's file the newest text and path; nil if it isn't an older version.
    func edit(of id: TodoID) -> PlannedEdit? {
        guard let newest = newest(of: id), let local = snapshot.folder.todos[id] else { return nil }
        let placement = place(of: id)
        let known = snapshot.tracked.todos[id]
        return PlannedEdit(
            id: id, before: local.fileText,
            after: FileText(path: placement?.path ?? local.path, bytes: newest.bytes),
            isDisplaced: placement?.isDisplaced, remote: known?.held ?? known?.base)
    }

    /// Returns where a todo's file belongs that git also took back to an older path; nil if it can stay.
    func place(of id: TodoID) -> PathPlan.Placement? {
        guard let path = snapshot.folder.todos.path(of: id), let wished = newest(of: id)?.path,
            snapshot.tracked.todos[id]?.isRenamed(path) == true
        else { return nil }
        return snapshot.placeAmongFiles(id, wished)
    }
}

extension Snapshot {
    var older: OlderFiles { OlderFiles(snapshot: self) }
}
