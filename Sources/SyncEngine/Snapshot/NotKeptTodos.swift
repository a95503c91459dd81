internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The todos that the user purged: the remote has them, but the folder doesn't keep their files.
struct NotKeptTodos {
    let snapshot: Snapshot

    /// Returns the newest version of a todo, as a file at the path that it should have.
    func newestText(of id: TodoID) -> FileText? {
        guard let known = snapshot.tracked.todos[id], let base = known.base?.todo else { return nil }
        let path = known.isDisplaced ? known.lastPlace : base.path ?? known.lastPlace
        return FileText(path: path ?? Snapshot.path(forTextOf: base.bytes), bytes: base.bytes)
    }

    /// Returns the edits that bring back the named todos, or all if none is named, in the order of their
    /// paths.
    func edits(bringingBack names: [String]) throws -> [PlannedEdit] {
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
            guard let placement = plan.placements[id] else { return nil }
            return PlannedEdit(
                id: id, before: nil, after: FileText(path: placement.path, bytes: text.bytes),
                isDisplaced: placement.isDisplaced ? true : nil)
        }.sorted(byBytesOf: \.path)
    }
}

extension Snapshot {
    var notKept: NotKeptTodos { NotKeptTodos(snapshot: self) }
}
