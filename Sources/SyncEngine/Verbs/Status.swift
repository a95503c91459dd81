internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns what is pending, in conflict, invalid or left alone.
    ///
    /// Needs no remote and changes nothing but the cache.
    package func status() throws -> StatusReport {
        let view = try View(self)
        surroundings.tellLoss(of: view.configuration, view.state)
        surroundings.tellUnreadable(view.inventory.unreadablePlaces(view.state))
        var report = StatusReport(remote: view.configuration.remote)
        report.pending = view.inventory.pendingTodos(view.state)
        report.conflicts = view.inventory.openConflicts(view.state)
        report.conflicts.tell(remembered(), view.inventory, view.state, view.configuration)
        report.invalid = view.inventory.invalid
        report.duplicates = view.inventory.duplicates
        report.withheld = view.inventory.withheldDeletes(view.state)
        let otherFiles = view.inventory.otherFiles.map {
            LeftAlone(path: $0, isFolder: false, reason: .noTodo)
        }
        report.leftAlone = (view.inventory.scan.leftAlone + otherFiles).sorted(byBytesOf: \.path)
        let todos = view.inventory.todos.loaded.values + view.inventory.newTodos
        for local in todos.filter(\.hasOddities).sorted(byBytesOf: \.path) {
            for (field, value) in local.todo.fields.entries {
                guard let expectation = ConventionalField.problem(field, value) else { continue }
                report.oddities.append(Oddity(path: local.path, field: field, expectation: expectation))
            }
            report.lookalikes += local.todo.document.lookalikeKeys().map {
                Lookalike(id: local.id, path: local.path, keys: $0.keys)
            }
        }
        directory.saveCache(view.state, view.inventory.knownFile)
        return report
    }
}

extension Inventory {
    /// Returns the pending operations as a report names them, those of new files and of conflicted todos
    /// included.
    func pendingTodos(_ state: State) -> [PendingTodo] {
        var pending = mapConcurrently(pendingOperations(state)) { operation in
            PendingTodo(
                id: operation.id, path: operation.path, operation: operation.kind, fields: operation.fields,
                previousPath: operation.previousPath)
        }
        pending += newTodos.map {
            PendingTodo(id: nil, path: $0.path, operation: .insert, fields: $0.todo.fields.keys)
        }
        for (id, todo) in state.todos.loaded {
            guard let conflict = todo.conflict else { continue }
            pending.append(pendingTodo(id, conflict, todo.base))
        }
        return pending.sorted(byBytesOf: \.path) { $0.id?.string ?? "" < $1.id?.string ?? "" }
    }

    /// Returns the ids of the todos that ``pendingTodos(_:)`` names, nil for new files.
    func pendingIDs(_ state: State) -> [TodoID?] {
        let inConflict = state.todos.loaded.filter { $0.value.conflict != nil }.map(\.key)
        return pendingOperations(state).map(\.id) + newTodos.map { _ in nil } + inConflict
    }

    /// Returns the todos that are pending or in conflict, or of which that can't be told.
    func pendingOrUnreadable(_ state: State) -> Set<TodoID> {
        let unseen = state.todos.loaded.keys.filter { !hasFile(of: $0) && isUnseen($0, state) }
        return Set(pendingIDs(state).compactMap(\.self)).union(unreadable.keys).union(unseen)
    }

    /// Returns the operation of a todo in conflict: what the local side did before the conflict.
    private func pendingTodo(_ id: TodoID, _ conflict: OpenConflict, _ base: RemoteState?) -> PendingTodo {
        let path = path(of: id) ?? conflict.localPath
        guard let local = conflict.local else {
            return PendingTodo(id: id, path: path, operation: .delete, fields: [])
        }
        guard let base = base?.todo else {
            let fields = (try? Todo(parsing: local))?.fields.keys ?? []
            return PendingTodo(id: id, path: path, operation: .insert, fields: fields)
        }
        return PendingTodo(
            id: id, path: path, operation: .update, fields: changedFields(from: base.bytes, to: local))
    }

    /// Returns the open conflicts, in the order of their paths.
    func openConflicts(_ state: State) -> [ConflictedTodo] {
        let conflicts = state.todos.loaded.compactMap { id, todo in
            todo.conflict.map { conflict in
                let isAbsent = conflicted[id] == nil
                let isGone = isAbsent && self.isGone(id, todo)
                return ConflictedTodo(
                    id: id, path: path(of: id) ?? conflict.localPath, fields: conflict.fields,
                    kind: conflict.kind, hasMarkers: conflicted[id]?.hasMarkers ?? false,
                    isFileGone: isGone, isFileUnseen: isAbsent && !isGone)
            }
        }
        return conflicts.sorted { ($0.path, $0.id) < ($1.path, $1.id) }
    }
}
