internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The todos that the user purged: the remote has them, but the folder doesn't keep their files.
struct NotKeptTodos {
    let snapshot: Snapshot

    /// Returns the newest version of a todo, as a file at the path that it should have.
    func newestText(of id: TodoID) -> FileText? {
        guard let recorded = snapshot.tracked.todos[id], let base = recorded.base?.todo else { return nil }
        let path = recorded.isPathLocalOnly ? recorded.lastLocalPath : base.path ?? recorded.lastLocalPath
        return FileText(path: path ?? Snapshot.path(forTextOf: base.bytes), bytes: base.bytes)
    }

    /// Returns the edits that bring back the named todos, or all if none is named, in the order of their
    /// paths.
    func edits(restoring names: [String]) throws -> [PlannedEdit] {
        let ids: [TodoID]
        if names.isEmpty {
            ids = Selection(snapshot).purgedIDs
        } else {
            ids = try Set(Selection(snapshot).ids(names, orNotKept: true)).sorted()
            if let kept = ids.first(where: { !snapshot.condition(of: $0).isNotKept }) {
                throw EngineError.isKept(path: snapshot.folder.path(of: kept) ?? kept.string)
            }
        }
        let texts = ids.compactMap { id in newestText(of: id).map { (id, $0) } }
        let wishes = texts.map { PathPlan.Wish(id: $0, path: $1.path) }
        let plan = PathPlan(wishes, isUsable: snapshot.isUsable) { path in
            snapshot.folder.hasFile(at: path) ? .fixed : nil
        }
        return texts.compactMap { id, text in
            guard let assigned = plan.assignedPaths[id] else { return nil }
            return PlannedEdit(
                id: id, before: nil, after: FileText(path: assigned.path, bytes: text.bytes),
                isPathLocalOnly: assigned.isPathLocalOnly ? true : nil)
        }.sorted(byBytesOf: \.path)
    }
}

extension Snapshot {
    var notKept: NotKeptTodos { NotKeptTodos(snapshot: self) }
}
