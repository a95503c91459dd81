internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Run {
    /// How often a todo is decided on anew because its file changed meanwhile.
    static let maximumTries = 5

    /// Brings remote changes into the folder.
    ///
    /// What can't be brought in now is held, and comes with the first run that can.
    func bringIn(_ changes: [TodoID: RemoteState], _ policy: Policy) async throws {
        try forgetDoubtful(changes)
        var waiting = changes
        report.left = SyncReport.Left(count: changes.count, isAll: policy.knowsAll)
        // Without news, a name that is this folder's alone may still not be needed any more.
        if waiting.isEmpty, policy.knowsAll { _ = try carryOut(try planAsking([:], policy)) }
        for _ in 0..<Self.maximumTries where !waiting.isEmpty {
            try surroundings.checkGoesOn()
            _ = try await waitForFiles(of: Set(waiting.keys.filter(isMissingItsFile)))
            waiting = try carryOut(try planAsking(waiting, policy))
            report.left.count = waiting.count
        }
        try hold(
            waiting.sorted { $0.key < $1.key }.map {
                Plan.Waiting(id: $0.key, remote: $0.value, reason: .keepsChanging)
            })
    }

    /// Plans what becomes of remote changes; asks the user where the policy says so.
    private func planAsking(_ changes: [TodoID: RemoteState], _ policy: Policy) throws -> Plan {
        var policy = policy
        policy.deviceName = surroundings.deviceName
        policy.failed = failed
        policy.cancelled = cancelled
        policy.new = newTodos
        policy.resolutions = { self.resolutions }
        let first = plan(changes, at: snapshot, policy)
        guard case .ask(let ask) = policy.conflicts, !first.questions.isEmpty else { return first }
        for question in first.questions { policy.answers[question.id] = try answer(to: question, ask) }
        policy.cancelled = cancelled
        return plan(changes, at: snapshot, policy)
    }

    /// Asks the user about a todo's conflicts; nil if the user does not want to answer.
    private func answer(
        to question: Plan.Question, _ ask: @escaping @Sendable (ConflictQuestion) throws -> ConflictAnswer
    ) throws -> [UInt8]? {
        let questions = Questions(
            id: question.id, path: question.path, kind: question.conflict.kind,
            isAskedAgain: answered.contains(question.id),
            remembered: differences(of: question.values, nil), ask: ask)
        guard let text = try questions.answer(question.text) else {
            cancelled.insert(question.id)
            log(question.id, inventory.path(of: question.id) ?? question.id.string, .update, .cancelled)
            return nil
        }
        answered.insert(question.id)
        learn(question.values, from: text)
        return text
    }

    /// Whether a todo that was in the folder has no file now.
    private func isMissingItsFile(_ id: TodoID) -> Bool {
        guard !inventory.todos.contains(id), let known = state.todos[id], known.base?.todo != nil else {
            return false
        }
        return known.place != nil && !cancelled.contains(id) && snapshot.reasonToWait(id) == nil
    }

    /// Looks again, after a moment, where files are absent: an editor that saves may have one away.
    ///
    /// - Returns: whether the folder was looked at again; for todos that were waited for already it is not.
    func waitForFiles(of ids: Set<TodoID>) async throws -> Bool {
        guard !ids.isSubset(of: awaited) else { return false }
        try await surroundings.pause(.milliseconds(300))
        try lookAgain()
        awaited = awaited.union(ids).filter { !inventory.todos.contains($0) }
        return true
    }

    /// Keeps remote changes for later.
    func hold(_ waiting: [Plan.Waiting]) throws {
        let new = waiting.filter { state.todos[$0.id]?.held != $0.remote }
        try transaction.record(new.map { .held(id: $0.id, $0.remote) })
        for todo in waiting {
            guard let words = todo.reason.words, !report.postponed.contains(where: { $0.id == todo.id }) else {
                continue
            }
            let path = inventory.path(of: todo.id) ?? state.todos[todo.id]?.lastPlace ?? todo.id.string
            report.postponed.append(PostponedTodo(id: todo.id, path: path, reason: words))
        }
    }

    /// Carries a plan out.
    ///
    /// - Returns: what has to be planned anew, because a file changed meanwhile.
    private func carryOut(_ plan: Plan) throws -> [TodoID: RemoteState] {
        try hold(plan.waiting)
        if let withheld = plan.withheld { withhold(withheld) }
        let (edits, obstructed) = try holdObstructed(plan.edits)
        let outcomes = try apply(edits)
        // What failed is tried again only where another file may have been in the way.
        let isTriedAgain = zip(edits, outcomes).contains { $1 == .done && !$0.isConfirmation }
        if isTriedAgain { failed = [] }
        var again = isTriedAgain ? obstructed : [:]
        var outOfSpace: FileError?
        for (edit, outcome) in zip(edits, outcomes) {
            switch outcome {
            case .done:
                note(edit)
                if !edit.isConfirmation { report.postponed.removeAll { $0.id == edit.id } }
            case .failed(let error):
                if error.isOutOfSpace { outOfSpace = outOfSpace ?? error }
                // Only the last failure is told.
                postpone(edit, error)
                again[edit.id] = edit.remote
                if !isTriedAgain { failed.insert(edit.id) }
            case .changedMeanwhile, .occupied, .refused, .withoutPlace, .cancelled:
                again[edit.id] = edit.remote
            }
        }
        if let outOfSpace { throw outOfSpace }
        return again
    }

    /// Holds what can't be carried out, as a folder can't be written in; returns the other edits.
    ///
    /// Nothing is put into the journal for it that is there already.
    private func holdObstructed(
        _ edits: [PlannedEdit]
    ) throws -> (free: [PlannedEdit], held: [TodoID: RemoteState]) {
        let changes = edits.map(\.change)
        var obstacles = transaction.obstacles(to: changes.compactMap(\.self)).makeIterator()
        var held: [TodoID: RemoteState] = [:]
        var free: [PlannedEdit] = []
        for (edit, change) in zip(edits, changes) {
            guard change != nil, let obstacle = obstacles.next() ?? nil else {
                free.append(edit)
                continue
            }
            held[edit.id] = edit.remote
            postpone(edit, obstacle)
        }
        try hold(
            held.sorted { $0.key < $1.key }.map {
                Plan.Waiting(id: $0.key, remote: $0.value, reason: .silent)
            })
        return (free, held)
    }

    private func postpone(_ edit: PlannedEdit, _ error: FileError) {
        report.postponed.removeAll { $0.id == edit.id }
        report.postponed.append(
            PostponedTodo(id: edit.id, path: edit.path, reason: "\(error)", cause: error))
    }

    /// Tells the report and the operation log what became of a remote change.
    func note(_ edit: PlannedEdit) {
        guard let effect = edit.effect else { return }
        let (id, isRemoved) = (edit.id, edit.after == nil)
        let path = edit.after?.path ?? edit.before?.path ?? state.todos[id]?.lastPlace ?? id.string
        if !edit.recalled.isEmpty {
            report.recalled.append(RecalledTodo(id: id, path: path, fields: edit.recalled))
        }
        switch effect {
        case .confirmed:
            if let before = edit.before, !before.path.isSameBytes(as: path) {
                report.pulled.append(SyncedTodo(id: id, path: path, operation: .update))
                log(id, path, .update, .pulled)
            }
        case .pulled:
            let operation: OperationKind = isRemoved ? .delete : edit.before == nil ? .insert : .update
            report.pulled.append(SyncedTodo(id: id, path: path, operation: operation))
            log(id, path, TodoChange.Change(operation), .pulled)
        case .merged(let parts):
            report.merged.append(
                MergedTodo(
                    id: id, path: path, fields: parts.fields, hasCommentsOfBoth: parts.hasCommentsOfBoth))
            log(id, path, isRemoved ? .delete : .update, .merged)
        case .conflict: log(id, path, edit.before == nil ? .delete : .update, .conflict)
        }
    }
}

extension TodoChange.Change {
    init(_ operation: OperationKind) {
        switch operation {
        case .insert: self = .insert
        case .update: self = .update
        case .delete: self = .delete
        }
    }
}

extension Snapshot {
    /// Returns why nothing can be brought into a todo's file as it is; nil if it can.
    func reasonToWait(_ id: TodoID) -> WaitReason? {
        let known = tracked.todos[id]
        if known?.conflict != nil { return .silent }
        if folder.unreadable[id] != nil { return .invalidFile }
        if !folder.todos.contains(id), let place = known?.place, known?.base != nil,
            !folder.scan.wouldSee(place)
        {
            // Left alone, as the user has set the folder up: it comes when the file can be seen again.
            return .silent
        }
        return folder.setAside.contains(id) ? .silent : nil
    }
}
