internal import Git
internal import Logging
internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A push, pull or sync in progress, with its report.
final class Exchange {
    let locked: LockedWorkspace
    let options: SyncOptions
    /// The result so far.
    var round: Round
    /// The user's answers so far.
    let answers: Answers
    /// Whether an earlier round did anything.
    let hasDoneBefore: Bool
    /// The git operation in progress, if files mustn't be changed during it.
    let progress: Repository.Progress?
    /// The number of times that the handler was asked about a todo.
    private var attempts: [TodoID: Int] = [:]
    /// The number of changes that the guards withheld.
    private var guards = WithheldCounts()
    /// The todos whose files were still missing after a short wait.
    private var awaited: Set<TodoID> = []
    /// The todos whose files couldn't be changed, until another file is changed.
    private var failed: Set<TodoID> = []

    /// The folder before a dry run; nil if this isn't a dry run.
    let before: Snapshot?
    /// The paths of the files that got an id only in a dry run, by that id.
    var newFiles: [TodoID: String] = [:]

    /// Begins or continues a push, pull or sync.
    ///
    /// - Parameters:
    ///   - answers: The user's answers to the questions of the earlier rounds.
    ///   - report: The report of the earlier rounds.
    ///   - hasDoneBefore: Whether an earlier round did anything.
    init(
        _ locked: LockedWorkspace, _ options: SyncOptions, _ answers: Answers,
        continuing report: SyncReport = SyncReport(), hasDoneBefore: Bool = false
    ) {
        self.locked = locked
        self.options = options
        self.answers = answers
        round = Round(report, cancelled: answers.cancelled) { [memory = locked.memory] in memory.resolutions }
        self.hasDoneBefore = hasDoneBefore
        progress = options.isDuringGit ? nil : locked.survey?.repository.progress()
        before = locked.transaction.isRehearsal ? locked.snapshot : nil
    }

    /// Whether this is a dry run.
    var isRehearsal: Bool { before != nil }

    // MARK: The remote

    /// Returns the connection to the remote after checking that the remote is the recorded one.
    func connect(_ handshake: Handshake) async throws -> Connection {
        var connection = try await handshake.remote(of: locked.snapshot)
        let records = try locked.snapshot.recordsOfHandshake(
            connection, NamedRemotes(directory: locked.workspace.directory))
        try locked.transaction.record(records)
        if case .forgotten? = records.first { try locked.rescan() }
        if isRehearsal { connection.rehearsal = RehearsedRemote(connection, locked.tracked) }
        return connection
    }

    /// Records which remote answered, before anything else is recorded about it.
    func remember(_ connection: Connection) throws {
        guard locked.tracked.remote == nil else { return }
        try locked.transaction.record([.identity(connection.identity, url: connection.url)])
    }

    // MARK: Guards

    /// Records that a guard withholds changes of some todos, if there are any.
    func withhold(_ todos: [HeldTodo]) {
        guard let withheld = todos.first?.withheld else { return }
        locked.surroundings.logger?.info("guard: \(withheld.words)")
        round.report.held.replace(by: todos)
        if withheld.change == .delete { locked.isWithholding = true }
        switch (withheld.side, withheld.change) {
        case (.remote, _): guards.remote = withheld.count
        case (.local, .delete): guards.local = withheld.count
        case (.local, _): guards.edits = withheld.count
        }
    }

    /// Records the withheld changes in the journal, for later commands.
    ///
    /// - Parameters:
    ///   - pulls: Whether all of the remote's deletes were checked.
    ///   - pushesAll: Whether all local changes were checked.
    func rememberGuards(pulls: Bool, pushesAll: Bool) throws {
        var guards = guards
        if !pulls { guards.remote = max(guards.remote, locked.tracked.guards.remote) }
        if !pushesAll {
            guards.local = max(guards.local, locked.tracked.guards.local)
            guards.edits = max(guards.edits, locked.tracked.guards.edits)
        }
        if guards != locked.tracked.guards { try locked.transaction.record([.guards(guards)]) }
    }

