internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Moves a todo's file to a different path in the working directory, and creates missing folders.
    ///
    /// The move is pending until the next push, as if the user had moved the file.
    ///
    /// - Parameters:
    ///   - name: The todo, as the user named it.
    ///   - path: The new path in the working directory. If it is a folder's path, which ends with `/`, the
    ///     file keeps its name; an empty path is the root's.
    /// - Throws: An ``EngineError`` if there is a file at the new path or todosync ignores files there.
    package func move(_ name: String, to path: String) throws -> ReportRow {
        var name = name
        return try OnNewest.perform(in: self) { locked in
            for _ in 0..<5 {
                let (id, before) = try movableFile(name, in: locked.snapshot)
                if let id, locked.snapshot.older.contains(id) {
                    name = id.string
                    return .needs([id])
                }
                let target = try target(path, of: before.path, in: locked.snapshot)
                let isThere = target.isSameBytes(as: before.path)
                let moved = ReportRow(
                    id: id, path: target, operation: isThere ? nil : .update, fields: [],
                    previousPath: before.path)
                if isThere { return .done(moved) }
                let edit = PlannedEdit(
                    id: id ?? surroundings.newTodoID(), before: before,
                    after: FileText(path: target, bytes: before.bytes), isPathLocalOnly: false,
                    recording: id == nil ? .none : .announced)
                switch try locked.apply([edit])[0] {
                case .done:
                    if id != nil { locked.log(edit.id, target, .update, .pending) }
                    return .done(moved)
                case .failed(let error): throw error
                case .refused(let problem): throw EngineError.badPath(target, reason: "\(problem)")
                case .occupied: throw EngineError.fileExists(target)
                case .cancelled: throw CancellationError()
                case .changedMeanwhile, .withoutPath: continue
                }
            }
            throw EngineError.keepsChanging(path: name)
        }
    }
}

/// Returns the file that a name refers to; it can be in conflict.
private func movableFile(_ name: String, in snapshot: Snapshot) throws -> (TodoID?, FileText) {
    let (id, path): (TodoID?, String)
    switch try Selection(snapshot).named(name) {
    case .todo(let found):
        guard let existing = snapshot.folder.path(of: found) else { throw EngineError.noSuchTodo(name) }
        (id, path) = (found, existing)
    case .new(let file): (id, path) = (nil, file.path)
    case .invalid(let file): throw EngineError.invalid(file)
    case .duplicate(let file): throw EngineError.isDuplicate(file)
    }
    guard let bytes = snapshot.folder.bytes(at: path) else { throw EngineError.noSuchTodo(name) }
    return (id, FileText(path: path, bytes: bytes))
}

/// Returns the new path of a file.
private func target(_ path: String, of current: String, in snapshot: Snapshot) throws -> String {
    var target = path
    if path.isEmpty || path.hasSuffix("/") {
        target += current.split(separator: "/").last ?? ""
    }
    if target.isSameBytes(as: current) { return target }
    if let problem = PathRules.problem(with: target) {
        throw EngineError.badPath(target, reason: "\(problem)")
    }
    guard snapshot.folder.scan.wouldSee(target) else {
        throw EngineError.badPath(
            target, reason: "todosync ignores files there (\"todosync status --verbose\" shows why)")
    }
    if snapshot.folder.hasFile(at: target) { throw EngineError.fileExists(target) }
    return target
}
