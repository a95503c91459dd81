package import LosslessYAML
package import TodoModel
internal import Values
internal import WorkingCopy

extension Workspace {
    /// Sets and unsets top-level fields in the files of todos.
    ///
    /// All todos are checked before the first one is changed.
    package func change(
        _ names: [String], set: [(field: String, value: Value)], unset: [String]
    ) throws -> [ReportRow] {
        if unset.contains(FieldName.id) || set.contains(where: { $0.field == FieldName.id }) {
            throw EngineError.badField(FieldName.id, reason: "the id can't be changed")
        }
        if unset.contains(FieldName.text) {
            throw EngineError.badField(FieldName.text, reason: "a todo needs its text")
        }
        if let (field, _) = set.first(where: { FieldName.isReserved($0.field) }) {
            throw EngineError.badField(field, reason: "the name \(field) is reserved")
        }
        return try change(names) { fields in
            for (field, value) in set {
                let isSame = CanonicalField.value(field, fields[field]) == CanonicalField.value(field, value)
                if !isSame { fields[field] = value }
            }
            for field in unset { fields[field] = nil }
        }
    }

    /// Changes the fields of todos in their files.
    ///
    /// All todos are checked before the first one is changed.
    ///
    /// - Parameter change: Changes a todo's fields. It is called again if a file changes in the meantime.
    /// - Returns: The named todos in the given order, and then the occurrences that were created or removed.
    package func change(
        _ names: [String], by change: (inout Mapping) throws(FieldChangeProblem) -> Void
    ) throws -> [ReportRow] {
        try changeFields(of: names, in: self) { (fields, _) throws(FieldChangeProblem) in
            try change(&fields)
        }
    }

    /// Removes the files of todos; returns the todos, and the paths of those whose conflicts still have to be
    /// resolved.
    ///
    /// The texts stay in the operation log.
    @discardableResult
    package func remove(_ names: [String]) throws -> (removed: [NamedTodo], conflicted: [String]) {
        try LockedWorkspace.perform(self) { locked in
            let snapshot = locked.snapshot
            let found = try names.map { (name: $0, named: try Selection(snapshot).named($0)) }
            let todoNames = TodoNames(snapshot)
            let todos = found.map { NamedTodo($0.named, $0.name, snapshot, todoNames) }
            let (left, others) = splitByLeft(found, snapshot)
            let removals = try others.map { try removal(of: $0.named, $0.name, in: snapshot, surroundings) }
            let outcomes = try locked.apply(removals, cancelling: .eachRemoval)
            for (removal, outcome) in zip(removals, outcomes) where outcome == .done {
                locked.log(removal.id, removal.path, .delete, .pending)
            }
            try Origins(locked: locked).attributeToUser(left)
            for operation in left.compactMap({ locked.snapshot.condition(of: $0).operation }) {
                locked.log(operation.id, operation.path, .delete, .pending)
            }
            for (removal, outcome) in zip(removals, outcomes) {
                switch outcome {
                case .done: continue
                case .failed(let error): throw error
                case .cancelled:
                    throw EngineError.stoppedRemoving(
                        count: outcomes.count { $0 == .done }, of: removals.count)
                case .changedMeanwhile, .occupied, .refused, .withoutPath:
                    throw EngineError.keepsChanging(path: removal.path)
                }
            }
            for copy in locked.folder.copies where removals.contains(where: { $0.id == copy.id }) {
                surroundings.notice(
                    "warning: the todo of \(copy.original) is not deleted yet, because a copy is left: "
                        + "\(copy.path); remove it, too, or run \"todosync resolve --adopt\" to keep the todo"
                )
            }
            let conflicted = removals.filter { locked.tracked.todos[$0.id]?.conflict != nil }
            return (todos, conflicted.map(\.path))
        }
    }

    /// Returns a todo with the path of its file.
    package func locate(_ name: String) throws -> LocatedTodo {
        let snapshot = try Snapshot(of: self)
        switch try Selection(snapshot, followsSeries: true).named(name) {
        case .todo(let id):
            guard let path = snapshot.folder.path(of: id) else { throw noFile(of: id, name, in: snapshot) }
            return located(id, path, in: snapshot)
        case .new(let file): return located(nil, file.path, in: snapshot)
        case .invalid(let file): return located(nil, file.path, in: snapshot)
        case .duplicate(let file): return located(file.id, file.path, in: snapshot)
        }
    }

    /// Returns a todo whose file the user is about to edit.
    ///
    /// If git rolled the file back to an older version, the file first becomes the newest version.
    package func open(_ name: String) throws -> LocatedTodo {
        let located = try locate(name)
        guard let id = located.id, located.isOlder else { return located }
        try OnNewest.perform(in: self) { locked in
            locked.snapshot.older.contains(id) ? .needs([id]) : .done(())
        }
        var newest = try locate(id.string)
        newest.wasOlder = true
        return newest
    }

