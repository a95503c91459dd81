internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Returns the report that a push, pull or sync would return now, without writing or sending anything.
    ///
    /// It doesn't wait for a running command, and it asks no questions: conflicts that the policy would ask
    /// about are reported as conflicts.
    func dryRun(_ options: SyncOptions, pulls: Bool, pushes: Bool) async throws -> SyncReport {
        let configuration = try configuration()
        let remembered = try translatingErrors { try directory.rememberedState() }
        let opened = Handshake.open(configuration, surroundings)
        let handshake = Handshake(opened, remembered.state, wantsNews: true)
        do {
            surroundings.tell(remembered.damage)
            let survey = GitSurvey(self)
            let snapshot = try Snapshot.recovered(
                self, configuration, remembered.state, by: survey
            ).snapshot
            var dryRun = DryRun(self, snapshot, survey, isProven: remembered.isProven)
            do {
                try await dryRun.planSync(handshake, options, pulls: pulls, pushes: pushes)
            } catch let error where error.isRemoteFailure || error is CancellationError {
                dryRun = DryRun(self, dryRun.snapshot, survey, isProven: remembered.isProven)
                dryRun.report.stop = surroundings.reporting(error)
                dryRun.report.hasDoneNothing = true
                dryRun.finish(nil, isPull: !pushes)
            }
            // Without this check, an unreadable text would count as missing.
            try dryRun.snapshot.tracked.todos.check()
            return dryRun.report
        } catch {
            await handshake.end()
            throw error
        }
    }
}

/// A sync that is only planned.
///
/// It applies changes to a snapshot instead of recording them.
private final class DryRun {
    let workspace: Workspace
    var snapshot: Snapshot
    let survey: GitSurvey?
    let isProven: Bool
    var report = SyncReport()
    /// The git operation in progress, if files mustn't be changed during it.
    private var progress: Repository.Progress?
    private lazy var resolutions = workspace.remembered()

    init(_ workspace: Workspace, _ snapshot: Snapshot, _ survey: GitSurvey?, isProven: Bool) {
        self.workspace = workspace
        self.snapshot = snapshot
        self.survey = survey
        self.isProven = isProven
    }

    func planSync(
        _ handshake: Handshake, _ options: SyncOptions, pulls: Bool, pushes: Bool
    ) async throws {
        let connection = try await handshake.remote(of: snapshot)
        snapshot = snapshot.recording(
            try snapshot.recordsOfHandshake(connection, NamedRemotes(directory: workspace.directory)))
        let selected =
            try options.todos.isEmpty ? nil : Set(Selection(snapshot).ids(options.todos, orNew: true))
        let isSelected = { (id: TodoID) in selected?.contains(id) ?? true }
        progress = options.isDuringGit ? nil : survey?.repository.progress()
        for id in selected ?? [] where !options.todos.isEmpty { snapshot.standings[id] = nil }
        let forwardsHeld = snapshot.configuration.gitForward == .always
        for (id, standing) in snapshot.standings {
            guard standing.isHeld, options.forwards || forwardsHeld && !snapshot.isHeldElsewhere(id) else {
                continue
            }
            snapshot.standings[id] = .forwarded
        }
        var incoming = try await news(of: connection)
        takeAnswers(from: &incoming.changes)
        let refused = incoming.refuseOtherCase(at: snapshot)
        if pulls {
            report.unusableRecords = incoming.unusable + refused
        } else {
            // A push sees the remote's state only for todos that it sends.
            let sent = Set(snapshot.pendingOperations().map(\.id).filter(isSelected))
            incoming.changes = incoming.changes.filter { sent.contains($0.key) }
        }
        let doubtful = snapshot.doubtful(incoming.changes, isProven: isProven)
        if !doubtful.isEmpty {
            snapshot = snapshot.recording([.distrusted(doubtful)])
            workspace.surroundings.tellDoubt()
        }
        let conflictsBefore = Set(ConflictedTodo.all(in: snapshot).map(\.id))
        planPull(incoming.changes, options, knowsAll: pulls)
        planOlder(options, selected, isForPush: pushes)
        if pushes { try planPush(options, selected) }
        finish(selected, isPull: !pushes)
        for index in report.conflicts.indices where !conflictsBefore.contains(report.conflicts[index].id) {
            report.conflicts[index].isExpected = true
            report.conflicts[index].hasMarkers = false
        }
    }

