internal import Git
internal import TodoModel
internal import WorkingCopy

// Detects git's changes to the folder, and records them.

extension LockedWorkspace {
    /// Decides how changed and missing files are treated.
    func judge() throws {
        // Keep what the user decided in this command.
        let forwarded = standings.filter { $0.value == .forwarded }
        var judged = snapshot
        try judged.judge(by: survey, in: workspace.directory)
        (folder, rolledBack) = (judged.folder, judged.rolledBack)
        // The remote's changes since then don't change what git had changed.
        let held = standings.compactMapValues { if case .held(let held) = $0 { held } else { nil } }
        for (id, held) in held {
            guard case .held(var again)? = judged.standings[id] else { continue }
            (again.home, again.version) = (held.home, held.version)
            judged.standings[id] = .held(again)
        }
        judged.standings.merge(forwarded) { $1 }
        standings = judged.standings
        loggedStates = judged.logStates(to: surroundings.logger, besides: loggedStates)
    }
}

/// Records what git has checked out, and what was decided about the files that it might have changed.
struct Origins {
    let locked: LockedWorkspace

    /// Treats some todos' files, or their absence, as the user's edits and deletes.
    ///
    /// Records this in the journal, except for files that a command wrote or removed.
    func attributeToUser(_ ids: some Sequence<TodoID>) throws {
        var records: [JournalRecord] = []
        for id in ids {
            locked.standings[id] = nil
            // Outside a repository, only git's earlier changes are recorded.
            guard locked.survey != nil || locked.tracked.todos[id]?.origin != nil,
                let operation = locked.snapshot.condition(of: id).operation
            else { continue }
            if !operation.isByCommand(locked.snapshot) {
                records.append(.origin(id: id, operation.originOfUser))
            }
        }
        try locked.transaction.record(records)
    }

    /// Records what git has checked out and what was decided about the files, at the end of a command that
    /// judged all todos.
    ///
    /// At the end of the first such command in a repository, all pending changes count as the user's.
    func recordJudgement() throws {
        // If git failed, nothing is known about the files except that HEAD has moved.
        guard let survey = locked.survey, !survey.isUnanswered,
            let head = survey.recordedHead(locked.snapshot)
        else { return }
        var origins: [TodoID: FileOrigin] = [:]
        for (id, standing) in locked.standings {
            if case .held(var held) = standing {
                held.isStashed = false
                origins[id] = held.reason == .gitFailed ? locked.tracked.todos[id]?.origin : .held(held)
            }
        }
        for operation in locked.snapshot.pendingOperations() where origins[operation.id] == nil {
            origins[operation.id] = origin(of: operation)
        }
        let former = locked.tracked.todos.loaded.filter { $0.value.origin != nil && !$0.value.isNotKept }
        var records: [JournalRecord] = []
        for id in Set(origins.keys).union(former.keys).sorted() {
            let todo = locked.tracked.todos[id]
            if origins[id] != todo?.origin, todo?.origin != .notKept, todo?.conflict == nil, todo?.sent == nil
            {
                records.append(.origin(id: id, origins[id]))
            }
        }
        if head != locked.tracked.head { records.append(.head(head)) }
        try locked.transaction.record(records)
    }

    /// Returns the origin of a file that wasn't sent, so that it keeps what was decided about it.
    private func origin(of operation: PendingOperation) -> FileOrigin {
        if operation.isByCommand(locked.snapshot) {
            return locked.tracked.todos[operation.id]?.origin ?? operation.originOfUser
        }
        guard let local = operation.local else { return .deleted }
        var basis: EditBasis?
        if case .editOf(let older)? = locked.standings[operation.id] { basis = older }
        return .edited(EditedFile(mark: ContentMark(ofLines: local.bytesWithID), basis: basis))
    }
}

extension PendingOperation {
    /// The origin of a file that the user wrote or removed.
    fileprivate var originOfUser: FileOrigin {
        local.map { .command(ContentMark(of: $0.bytes)) } ?? .removedByCommand
    }
}