    // MARK: Applying remote changes

    /// The number of times to plan a todo whose file keeps changing.
    static let maximumTries = 5

    /// Applies remote changes to the folder.
    ///
    /// A change that can't be applied now is held until a command can apply it.
    ///
    /// - Parameter coversAll: Whether these are all of the remote's changes.
    func applyChanges(_ changes: [TodoID: RemoteState], coversAll: Bool = false) async throws {
        try forgetDoubtful(changes)
        if let survey = locked.survey {
            var snapshot = locked.snapshot
            survey.acknowledge(changes, in: &snapshot)
            locked.standings = snapshot.standings
        }
        var waiting = changes
        var stop: (any Error)?
        round.report.left = SyncReport.Left(count: changes.count, isAll: coversAll)
        // Even without remote changes, a todo might no longer need the name that is used only in this folder.
        if waiting.isEmpty, coversAll { _ = try apply(try await planAsking([:], coversAll: true, &stop)) }
        for _ in 0..<Self.maximumTries where !waiting.isEmpty {
            try locked.surroundings.checkGoesOn()
            _ = try await waitForFiles(of: Set(waiting.keys.filter(isMissingItsFile)))
            waiting = try apply(try await planAsking(waiting, coversAll: coversAll, &stop))
            round.report.left.count = waiting.count
        }
        // Cancelled changes are still to be pulled; their files don't keep changing.
        if !waiting.isEmpty { try locked.surroundings.checkGoesOn() }
        try hold(
            waiting.sorted { $0.key < $1.key }.map {
                Plan.Waiting(id: $0.key, remote: $0.value, reason: .keepsChanging)
            })
        if let stop { throw stop }
    }

    /// Plans how to apply remote changes, and asks the handler; conflicts that need the user's answer wait.
    ///
    /// - Parameter stop: The error that stopped the handler; it is thrown once the handler's earlier answers
    ///   are applied.
    private func planAsking(
        _ changes: [TodoID: RemoteState], coversAll: Bool, _ stop: inout (any Error)?
    ) async throws -> Plan {
        // A handler's answers are about one plan; the user's are kept for the next rounds.
        var answers = answers
        answers.handler = options.handler?.chooser(locked.configuration)
        while true {
            let context = PlanContext(
                coversAll: coversAll, leavesFiles: progress != nil,
                waiting: failed.union(round.cancelled).union(round.questions.keys),
                new: { self.round.report.newTodos }, resolutions: { self.locked.memory.resolutions })
            let next = plan(changes, at: locked.snapshot, options, answers, in: context)
            if next.questions.isEmpty, next.questionsForHandler.isEmpty {
                // Learn only now, because the plan uses the resolutions that were remembered before.
                for id in next.answered where round.used.insert(id).inserted {
                    guard let given = answers.given[id], !given.isDraft else { continue }
                    let handled = answers.handled[id]?.handled ?? []
                    locked.memory.learn(given.conflict, from: given.bytes, besides: Set(handled))
                }
                return next
            }
            for question in next.questions { round.questions[question.id] = question }
            try await askHandler(next.questionsForHandler, &answers.handled, &stop)
        }
    }

    /// Asks the handler, in the order of the report.
    private func askHandler(
        _ questions: [Conflict], _ handled: inout [TodoID: Conflict], _ stop: inout (any Error)?
    ) async throws {
        for var question in questions.sorted(byBytesOf: \.path) where stop == nil {
            attempts[question.id, default: 0] += 1
            question.attempt = attempts[question.id] ?? 1
            do {
                let left = try await options.handler?.answer(
                    question, locked.configuration, locked.surroundings)
                if left == nil { cancel(question.id) }
                handled[question.id] = left
                round.report.handlerProblems[question.id] = left?.handlerProblem
            } catch {
                if handled.isEmpty { throw error }
                stop = error
            }
        }
        if stop != nil {
            round.cancelled.formUnion(questions.map(\.id).filter { handled[$0] == nil })
        }
    }