    /// Returns all remote changes since the last pull, including held ones.
    private func news(of connection: Connection) async throws -> IncomingChanges {
        var batch = try await connection.firstNews(after: snapshot.tracked.cursor)
        var incoming = IncomingChanges(batch, at: snapshot)
        while !batch.isLast {
            batch = try await RecordBatch.read(from: connection, following: batch)
            incoming.take(batch, at: snapshot)
        }
        for (id, todo) in snapshot.tracked.todos.loaded where incoming.changes[id] == nil {
            incoming.changes[id] = todo.held ?? snapshot.folder.recordedChange(of: id, todo)
        }
        return incoming
    }

    /// Treats a remote state that equals an unanswered operation as the answer to it.
    private func takeAnswers(from changes: inout [TodoID: RemoteState]) {
        for (id, remote) in changes {
            guard let sent = snapshot.tracked.todos[id]?.sent, sent.bytes == remote.todo?.bytes,
                let version = remote.version
            else { continue }
            snapshot.tracked.apply(.accepted(id: id, version))
            changes[id] = nil
        }
        // A push sends the other operations again.
        for (id, todo) in snapshot.tracked.todos.loaded where todo.sent != nil {
            snapshot.tracked.apply(.rejected(id: id))
        }
    }

    private func policy(_ options: SyncOptions) -> Policy {
        Policy(
            conflicts: options.policy.withoutQuestions, allowedDeletes: options.allowedDeletes,
            allowsManyMarkers: options.allowsManyMarkers, allowedEdits: options.allowedEdits,
            leavesFiles: progress != nil, deviceName: workspace.surroundings.deviceName,
            resolutions: { self.resolutions })
    }

    private func planPull(
        _ changes: [TodoID: RemoteState], _ options: SyncOptions, knowsAll: Bool
    ) {
        var policy = policy(options)
        policy.knowsAll = knowsAll
        survey?.acknowledge(changes, in: &snapshot)
        let plan = plan(changes, at: snapshot, policy)
        report.withheld = report.withheld ?? plan.withheld
        if plan.waiting.contains(where: { $0.reason == .git }) { report.hasWaited = true }
        for edit in plan.edits {
            let lastPlace = snapshot.tracked.todos[edit.id]?.lastPlace
            _ = report.note(
                edit, at: edit.after?.path ?? edit.before?.path ?? lastPlace ?? edit.id.string)
        }
        snapshot = snapshot.applying(plan.edits)
    }

    /// Plans to update files that are older versions to the newest ones.
    private func planOlder(_ options: SyncOptions, _ selected: Set<TodoID>?, isForPush: Bool) {
        let due = snapshot.standings.filter { id, standing in
            standing == .forwarded
                || isForPush && standing.isOfOlderVersion && selected?.contains(id) ?? true
        }
        let newest = due.keys.compactMap { id in
            snapshot.tracked.todos[id]?.newest.map { (id, $0) }
        }
        guard !newest.isEmpty else { return }
        planPull(Dictionary(uniqueKeysWithValues: newest), options, knowsAll: false)
        for id in due.keys { snapshot.standings[id] = nil }
    }

    private func planPush(_ options: SyncOptions, _ selected: Set<TodoID>?) throws {
        var policy = policy(options)
        policy.new = { self.report.newTodos }
        let plan = PushPlan(snapshot: snapshot, selected: selected, policy: policy)
        let edits = plan.edits()
        let deletes = plan.deletes(snapshot.pendingDeletes { selected?.contains($0) ?? true })
        report.withheldEdits = edits.withheld
        report.withheld = deletes.withheld ?? report.withheld
        let operations = edits.operations + deletes.operations
        report.pushed = operations.map { SyncedTodo(id: $0.id, path: $0.path, operation: $0.kind) }
        let named = try options.todos.map { try Selection(snapshot).named($0) }
        let newFiles = snapshot.folder.newTodos.filter { file in
            progress == nil || !named.isEmpty
        }.filter { file in
            named.isEmpty || named.contains { $0.isNew(file.path) }
        }
        report.pushed += newFiles.map { SyncedTodo(id: nil, path: $0.path, operation: .insert) }
        if progress != nil {
            let due = snapshot.pendingOperations { selected?.contains($0) ?? true }
            let isNewLeft = named.isEmpty && !snapshot.folder.newTodos.isEmpty
            report.hasWaited = report.hasWaited || due.count > operations.count || isNewLeft
        }
    }

    func finish(_ selected: Set<TodoID>?, isPull: Bool) {
        report.finish(
            snapshot, selected, workspace.surroundings, in: workspace.directory,
            resolutions: { self.resolutions },
            isPull: isPull)
        report.gitProgress = progress.map(GitProgress.init)
        report.needsUser = report.needsUser || report.hasWaited
    }
}
