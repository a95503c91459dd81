internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The todos of a working directory, by the names that a user can give them.
struct Selection {
    let snapshot: Snapshot

    init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// What a name refers to.
    enum Named {
        case todo(TodoID)
        /// A valid file that has no id yet.
        case new(LocalTodo)
        case invalid(InvalidFile)
        case duplicate(DuplicateFile)

        func isNew(_ path: String) -> Bool {
            if case .new(let file) = self { file.path.isSameBytes(as: path) } else { false }
        }
    }

    /// Returns what a path, an id, or a unique beginning of an id refers to.
    ///
    /// - Parameter orNotKept: whether it can be a todo that isn't kept here.
    func named(_ name: String, orNotKept: Bool = false) throws -> Named {
        let named = try lookUp(name)
        if case .todo(let id) = named, !orNotKept, snapshot.notKept.contains(id) {
            throw EngineError.notKept(path: snapshot.tracked.todos[id]?.lastPlace ?? name)
        }
        return named
    }

    private func lookUp(_ name: String) throws -> Named {
        if let file = snapshot.folder.newTodos.first(where: { $0.path.isSameBytes(as: name) }) {
            return .new(file)
        }
        if let duplicate = snapshot.folder.duplicates.first(where: { $0.path.isSameBytes(as: name) }) {
            return .duplicate(duplicate)
        }
        if let copy = snapshot.folder.copies.first(where: { $0.path.isSameBytes(as: name) }) {
            return .duplicate(DuplicateFile(copy))
        }
        if let id = snapshot.folder.id(at: name) { return .todo(id) }
        if let invalid = snapshot.folder.invalid.first(where: { $0.path.isSameBytes(as: name) }) {
            return .invalid(invalid)
        }
        let place = TodoID(name).flatMap { snapshot.tracked.todos[$0]?.place } ?? name
        if case .unreadable(let error)? = snapshot.folder.scan.reasonNotToSee(place) { throw error }
        if let id = TodoID(name), isAlive(id) { return .todo(id) }
        let loaded = Set(snapshot.tracked.todos.loaded.keys).union(snapshot.folder.todos.loaded.keys).filter(
            isAlive)
        if let id = loaded.first(where: { isPlace($0, name) }) { return .todo(id) }
        if let id = snapshot.tracked.todos.idsNotKept(at: name).min() { return .todo(id) }
        let notKept = snapshot.tracked.todos.idsNotKept.filter { $0.string.utf8.starts(with: name.utf8) }
        let unchanged = Set(snapshot.folder.todos.unchanged.ids(beginning: name)).union(notKept)
        let beginning = loaded.filter { $0.string.utf8.starts(with: name.utf8) }.union(unchanged)
        let matching = name.isEmpty ? [] : beginning.sorted()
        guard let id = matching.first else { throw EngineError.noSuchTodo(name) }
        if matching.count > 1 { throw EngineError.ambiguous(name, ids: matching) }
        return .todo(id)
    }

    private func isAlive(_ id: TodoID) -> Bool { snapshot.folder.hasFile(of: id) || isRemembered(id) }

    /// Whether a todo without a file still has something pending or in conflict.
    private func isRemembered(_ id: TodoID) -> Bool {
        guard let todo = snapshot.tracked.todos[id] else { return false }
        return todo.base?.todo != nil || todo.conflict != nil || todo.held?.todo != nil
    }

    private func isPlace(_ id: TodoID, _ path: String) -> Bool {
        guard !snapshot.folder.hasFile(of: id), let todo = snapshot.tracked.todos[id] else { return false }
        return (todo.lastPlace ?? todo.base?.todo?.path ?? todo.conflict?.localPath)?.isSameBytes(as: path)
            == true
    }

    /// Returns the ids of the named todos.
    ///
    /// - Parameters:
    ///   - orNew: whether names can also refer to new files without an id, which are left out.
    ///   - orNotKept: whether names can also refer to todos that aren't kept here.
    func ids(_ names: [String], orNew: Bool = false, orNotKept: Bool = false) throws -> [TodoID] {
        try names.compactMap { name in
            switch try named(name, orNotKept: orNotKept) {
            case .todo(let id): return id
            case .new: if orNew { return nil } else { throw EngineError.noSuchTodo(name) }
            case .invalid(let file): throw EngineError.invalid(file)
            case .duplicate(let file): throw EngineError.isDuplicate(file)
            }
        }
    }
}
