internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
package import WorkingCopy

extension Workspace {
    /// Undoes an operation's changes to files by a new operation, and keeps later changes.
    ///
    /// - Parameter name: The operation's id or its beginning. If nil, the newest operation is undone that has
    ///   changes of the user and is neither an undo nor undone; remote changes that it applied stay.
    /// - Throws: ``EngineError/undoDeletes(count:of:command:)`` if no operation was named, and undoing the
    ///   newest one would delete more todos than a guard allows.
    package func undo(_ name: String?) throws -> UndoReport {
        try LockedWorkspace.perform(self) { locked in
            let history = try history()
            guard let index = try name.map(history.index) ?? history.newestUndoable else {
                return UndoReport()
            }
            let operation = history.operations[index]
            let undone = history.undoneTodos[operation.operation] ?? []
            var report = UndoReport(operation: LogEntry(operation, undone: undone))
            var reversals: [Reversal] = []
            let changed = ChangedTodo.all(in: operation).filter {
                name != nil || $0.isOfUser(in: operation)
            }
            let left = changed.filter { !undone.contains($0.id) }
            var planner = ReversalPlanner(snapshot: locked.snapshot)
            for todo in left.isEmpty ? changed : left {
                do {
                    if let reversal = try planner.reversal(todo, of: operation) {
                        reversals.append(reversal)
                    } else if !left.isEmpty {
                        // It already has its old state, and the next undo needn't check it.
                        locked.log(todo.id, todo.path, todo.kindOfReversal, .undone)
                    }
                } catch let refusal as ReversalRefusal {
                    let path = locked.folder.path(of: todo.id) ?? todo.path
                    report.refused.append(
                        RefusedUndo(id: todo.id, path: path, reason: refusal.reason, cause: refusal.cause))
                }
            }
            if name == nil,
                let refusal = refusalToDelete(reversals, operation, of: locked.folder.todos.paths)
            {
                throw refusal
            }
            let wanted = reversals
            reversals = planner.keepingOccupiedPaths(reversals)
            let kept = Set(reversals.map(\.edit.id))
            for edit in wanted.map(\.edit) where !kept.contains(edit.id) {
                let reason = "its old path \(edit.path) is not free"
                report.refused.append(
                    RefusedUndo(id: edit.id, path: edit.before?.path ?? edit.path, reason: reason))
            }
            let undoes = JournalRecord.undoes(operation: operation.operation)
            if reversals.isEmpty, !locked.changes.isEmpty { try locked.transaction.record([undoes]) }
            let refusals = try locked.carryOut(reversals, first: undoes)
            for reversal in reversals {
                let (id, path) = (reversal.edit.id, reversal.edit.path)
                if let refusal = refusals[id] {
                    report.refused.append(
                        RefusedUndo(id: id, path: path, reason: refusal.reason, cause: refusal.cause))
                } else {
                    report.undone.append(UndoneTodo(id: id, path: path, change: reversal.kind))
                    locked.log(id, path, reversal.kind, .undone)
                }
            }
            let undoneIDs = Set(report.undone.map(\.id))
            locked.memory.forget { $0.operation == operation.operation && undoneIDs.contains($0.id) }
            report.undone = report.undone.sorted(byBytesOf: \.path)
            return report
        }
    }

    /// Restores a todo's content after an operation, or before it if `^` follows the operation's id.
    ///
    /// The current content stays in the operation log.
    ///
    /// - Returns: the todo's path, and the kind of change; nil if nothing had to change.
    package func restore(_ name: String, to operation: String) throws -> (String, OperationKind?) {
        try LockedWorkspace.perform(self) { locked in
            let history = try history()
            let id = try Selection(locked.snapshot).remembered(name, history)
            let path = locked.folder.path(of: id)
            if locked.tracked.todos[id]?.conflict != nil {
                throw EngineError.isConflicted(path: path ?? name)
            }
            var planner = ReversalPlanner(snapshot: locked.snapshot)
            var target: FileText?
            switch try history.text(of: id, at: operation) {
            case .unknown: throw EngineError.noTextAt(name, operation: operation)
            case .absent: break
            case .text(let text): target = try planner.local(of: text, id)
            }
            guard let reversal = try planner.restoring(id, target, at: path) else {
                return (path ?? name, nil)
            }
            let done = reversal.edit.path
            if let refusal = try locked.carryOut([reversal])[id] {
                if let cause = refusal.cause { throw cause }
                throw EngineError.cannotRestore(path: done, reason: refusal.reason)
            }
            locked.log(id, done, reversal.kind, .pending)
            return (done, reversal.kind)
        }
    }
}

extension History {
    /// The newest operation that has the user's changes to files, and is neither an undo nor undone for all
    /// these todos.
    fileprivate var newestUndoable: Int? {
        let undone = undoneTodos
        return operations.lastIndex { operation in
            guard operation.undoes == nil else { return false }
            let done = undone[operation.operation] ?? []
            return ChangedTodo.all(in: operation).contains {
                $0.isOfUser(in: operation) && !done.contains($0.id)
            }
        }
    }
}

/// Returns why an unnamed operation isn't undone: it would delete more todos than a guard allows.
private func refusalToDelete(
    _ reversals: [Reversal], _ operation: LoggedOperation, of all: [String]
) -> EngineError? {
    let deletes = reversals.filter { $0.kind == .delete }
    let paths = deletes.compactMap(\.edit.before?.path)
    let guarded = DeleteGuard(deletes: paths, carriedOut: [], others: all, allowed: nil, withheld: 0)
    guard guarded.withholds else { return nil }
    return .undoDeletes(count: deletes.count, of: all.count, command: operation.command)
}

extension ReversalPlanner {
    /// Returns a text that can be restored: the local side if it has conflict markers.
    fileprivate func local(of text: FileText, _ id: TodoID) throws -> FileText? {
        switch ParsedFile(text.bytes, isRecorded: true) {
        case .todo: return FileText(path: text.path, bytes: withID(text.bytes, id))
        case .markers(let conflicted, _):
            guard let bytes = conflicted.taking(.local), !isDeletion(bytes, id) else { return nil }
            guard todoProblem(in: bytes) == nil else { fallthrough }
            return FileText(bytes, at: text.path)
        case .onlyID, .invalid, .other:
            throw EngineError.cannotRestore(
                path: text.path, reason: "it was not a valid todo then; \"todosync show --at\" prints it")
        }
    }

    fileprivate mutating func restoring(_ id: TodoID, _ target: FileText?, at path: String?) throws
        -> Reversal?
    {
        if path == nil, let error = snapshot.diskError(of: id) { throw error }
        if path == nil, snapshot.isUnseen(id) {
            throw EngineError.cannotRestore(
                path: snapshot.tracked.todos[id]?.place ?? id.string, reason: Snapshot.unseen)
        }
        let current = path.flatMap { path in snapshot.folder.bytes(at: path).map { (path, $0) } }
        switch (target, current) {
        case (nil, nil): return nil
        case (let target?, nil):
            do {
                return try creation(of: id, target)
            } catch let refusal as ReversalRefusal {
                throw EngineError.cannotRestore(path: target.path, reason: refusal.reason)
            }
        case (nil, (let path, let bytes)?):
            return Reversal(
                edit: PlannedEdit(id: id, before: FileText(path: path, bytes: bytes), after: nil),
                kind: .delete)
        case (let target?, (let path, let bytes)?):
            if target.bytes == bytes { return nil }
            return Reversal(
                edit: PlannedEdit(
                    id: id, before: FileText(path: path, bytes: bytes),
                    after: FileText(path: path, bytes: target.bytes)), kind: .update)
        }
    }
}