    private func located(_ id: TodoID?, _ path: String, in snapshot: Snapshot) -> LocatedTodo {
        LocatedTodo(
            id: id, path: path, absolutePath: root + "/" + path,
            isConflicted: id.map { snapshot.folder.conflicted[$0] != nil } ?? false,
            isOlder: id.map(snapshot.older.contains) ?? false,
            bytes: snapshot.folder.bytes(at: path) ?? [])
    }

    /// Moves the due dates of recurring todos to their next occurrences, without completing them.
    ///
    /// Refuses todos that are done, or whose next occurrence exists, because there would then be two.
    package func skip(_ names: [String]) throws -> [ReportRow] {
        let zone = surroundings.zone
        let today = Instant(surroundings.now()).map { zone.wallTime(at: $0.seconds).day }
        var dues: [String?] = []
        let todos = try changeFields(of: names, in: self) { (fields, folder) throws(FieldChangeProblem) in
            guard let today, let moved = NextOccurrence.moved(fields, from: today, in: zone) else {
                throw .doesNotRecur
            }
            if fields[FieldName.complete] == .bool(true) { throw .isDone }
            if case .string(let string)? = fields[FieldName.id], let id = TodoID(string),
                let next = NextOccurrence.id(after: id, fields, from: today), folder.hasFile(of: next)
            {
                throw .hasNext(folder.path(of: next) ?? next.string)
            }
            if case .string(let due)? = fields[FieldName.due] { dues.append(due) }
            fields = moved
        }
        for (todo, due) in zip(todos, dues) {
            if let note = Occurrences.noteAboutOffset(of: due, todo.path, zone) { surroundings.notice(note) }
        }
        return todos
    }

    /// Records an editor's change to a todo's file in the operation log, so that it can be undone.
    ///
    /// - Parameter before: The todo before the edit.
    package func logEdit(of before: LocatedTodo) throws {
        guard let id = before.id else { return }
        try LockedWorkspace.perform(self) { locked in
            guard let file = locked.folder.todos[id], file.bytes != before.bytes else { return }
            let edit = PlannedEdit(
                id: id, before: FileText(path: before.path, bytes: before.bytes), after: file.fileText,
                recording: .written)
            _ = try locked.apply([edit])
            locked.log(id, file.path, .update, .pending)
            let occurrences = Occurrences(locked: locked)
            let (following, notes) = try occurrences.edits(with: [edit])
            occurrences.log(following, try locked.apply(following))
            notes.forEach(surroundings.notice)
        }
    }

    /// Returns the problem with the file at a path; nil if it is valid, in an open conflict or missing.
    package func problem(inFileAt path: String) throws -> TodoProblem? {
        let folder = try Snapshot(of: self).folder
        return folder.invalid.first { $0.path.isSameBytes(as: path) }?.problem
    }
}

/// Changes the fields of todos in their files.
///
/// - Parameter change: Changes a todo's fields. It also gets the locked folder, and is called again if a file
///   changes in the meantime.
private func changeFields(
    of names: [String], in workspace: Workspace,
    by change: (inout Mapping, Folder) throws(FieldChangeProblem) -> Void
) throws -> [ReportRow] {
    var names = names
    return try OnNewest.perform(in: workspace) { locked in
        // If an editor saves in the meantime, its new text is changed instead.
        for _ in 0..<5 {
            let snapshot = locked.snapshot
            let files = try names.map { try editableFile($0, in: snapshot) }
            let planned = try files.map { file in
                try edit(of: file, workspace.surroundings) { (fields) throws(FieldChangeProblem) in
                    try change(&fields, snapshot.folder)
                }
            }
            let older = planned.compactMap { $0?.id }.filter(snapshot.older.contains)
            if !older.isEmpty {
                // The path might change, too.
                names = zip(names, files).map { $1.id?.string ?? $0 }
                return .needs(older)
            }
            let edits = planned.compactMap(\.self)
            let occurrences = Occurrences(locked: locked)
            let (following, notes) = try occurrences.edits(with: edits)
            let outcomes = try locked.apply(edits + following)
            for (edit, outcome) in zip(edits, outcomes) where outcome == .done {
                if edit.recording != .none { locked.log(edit.id, edit.path, .update, .pending) }
            }
            occurrences.log(following, outcomes.dropFirst(edits.count))
            for case .failed(let error) in outcomes { throw error }
            if outcomes.contains(.cancelled) { throw CancellationError() }
            // A push creates occurrences that couldn't be created now.
            if outcomes.prefix(edits.count).allSatisfy({ $0 == .done }) {
                notes.forEach(workspace.surroundings.notice)
                let created = zip(following, outcomes.dropFirst(edits.count)).filter { $0.1 == .done }
                return .done(
                    zip(files, planned).map(ReportRow.init)
                        + created.map { ReportRow(occurrence: $0.0) })
            }
        }
        throw EngineError.keepsChanging(path: names.joined(separator: ", "))
    }
}

