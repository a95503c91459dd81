internal import Git
internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the report on pending, conflicted, invalid and ignored files.
    ///
    /// It needs no remote, and changes only the cache and the remembered copies.
    package func status() throws -> StatusReport {
        let snapshot = try Snapshot(of: self)
        surroundings.warnOfLoss(of: snapshot.configuration, snapshot.tracked)
        surroundings.reportUnreadable(snapshot.unreadableFiles())
        var report = StatusReport(remote: snapshot.configuration.remote)
        report.lastSync = LastSync.read(in: directory)
        report.isCloneIncomplete = report.lastSync == nil && snapshot.tracked.isFirstPullUnfinished
        let conditions = snapshot.conditions()
        report.pending = snapshot.pendingTodos(conditions)
        report.conflicts = ConflictedTodo.all(in: snapshot)
        report.conflicts.addRemembered(remembered(), snapshot)
        report.invalid = snapshot.folder.invalid
        report.duplicates = snapshot.folder.duplicates
        report.copies = snapshot.folder.copies
        let held =
            try HeldTodo.ofGit(in: snapshot) + WaitingTodos(in: snapshot, directory).all(delayed: true)
            + MassChangeGuard(snapshot: snapshot).heldTodos(conditions)
        report.held = held.sorted(byBytesOf: \.path)
        report.leavesHeld = snapshot.configuration.gitForward == .never
        if let survey = GitSurvey(self), let progress = survey.repository.progress() {
            report.gitProgress = GitProgress(progress)
            report.gitProgress?.unmerged = survey.unmergedFiles(in: snapshot)
        }
        let others = Set(snapshot.folder.otherFiles.map { ByteKey($0) })
        report.hardLinks = snapshot.folder.scan.hardLinks.filter { !others.contains(ByteKey($0)) }
        let otherFiles = snapshot.folder.otherFiles.map {
            IgnoredFile(path: $0, isFolder: false, reason: .noTodo)
        }
        report.ignored = (snapshot.folder.scan.ignored + otherFiles).sorted(byBytesOf: \.path)
        let todos = snapshot.folder.todos.loaded.values + snapshot.folder.newTodos
        for local in todos.filter(\.hasOddities).sorted(byBytesOf: \.path) {
            for (field, value) in local.todo.fields.entries {
                guard let expectation = ConventionalField.problem(field, value) else { continue }
                report.oddities.append(Oddity(path: local.path, field: field, expectation: expectation))
            }
            report.lookalikes += local.todo.document.lookalikeKeys().map {
                Lookalike(id: local.id, path: local.path, keys: $0.keys)
            }
        }
        report.names = TodoNames(snapshot)
        snapshot.folder.copyMemory.remember(report.copies)
        directory.saveCache(snapshot.tracked, snapshot.folder.stampedFile)
        return report
    }
}

extension State {
    /// Whether the first pull from a remote began but didn't end.
    fileprivate var isFirstPullUnfinished: Bool {
        isCursorMidway || cursor == nil && remote != nil && openOperation != nil
    }
}

extension Snapshot {
    /// Returns the pending operations for a report, including those of new files and of conflicted todos.
    ///
    /// - Parameter conditions: The states of all todos.
    fileprivate func pendingTodos(_ conditions: [TodoID: TodoCondition]) -> [ReportRow] {
        let found = mapConcurrently(Array(conditions)) { id, condition in
            condition.isPending ? pendingTodo(id, condition) : nil
        }
        let new = folder.newTodos.map {
            ReportRow(id: nil, path: $0.path, operation: .insert, fields: $0.todo.fields.keys)
        }
        return (found.compactMap(\.self) + new).sorted(byBytesOf: \.path) {
            $0.id?.string ?? "" < $1.id?.string ?? ""
        }
    }

    /// Returns the pending operation of a todo; that of a todo in conflict is the local change from before
    /// the conflict.
    private func pendingTodo(_ id: TodoID, _ condition: TodoCondition) -> ReportRow? {
        if let operation = condition.operation {
            return ReportRow(
                id: id, path: operation.path, operation: operation.kind, fields: operation.fields,
                previousPath: operation.previousPath)
        }
        guard case .conflicted(let conflict, _) = condition else { return nil }
        if let conflict { return pendingTodo(id, conflict, tracked.todos[id]?.base) }
        return folder.conflicted[id].map(pendingTodo)
    }

    /// Returns the operation of a todo whose conflict only the markers in its file show.
    private func pendingTodo(_ file: ConflictedFile) -> ReportRow {
        let base = tracked.todos[file.id]?.base?.todo
        let fields = file.shownTodo.map { local in
            base.map { changedFields(from: $0.bytes, to: local.bytes) } ?? local.fields.keys
        }
        return ReportRow(
            id: file.id, path: file.path, operation: base == nil ? .insert : .update, fields: fields ?? [])
    }

    /// Returns the number of pending operations of all or some todos, including those of new files and of
    /// conflicted todos.
    func pendingCount(of selected: Set<TodoID>?) -> Int {
        let pending = conditions { selected?.contains($0) ?? true }.count { $1.isPending }
        return pending + (selected == nil ? folder.newTodos.count : 0)
    }

    /// Returns the operation of a todo in conflict: the local change from before the conflict.
    private func pendingTodo(_ id: TodoID, _ conflict: OpenConflict, _ base: RemoteState?) -> ReportRow {
        let path = folder.path(of: id) ?? conflict.localPath
        guard let local = conflict.local else {
            return ReportRow(id: id, path: path, operation: .delete, fields: [])
        }
        guard let base = base?.todo else {
            let fields = (try? Todo(parsing: local))?.fields.keys ?? []
            return ReportRow(id: id, path: path, operation: .insert, fields: fields)
        }
        return ReportRow(
            id: id, path: path, operation: .update, fields: changedFields(from: base.bytes, to: local))
    }
}

extension ConflictedTodo {
    /// Returns the conflicts of a snapshot, in the order of their paths.
    static func all(in snapshot: Snapshot) -> [ConflictedTodo] {
        let folder = snapshot.folder
        let conflicts = snapshot.tracked.todos.loaded.compactMap { id, todo in
            todo.conflict.map { conflict in
                let isUnseen = snapshot.condition(of: id).isUnseen
                return ConflictedTodo(
                    id: id, path: folder.path(of: id) ?? conflict.localPath, fields: conflict.fields,
                    kind: conflict.kind, hasMarkers: folder.conflicted[id]?.hasMarkers ?? false,
                    obstacle: conflict.obstacle,
                    isFileGone: !isUnseen && !folder.hasFile(of: id), isFileUnseen: isUnseen,
                    hasOlderValues: conflict.kind == .editEdit
                        && conflict.remote.version == todo.base?.version,
                    hasMovedOn: todo.held.map { $0 != conflict.remote } ?? false,
                    isRolledBack: snapshot.rolledBack.contains(id))
            }
        }
        return (conflicts + marked(in: snapshot)).sorted { ($0.path, $0.id) < ($1.path, $1.id) }
    }
}