    /// Leaves a todo unchanged, with its operation pending.
    func cancel(_ id: TodoID) {
        round.cancelled.insert(id)
        locked.log(id, locked.folder.path(of: id) ?? id.string, .update, .cancelled)
    }

    /// Returns whether a tracked todo's file is missing from the folder.
    private func isMissingItsFile(_ id: TodoID) -> Bool {
        guard !locked.folder.todos.contains(id), let recorded = locked.tracked.todos[id],
            recorded.base?.todo != nil
        else {
            return false
        }
        let snapshot = locked.snapshot
        return recorded.localPath != nil && !round.cancelled.contains(id)
            && snapshot.canChangeFile(of: id, snapshot.condition(of: id))
    }

    /// Waits a moment and scans again if files are missing, because some editors move a file away for a
    /// moment to save it.
    ///
    /// - Returns: Whether the folder was scanned again; false if all the todos were already waited for.
    func waitForFiles(of ids: Set<TodoID>) async throws -> Bool {
        guard !ids.isSubset(of: awaited) else { return false }
        try await locked.surroundings.pause(.milliseconds(300))
        try locked.rescan()
        awaited = awaited.union(ids).filter { !locked.folder.todos.contains($0) }
        return true
    }

    /// Holds remote changes for a later command.
    func hold(_ waiting: [Plan.Waiting]) throws {
        let new = waiting.filter { locked.tracked.todos[$0.id]?.held != $0.remote }
        try locked.transaction.record(new.map { .held(id: $0.id, $0.remote) })
        var reported = Set(round.report.held.compactMap(\.id))
        for todo in waiting {
            guard let reason = todo.reason, reported.insert(todo.id).inserted else { continue }
            let path =
                locked.folder.path(of: todo.id) ?? locked.tracked.todos[todo.id]?.lastLocalPath
                ?? todo.id.string
            round.report.held.append(HeldTodo(id: todo.id, path: path, reason: reason))
        }
    }

    /// Applies a plan.
    ///
    /// - Returns: The changes to plan again, because their edits failed, or because files weren't as planned.
    private func apply(_ plan: Plan) throws -> [TodoID: RemoteState] {
        try hold(plan.waiting)
        withhold(plan.withheld)
        let (edits, obstructed) = try holdObstructed(plan.edits)
        let planned = locked.surroundings.logsDecisions ? locked.snapshot : nil
        let outcomes = try locked.apply(edits, cancelling: .eachRemoval)
        // Retry a failed edit only if another file might have been in the way.
        let isTriedAgain = zip(edits, outcomes).contains { $1 == .done && !$0.isConfirmation }
        if isTriedAgain { failed = [] }
        var again = isTriedAgain ? obstructed : [:]
        var outOfSpace: FileError?
        for (edit, outcome) in zip(edits, outcomes) {
            switch outcome {
            case .done:
                planned?.log(edit, to: locked.surroundings.logger)
                note(edit)
                if !edit.isConfirmation { round.report.held.removeAll { $0.id == edit.id } }
            case .failed(let error):
                if error.isOutOfSpace { outOfSpace = outOfSpace ?? error }
                // Report only the last failure.
                postpone(edit, error)
                again[edit.id] = edit.remote
                if !isTriedAgain { failed.insert(edit.id) }
            case .changedMeanwhile, .occupied, .refused, .withoutPath: again[edit.id] = edit.remote
            case .cancelled: again[edit.id] = edit.remote
            }
        }
        if let outOfSpace { throw outOfSpace }
        return again
    }

