internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns all todos, sorted by path.
    package func list() throws -> [ListedTodo] {
        try Listing(of: self).compactMap { $0 }.sorted(byBytesOf: \.path)
    }

    /// Returns a todo's file or another version of the todo.
    package func show(_ name: String, _ version: ShownVersion) throws -> ListedTodo {
        let snapshot = try Snapshot(of: self)
        let id: TodoID
        switch try Selection(snapshot).named(name, orNotKept: version == .base || version == .remote) {
        case .todo(let found): id = found
        case .new(let file):
            guard version == .file || version == .local else {
                throw EngineError.noSuchVersion(name, version)
            }
            return ListedTodo(file)
        case .invalid(let file): throw EngineError.invalid(file)
        case .duplicate(let file):
            guard let bytes = snapshot.folder.bytes(at: file.path), let todo = try? Todo(parsing: bytes)
            else { throw EngineError.isDuplicate(file) }
            return ListedTodo(LocalTodo(id: file.id, path: file.path, todo: todo))
        }
        var listed = try Listing(snapshot: snapshot).show(id, version, name)
        listed.handle = Handles(snapshot).handle(of: id)
        return listed
    }
}

/// Creates the ``ListedTodo`` values of a working directory.
package struct Listing: Sendable {
    private let snapshot: Snapshot

    init(snapshot: Snapshot) { self.snapshot = snapshot }

    /// Reads a working directory's todos.
    package init(of workspace: Workspace) throws {
        snapshot = try Snapshot(of: workspace)
        workspace.surroundings.warnOfLoss(of: snapshot.configuration, snapshot.tracked)
    }

    /// Calls a closure with each todo on one of two threads, and returns the results that aren't nil, in any
    /// order.
    package func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (ListedTodo) -> Result?
    ) -> [Result] {
        let handles = Handles(snapshot)
        @Sendable func result(_ listed: ListedTodo, isPending: Bool) -> Result? {
            var listed = listed
            listed.handle = listed.id.map(handles.handle)
            listed.isPending = isPending
            return transform(listed)
        }
        let read = mapConcurrently(snapshot.folder.todos.loaded.values + snapshot.folder.newTodos) { local in
            guard let id = local.id else { return result(ListedTodo(local), isPending: true) }
            let condition = snapshot.condition(of: id)
            // The todo was deleted, and git brought its file back on this branch.
            if condition.isHeldElsewhere, snapshot.tracked.todos[id]?.newest?.todo == nil { return nil }
            return result(listed(id, local, condition), isPending: condition.isPending)
        }
        let unchanged = snapshot.folder.todos.unchanged.map { id, path, bytes in
            result(
                ListedTodo(
                    id: id, path: path, fields: (try? Todo(parsing: bytes))?.fields ?? [:],
                    isConflicted: false, bytes: bytes), isPending: false)
        }
        let conflicted = snapshot.folder.conflicted.values.map { result(listed($0), isPending: true) }
        return (read + unchanged + conflicted).compactMap(\.self)
    }

    func show(_ id: TodoID, _ version: ShownVersion, _ name: String) throws -> ListedTodo {
        let recorded = snapshot.tracked.todos[id]
        switch version {
        case .file, .local:
            if let file = snapshot.folder.conflicted[id] {
                guard version == .local, let conflict = recorded?.conflict else {
                    return listed(file)
                }
                guard let local = conflict.local else { throw EngineError.noSuchVersion(name, version) }
                return try listed(id, conflict.localPath, local, nil)
            }
            if let local = snapshot.folder.todos[id] {
                return version == .local ? ListedTodo(local) : listed(id, local, snapshot.condition(of: id))
            }
            if let file = snapshot.folder.invalidFile(of: id) { throw EngineError.invalid(file) }
            guard version == .file else { throw EngineError.noSuchVersion(name, version) }
            if let listed = newest(of: id, snapshot.condition(of: id)) { return listed }
            throw EngineError.noSuchTodo(name)
        case .base:
            guard let base = recorded?.base?.todo else { throw EngineError.noSuchVersion(name, version) }
            return try listed(id, base.path ?? recorded?.localPath, base.bytes, base.version)
        case .remote:
            guard let remote = recorded?.held ?? recorded?.conflict?.remote ?? recorded?.base,
                let todo = remote.todo
            else { throw EngineError.noSuchVersion(name, version) }
            return try listed(id, todo.path ?? recorded?.localPath, todo.bytes, todo.version)
        }
    }

    /// Returns a conflicted todo for a list.
    ///
    /// If its file can't be parsed, the version before the conflict is used.
    func listed(_ file: ConflictedFile) -> ListedTodo {
        let conflict = snapshot.tracked.todos[file.id]?.conflict
        let recorded = (conflict?.local ?? conflict?.remote.todo?.bytes).flatMap { try? Todo(parsing: $0) }
        return ListedTodo(
            id: file.id, path: file.path, fields: (file.shownTodo ?? recorded)?.fields ?? [:],
            isConflicted: true, bytes: file.bytes)
    }

    /// Returns a todo's file for a list, or its newest version if the todo is behind.
    private func listed(_ id: TodoID, _ local: LocalTodo, _ condition: TodoCondition) -> ListedTodo {
        if let newest = newest(of: id, condition) { return newest }
        var listed = ListedTodo(local)
        listed.isConflicted = condition.isConflicted
        listed.isHeld = condition.isHeld
        return listed
    }

    /// Returns a todo's newest version if the todo is behind, or if git removed its file; otherwise nil.
    private func newest(of id: TodoID, _ condition: TodoCondition) -> ListedTodo? {
        guard case .held(let held, let isElsewhere) = condition.ofFile,
            isElsewhere || held.reason == .removedByGit,
            let newest = snapshot.tracked.todos[id]?.newest?.todo
        else { return nil }
        let path = snapshot.folder.path(of: id) ?? snapshot.tracked.todos[id]?.lastLocalPath ?? newest.path
        return ListedTodo(
            id: id, path: path ?? id.string, fields: (try? Todo(parsing: newest.bytes))?.fields ?? [:],
            isConflicted: false, bytes: newest.bytes, isBehind: true)
    }

    private func listed(
        _ id: TodoID, _ path: String?, _ bytes: [UInt8], _ version: Version?
    ) throws -> ListedTodo {
        let fields = (try? Todo(parsing: bytes))?.fields ?? [:]
        return ListedTodo(
            id: id, path: path ?? snapshot.folder.path(of: id) ?? id.string, fields: fields,
            isConflicted: snapshot.condition(of: id).isConflicted, bytes: bytes, version: version)
    }
}

extension ListedTodo {
    init(_ local: LocalTodo) {
        self.init(
            id: local.id, path: local.path, fields: local.todo.fields, isConflicted: false, bytes: local.bytes
        )
    }
}
