internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Replaces todos' files with their newest versions from the remote.
    ///
    /// The replaced texts stay in the operation log. All todos are checked before any file is changed.
    package func discard(_ names: [String]) throws -> [ReportRow] {
        try LockedWorkspace.perform(self) { locked in
            let edits = try names.map { try discarding($0, in: locked.snapshot) }
            let changing = edits.filter { $0.change != nil }
            let outcomes = try locked.apply(changing)
            for (edit, outcome) in zip(changing, outcomes) where outcome == .done {
                locked.log(edit.id, edit.path, edit.kind, .undone)
            }
            for (edit, outcome) in zip(changing, outcomes) {
                switch outcome {
                case .done: continue
                case .failed(let error): throw error
                case .cancelled: throw CancellationError()
                case .changedMeanwhile, .occupied, .refused, .withoutPath:
                    throw EngineError.keepsChanging(path: edit.path)
                }
            }
            return edits.map { edit in
                let text = (edit.after ?? edit.before).flatMap { TodoNames.text($0.bytes) }
                return ReportRow(
                    id: edit.id, path: edit.path, operation: edit.change.map { _ in edit.kind }, text: text)
            }
        }
    }
}

/// Returns the edit that replaces a todo's file with its newest version.
private func discarding(_ name: String, in snapshot: Snapshot) throws -> PlannedEdit {
    let id: TodoID
    switch try Selection(snapshot).named(name) {
    case .todo(let found): id = found
    case .new(let file): throw EngineError.neverSynced(path: file.path)
    case .invalid(let file): throw EngineError.invalid(file)
    case .duplicate(let file): throw EngineError.isDuplicate(file)
    }
    let recorded = snapshot.tracked.todos[id]
    let path = snapshot.folder.path(of: id)
    // A conflict that is known only from its markers disappears with the discarded text.
    if recorded?.conflict != nil { throw EngineError.isConflicted(path: path ?? name) }
    if recorded?.sent != nil { throw EngineError.isUnanswered(path: path ?? name) }
    if snapshot.condition(of: id).isHidden {
        throw EngineError.cannotRestore(path: recorded?.localPath ?? name, reason: Snapshot.unseen)
    }
    guard let newest = recorded?.newest else {
        throw EngineError.neverSynced(path: path ?? name)
    }
    let before = path.flatMap { path in FileText(snapshot.folder.bytes(at: path), at: path) }
    guard let todo = newest.todo else {
        return PlannedEdit(id: id, before: before, after: nil, remote: newest)
    }
    // Git might have rolled the path back, too.
    var assigned = snapshot.older.restoredPath(of: id)
    if path == nil {
        let wished = recorded?.lastLocalPath ?? todo.path ?? Snapshot.path(forTextOf: todo.bytes)
        guard let free = snapshot.freePath(id, wished) else { throw EngineError.fileExists(wished) }
        assigned = free
    }
    let target = assigned?.path ?? path ?? id.string
    return PlannedEdit(
        id: id, before: before, after: FileText(path: target, bytes: todo.bytes),
        isPathLocalOnly: assigned?.isPathLocalOnly, remote: newest)
}
