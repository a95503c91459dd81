internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
package import WorkingCopy

extension Workspace {
    /// Restores a todo's content after an operation, or before it if `^` follows the operation's id.
    ///
    /// The current content stays in the operation log.
    ///
    /// - Returns: The todo after the restoration, and the kind of change; nil if nothing changed.
    package func restore(
        _ name: String, to operation: String
    ) throws -> (todo: NamedTodo, change: OperationKind?) {
        try LockedWorkspace.perform(self) { locked in
            let history = try history()
            let id = try Selection(locked.snapshot).remembered(name, history)
            let path = locked.folder.path(of: id)
            if locked.snapshot.condition(of: id).isConflicted {
                throw EngineError.isConflicted(path: path ?? name)
            }
            let planner = ReversalPlanner(snapshot: locked.snapshot)
            var target: FileText?
            let past = try history.text(of: id, at: operation)
            do {
                switch past {
                case .unknown: throw EngineError.noTextAt(name, operation: operation)
                case .absent: break
                case .text(let text): target = try planner.local(of: text, id)
                }
                if let path { target?.path = path }
                let (assigned, left) = planner.assigningPaths(
                    [try planner.restoration(of: id, to: target)].compactMap(\.self))
                if let (_, refusal) = left.first { throw refusal }
                guard let reversal = assigned.first else {
                    return (NamedTodo(id: id, path: path ?? name, TodoNames(locked.snapshot)), nil)
                }
                if let refusal = try locked.apply([reversal])[id] { throw refusal }
                locked.log(id, reversal.edit.path, reversal.kind, .pending)
                let (before, after) = (reversal.edit.before, reversal.edit.after)
                let names = TodoNames(locked.snapshot, former: [id: (after ?? before)?.bytes ?? []])
                return (NamedTodo(id: id, path: reversal.edit.path, names), reversal.kind)
            } catch let refusal as ReversalRefusal {
                if let cause = refusal.cause { throw cause }
                let shown = path ?? target?.path ?? locked.tracked.todos[id]?.localPath ?? id.string
                throw EngineError.cannotRestore(path: shown, reason: refusal.reason)
            }
        }
    }

    /// Restores the whole folder to its state before an operation, as a new operation.
    ///
    /// Each todo gets its earlier text and path, without a merge, or is removed if it didn't exist. Todos
    /// that first appear in the log later didn't exist. Files that no command has recorded stay.
    package func restoreAll(
        before name: String, _ options: ReversalOptions = ReversalOptions()
    ) throws -> UndoReport {
        try ReversalPlan.apply(in: self, options) { planner, history in
            let index = try history.index(of: name)
            let operation = history.operations[index]
            var plan = ReversalPlan(
                report: UndoReport(operation: LogEntry(operation, undone: [])))
            let files = history.files(before: index, rules: planner.snapshot.rules)
            var wanted: [Reversal] = []
            for (id, path) in planner.todos(besides: files, history) {
                do throws(ReversalRefusal) {
                    guard let file = files[id] else {
                        throw ReversalRefusal("the operation log doesn't show whether it existed then")
                    }
                    if let reversal = try planner.restoration(of: id, to: file) { wanted.append(reversal) }
                } catch {
                    plan.report.refused.append(ReportRow(id, path, error))
                }
            }
            plan.add(wanted, planner)
            return plan
        }
    }
}

extension ReversalPlanner {
    /// Returns the todos that have a file now or had one then, sorted by path.
    fileprivate func todos(
        besides files: [TodoID: FileReplay.File], _ history: History
    ) -> [(id: TodoID, path: String)] {
        let folder = snapshot.folder
        let recorded = Set(history.remembered.keys).union(
            history.operations.flatMap { $0.events.map(\.id) })
        // A todo that this folder didn't keep at that time isn't changed.
        let ids = recorded.filter {
            files[$0]?.isNotKept != true && (folder.hasFile(of: $0) || files[$0]?.text != nil)
        }
        return ids.map { id in (id, folder.path(of: id) ?? files[id]?.text?.path ?? id.string) }
            .sorted(byBytesOf: \.path)
    }

