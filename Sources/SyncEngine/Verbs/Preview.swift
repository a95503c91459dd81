internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the report that a push, pull or sync would give if it were run now; nothing is written or
    /// sent.
    ///
    /// Nobody is asked: where the policy says so, conflicts are told as such.
    func preview(_ options: SyncOptions, pulls: Bool, pushes: Bool) async throws -> SyncReport {
        try await Run.rehearse(self) { run, meeting in
            do {
                return try await run.preview(meeting, options, pulls: pulls, pushes: pushes)
            } catch let error where error.isAtRemote || error is CancellationError {
                run.report = SyncReport()
                run.report.stop = run.told(error)
                return run.finishedReport(nil, isPull: !pushes)
            }
        }
    }
}

extension Run {
    fileprivate func preview(
        _ meeting: Meeting, _ options: SyncOptions, pulls: Bool, pushes: Bool
    ) async throws -> SyncReport {
        let connection = try await connect(meeting)
        let selected =
            try options.todos.isEmpty ? nil : Set(snapshot.ids(options.todos, orNew: true))
        let isSelected = { (id: TodoID) in selected?.contains(id) ?? true }
        var news = try await self.news(of: connection)
        for (id, todo) in state.todos.loaded where news[id] == nil { news[id] = todo.held }
        try takeAnswers(from: &news)
        if !pulls {
            // A push meets what the remote has only where it has something to send.
            let sent = Set(snapshot.pendingOperations().map(\.id).filter(isSelected))
            news = news.filter { sent.contains($0.key) }
            report.unusableRecords = []
        }
        try forgetDoubtful(news)
        let policy = Policy(
            conflicts: options.policy.withoutQuestions, allowedDeletes: options.allowedDeletes,
            knowsAll: pulls, deviceName: surroundings.deviceName, resolutions: { self.resolutions })
        let plan = plan(news, at: snapshot, policy)
        report.withheld = plan.withheld
        for edit in plan.edits { note(edit) }
        let after = snapshot.applying(plan.edits)
        if pushes {
            var operations = after.pendingOperations().filter { isSelected($0.id) }
            let deletes = operations.filter { $0.kind == .delete }
            if let withheld = after.tracked.withheldDeletes(
                .local, deletes.map(\.path), allowed: options.allowedDeletes, besides: newTodos)
            {
                report.withheld = withheld
                operations.removeAll { $0.kind == .delete }
            }
            report.pushed = operations.map {
                SyncedTodo(id: $0.id, path: $0.path, operation: $0.kind)
            }
            let named = try options.todos.map(snapshot.named)
            let newFiles = after.folder.newTodos.filter { file in
                named.isEmpty || named.contains { $0.isNew(file.path) }
            }
            report.pushed += newFiles.map { SyncedTodo(id: nil, path: $0.path, operation: .insert) }
        }
        report.complete(after, selected, isPull: !pushes)
        for index in report.conflicts.indices
        where self.state.todos[report.conflicts[index].id]?.conflict == nil {
            report.conflicts[index].isForeseen = true
            report.conflicts[index].hasMarkers = false
        }
        return report
    }

    /// Takes what the remote has of this folder's own unanswered operations for their answers.
    private func takeAnswers(from news: inout [TodoID: RemoteState]) throws {
        for (id, remote) in news {
            guard let sent = state.todos[id]?.sent, sent.bytes == remote.todo?.bytes else { continue }
            try transaction.record([.accepted(id: id, remote.version)])
            news[id] = nil
        }
    }
}