/// Splits names into todos whose files git removed, and other names.
///
/// The former are deleted by recording the user's delete.
private func splitByLeft(
    _ found: [(name: String, named: Selection.Named)], _ snapshot: Snapshot
) -> (left: [TodoID], others: [(name: String, named: Selection.Named)]) {
    var (left, others): ([TodoID], [(name: String, named: Selection.Named)]) = ([], [])
    for todo in found {
        if case .todo(let id) = todo.named, !snapshot.folder.hasFile(of: id),
            snapshot.condition(of: id).isHeld
        {
            left.append(id)
        } else {
            others.append(todo)
        }
    }
    return (left, others)
}

/// Returns the valid file that a name refers to, with the newest text if git rolled it back to an older one.
private func editableFile(_ name: String, in snapshot: Snapshot) throws -> LocalTodo {
    switch try Selection(snapshot, followsSeries: true).named(name) {
    case .todo(let id):
        if let local = snapshot.folder.todos[id] {
            guard let newest = snapshot.older.newest(of: id) else { return local }
            return LocalTodo(id: id, path: local.path, todo: try Todo(parsing: newest.bytes))
        }
        if snapshot.condition(of: id).isConflicted {
            let file = snapshot.tracked.todos[id]?.conflict == nil ? snapshot.folder.conflicted[id] : nil
            throw EngineError.isConflicted(
                path: snapshot.folder.path(of: id) ?? name,
                isOfGit: file.map { snapshot.folder.gitMerge.unmerged.contains($0.path) } ?? false)
        }
        if let file = snapshot.folder.invalidFile(of: id) { throw EngineError.invalid(file) }
        throw noFile(of: id, name, in: snapshot)
    case .new(let file): return file
    case .invalid(let file): throw EngineError.invalid(file)
    case .duplicate(let file): throw EngineError.isDuplicate(file)
    }
}

/// Returns the error for a todo that has no file to change.
private func noFile(of id: TodoID, _ name: String, in snapshot: Snapshot) -> EngineError {
    guard snapshot.condition(of: id).isHeld else { return .noSuchTodo(name) }
    return .isAbsent(path: snapshot.tracked.todos[id]?.lastLocalPath ?? name)
}

/// Returns the edit that changes a file's fields; nil if nothing changes.
private func edit(
    of file: LocalTodo, _ surroundings: Surroundings,
    by change: (inout Mapping) throws(FieldChangeProblem) -> Void
) throws -> PlannedEdit? {
    var fields = file.todo.document.fields
    do throws(FieldChangeProblem) {
        try change(&fields)
    } catch {
        throw EngineError.cannotChange(path: file.path, error)
    }
    var document = file.todo.document
    if file.lacksID, let id = file.id {
        fields[FieldName.id] = .string(id.string)
        document = (try? Document(parsing: document.inserting(id: id.string))) ?? document
    }
    guard fields != file.todo.document.fields else { return nil }
    let bytes = document.updated(to: fields)
    if let problem = todoProblem(in: bytes) {
        throw EngineError.badField(FieldName.text, reason: problem.message)
    }
    return PlannedEdit(file, becoming: bytes, id: file.id ?? surroundings.newTodoID())
}

/// Returns the edit that removes a file: a todo's, or one that has an id only in the operation log.
private func removal(
    of named: Selection.Named, _ name: String, in snapshot: Snapshot, _ surroundings: Surroundings
) throws -> PlannedEdit {
    let path: String
    var id: TodoID?
    switch named {
    case .todo(let found):
        guard let existing = snapshot.folder.path(of: found) else { throw EngineError.noSuchTodo(name) }
        id = found
        path = existing
    case .new(let file): path = file.path
    case .invalid(let file): path = file.path
    case .duplicate(let file): path = file.path
    }
    guard let bytes = snapshot.folder.bytes(at: path) else { throw EngineError.noSuchTodo(name) }
    var edit = PlannedEdit(
        id: id ?? surroundings.newTodoID(), before: FileText(path: path, bytes: bytes), after: nil)
    if let conflict = id.flatMap({ OpenConflict(inMarkersOf: $0, snapshot) }) {
        // The conflict still has to be resolved, and the file that shows it is gone.
        (edit.remote, edit.conflict) = (conflict.remote, .reopens(conflict, base: conflict.remote))
    }
    return edit
}