    /// Returns the reversal that restores a todo's file; nil if the file hasn't changed.
    fileprivate func restoration(
        of id: TodoID, to file: FileReplay.File
    ) throws(ReversalRefusal) -> Reversal? {
        guard !snapshot.condition(of: id).isConflicted else { throw .isConflicted }
        let formerID = file.text.flatMap { LineScan.id(in: $0.bytes) }
        // The text is a copy made by another tool, which the log has under a separate id.
        if let text = file.text, let formerID, formerID != id, snapshot.tracked.todos[id] == nil {
            return snapshot.folder.bytes(at: text.path) == text.bytes ? nil : creation(of: id, text)
        }
        // A file without the todo's id isn't the todo's.
        guard var text = file.text, formerID == id || snapshot.folder.hasFile(of: id)
        else { return try restoration(of: id, to: FileText?.none) }
        let path = snapshot.folder.path(of: id)
        if let path, file.isPathLocalOnly || snapshot.tracked.todos[id]?.isLocalOnlyPath(path) == true {
            text.path = path
        }
        return try restoration(of: id, to: try local(of: text, id))
    }

    /// Returns the reversal that gives a todo's file a text, or removes the file; nil if nothing has to
    /// change.
    fileprivate func restoration(of id: TodoID, to target: FileText?) throws(ReversalRefusal) -> Reversal? {
        let path = snapshot.folder.path(of: id)
        if path == nil, let error = snapshot.diskError(of: id) { throw ReversalRefusal(error) }
        if snapshot.condition(of: id).isHidden { throw ReversalRefusal(Snapshot.unseen) }
        let current = path.flatMap { FileText(snapshot.folder.bytes(at: $0), at: $0) }
        switch (target, current) {
        case (nil, nil): return nil
        case (let target?, nil): return creation(of: id, target)
        case (nil, let current?):
            return Reversal(edit: PlannedEdit(id: id, before: current, after: nil), kind: .delete)
        case (let target?, let current?):
            let isMoved = !target.path.isSameBytes(as: current.path)
            if !isMoved, target.bytes == current.bytes { return confirmation(of: id, target) }
            return Reversal(
                edit: PlannedEdit(
                    id: id, before: current, after: target, isPathLocalOnly: isMoved ? false : nil),
                kind: .update)
        }
    }

    /// Returns the reversal that attributes an older text, which git put in a todo's file, to the user; nil
    /// if git didn't.
    private func confirmation(of id: TodoID, _ text: FileText) -> Reversal? {
        guard let newest = snapshot.older.newest(of: id) else { return nil }
        return Reversal(
            edit: PlannedEdit(
                id: id, before: FileText(path: text.path, bytes: newest.bytes), after: text,
                recording: .written),
            kind: .update)
    }

    /// Returns a text that can be restored: the local side if it has conflict markers.
    fileprivate func local(of text: FileText, _ id: TodoID) throws(ReversalRefusal) -> FileText? {
        switch ParsedFile(text.bytes, isRecorded: true) {
        case .todo: return FileText(path: text.path, bytes: withID(text.bytes, id))
        case .markers(let conflicted, _):
            // This conflict was known only from its markers, so nobody has resolved it.
            let labels = ConflictedText.labels(in: text.bytes)
            guard SideLabels(local: labels.local, remote: labels.remote).areOfTodosync else {
                throw ReversalRefusal("it had git's conflict markers then; \"todosync show --at\" prints it")
            }
            guard let bytes = conflicted.taking(.local), !isDeletion(bytes, id) else { return nil }
            guard todoProblem(in: bytes) == nil else { fallthrough }
            return FileText(path: text.path, bytes: bytes)
        case .onlyID, .invalid, .other:
            throw ReversalRefusal("it was not a valid todo then; \"todosync show --at\" prints it")
        }
    }
}