    /// Holds edits that can't be applied, for example because a folder isn't writable, and returns the
    /// others.
    ///
    /// Changes that are already held in the journal aren't recorded again.
    private func holdObstructed(
        _ edits: [PlannedEdit]
    ) throws -> (free: [PlannedEdit], held: [TodoID: RemoteState]) {
        let changes = edits.map(\.change)
        let found = locked.transaction.obstacles(to: changes.compactMap(\.self))
        guard found.contains(where: { $0 != nil }) else { return (edits, [:]) }
        var obstacles = found.makeIterator()
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
                Plan.Waiting(id: $0.key, remote: $0.value)
            })
        return (free, held)
    }

    private func postpone(_ edit: PlannedEdit, _ error: FileError) {
        round.report.held.removeAll { $0.id == edit.id }
        round.report.held.append(HeldTodo(id: edit.id, path: edit.path, reason: .fileError, cause: error))
    }

    /// Adds the outcome of an edit to the report and the operation log.
    private func note(_ edit: PlannedEdit) {
        let path =
            edit.after?.path ?? edit.before?.path ?? locked.tracked.todos[edit.id]?.lastLocalPath
            ?? edit.id.string
        if let change = round.report.note(edit, at: path) { locked.changes.append(change) }
    }
}

extension SyncReport {
    /// Adds the outcome of an edit that applied a remote change.
    ///
    /// - Returns: The change for the operation log; nil if nothing happened to the todo.
    mutating func note(_ edit: PlannedEdit, at path: String) -> TodoChange? {
        guard let effect = edit.effect else { return nil }
        let id = edit.id
        if !edit.recalled.isEmpty {
            recalled.append(ReportRow(id: id, path: path, fields: edit.recalled))
        }
        let decided = edit.choices.filter { [.handler, .program].contains($0.chooser) }.flatMap(\.fields)
        if !decided.isEmpty {
            // The handler is asked again each time the remote has changed.
            handled.removeAll { $0.id == id }
            handled.append(ReportRow(id: id, path: path, fields: decided))
        }
        let kind = edit.kind
        if kind == .delete { formerTexts[id] = edit.before?.bytes }
        switch effect {
        case .confirmed:
            guard let before = edit.before, !before.path.isSameBytes(as: path) else {
                if edit.choices.isEmpty { return nil }
                let ruled = edit.choices.filter { $0.chooser == .rule }.flatMap(\.fields)
                if !ruled.isEmpty {
                    merged.append(ReportRow(id: id, path: path, operation: .update, fields: ruled))
                }
                return TodoChange(id: id, path: path, change: kind, state: .merged)
            }
            pulled.append(ReportRow(id: id, path: path, operation: .update))
            return TodoChange(id: id, path: path, change: .update, state: .pulled)
        case .pulled:
            pulled.append(ReportRow(pulling: edit, at: path))
            return TodoChange(id: id, path: path, change: kind, state: .pulled)
        case .merged(let parts):
            merged.append(
                ReportRow(
                    id: id, path: path, operation: edit.after == nil ? .delete : .update,
                    fields: parts.fields, notes: parts.hasCommentsOfBoth ? [.commentsOfBoth] : []))
            return TodoChange(
                id: id, path: path, change: edit.after == nil ? .delete : .update, state: .merged)
        case .conflict:
            return TodoChange(
                id: id, path: path, change: edit.before == nil ? .delete : .update, state: .conflict)
        }
    }

    /// The todos that this command added, which the guard doesn't count.
    var newTodos: Set<TodoID> {
        Set([pulled, pushed].joined().lazy.filter { $0.operation == .insert }.compactMap(\.id))
    }
}

extension Snapshot {
    /// Returns whether remote changes can be applied to the file of a todo in a state.
    func canChangeFile(of id: TodoID, _ condition: TodoCondition) -> Bool {
        if case .conflicted(let conflict, let file) = condition {
            // A file without markers can be merged again.
            if conflict?.obstacle == nil || file.isHeld { return false }
        }
        switch condition.ofFile {
        // If the user made todosync ignore the file, it is updated once it is no longer ignored.
        case .invalid, .unseen: return false
        case .notKept: return !folder.setAside.contains(id)
        case .unchanged, .pending, .conflicted, .held, .absent: return true
        }
    }
}
