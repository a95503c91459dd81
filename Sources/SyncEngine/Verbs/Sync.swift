internal import Git
internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Sends pending operations.
    ///
    /// An error from the remote, or one that stopped the push midway, is returned in ``SyncReport/stop``.
    /// Other errors are thrown.
    package func push(_ options: SyncOptions) async throws -> SyncReport {
        try await Rounds(self, options, pulls: false, pushes: true).report()
    }

    /// Applies the remote's changes.
    package func pull(_ options: SyncOptions) async throws -> SyncReport {
        try await Rounds(self, options, pulls: true, pushes: false).report()
    }

    /// Pulls and pushes until the sides agree, or a conflict needs the user.
    package func sync(_ options: SyncOptions) async throws -> SyncReport {
        try await Rounds(self, options, pulls: true, pushes: true).report()
    }

    /// Runs the loop behind every push, pull and sync while the lock is held.
    ///
    ///                    ┌──────────── snapshot ◄──────────────┐
    ///                    ▼                                     │ a file was not as planned
    ///     remote ─► plan(changes, snapshot, options) ► apply ─┤
    ///       ▲            │                                     │ done
    ///       │            └─► waiting: held for the next pull   ▼
    ///       │                                          pending operations
    ///       └───────────────── push ◄──────────────────────────┘
    ///         moved on: its answer is a change to apply
    ///
    /// 1. ``Exchange/connect(_:)`` checks that the remote is the recorded one.
    /// 2. ``Push/resolveSent()`` gets the answers that an earlier command didn't get.
    /// 3. ``Exchange/pull(_:)`` reads the remote's changes batch by batch and applies each batch.
    ///    ``Exchange/applyChanges(_:coversAll:)`` plans and applies changes, and plans again any that
    ///    couldn't be applied.
    /// 4. ``Push/push(_:)`` sends pending operations. If the remote has a newer version, its answer
    ///    contains that version, which is applied, and changes that are still pending are sent again.
    ///
    /// A round asks no questions; the user answers between rounds. See ``Rounds``.
    func round(
        _ options: SyncOptions, _ answers: Answers, continuing last: Round?, pulls: Bool, pushes: Bool
    ) async throws -> Round {
        let countsPending = pushes || options.countsPending
        // In a git repository, files that weren't changed here might have to be reported as held.
        let looksAtAll = countsPending || repository != nil
        return try await LockedWorkspace.perform(
            self, wantsNews: pulls, looksAtAll: looksAtAll, isRehearsal: options.isDryRun
        ) { locked, handshake in
            if last == nil, locked.configuration.gitHome != nil {
                surroundings.noticeOnce(
                    "git.home in .todosync/config.yaml no longer has an effect; remove it", in: directory)
            }
            let exchange = Exchange(
                locked, options, answers, continuing: last?.report.continued ?? SyncReport(),
                hasDoneBefore: last?.hasDoneSomething ?? false)
            locked.hasJudgedAll = options.todos.isEmpty
            var selected: Set<TodoID>?
            do {
                try await exchange.applyAnswers()
                let connection = try await exchange.connect(handshake)
                let push = Push(exchange: exchange, connection: connection)
                if pushes {
                    selected = try exchange.trackForPush()
                    for file in exchange.before?.folder.newTodos ?? [] {
                        if let id = locked.folder.id(at: file.path) { exchange.newFiles[id] = file.path }
                    }
                    if !options.todos.isEmpty { try Origins(locked: locked).attributeToUser(selected ?? []) }
                }
                try exchange.forward()
                try await exchange.applyChanges(try await push.resolveSent())
                if pulls {
                    try await exchange.pull(connection)
                    locked.transaction.prove()
                }
                // A pull sends nothing, so it reports held todos instead of asking whether to send them.
                if pushes { try exchange.decideHeld() }
                try await exchange.updateOlder(selected, isForPush: pushes)
                if pushes {
                    if selected != nil || exchange.progress == nil {
                        let created = try Occurrences(locked: locked).createForEditors(selected)
                        selected?.formUnion(created)
                    }
                    try await push.push(selected)
                }
                // Ctrl-C might have cancelled the handler.
                if !exchange.round.cancelled.isEmpty { try surroundings.checkGoesOn() }
                try exchange.rememberGuards(pulls: pulls, pushesAll: pushes && selected == nil)
                exchange.round.report.stop = exchange.round.report.unanswered.map(surroundings.reporting)
            } catch let question as AdoptionQuestion {
                throw question
            } catch let error
                where exchange.hasDoneSomething || error.isRemoteFailure || error is CancellationError
            {
                // Nothing of what a dry run has found so far is certain to happen.
                if exchange.isRehearsal { exchange.round.report = SyncReport() }
                exchange.round.report.stop = surroundings.reporting(error)
                try locked.giveUpAnnounced(after: error)
                try exchange.rememberGuards(pulls: false, pushesAll: false)
            }
            return exchange.end(selected, isPull: !pushes, countsPending: countsPending)
        }
    }
}

extension Exchange {
    /// Whether any changes have to be reported even if an error stops the command.
    var hasDoneSomething: Bool {
        if isRehearsal { return false }
        return hasDoneBefore
            || !(locked.changes.isEmpty && round.report.refused.isEmpty && round.report.held.waiting.isEmpty)
    }

    /// Gives ids to the files to push; returns the named todos, or nil for all if none were named.
    fileprivate func trackForPush() throws -> Set<TodoID>? {
        let names = options.todos
        guard !names.isEmpty else {
            if progress == nil {
                let paths = locked.folder.newTodos.map(\.path)
                let isAsked = options.askAboutAdoption != nil && locked.hasNeverSynced
                if isAsked, !paths.allSatisfy({ answers.adopted.contains(ByteKey($0)) }) {
                    throw AdoptionQuestion(paths: paths)
                }
                try locked.writeMissingIDs()
            }
            return nil
        }
        var paths: Set<ByteKey> = []
        for name in names {
            switch try Selection(locked.snapshot).named(name) {
            case .new(let file): paths.insert(ByteKey(file.path))
            case .todo(let id):
                if let file = locked.folder.invalidFile(of: id) { throw EngineError.invalid(file) }
                if let path = locked.folder.path(of: id) { paths.insert(ByteKey(path)) }
            case .invalid(let file): throw EngineError.invalid(file)
            case .duplicate(let file): throw EngineError.isDuplicate(file)
            }
        }
        let remembered = try names.compactMap { name -> TodoID? in
            if case .todo(let id) = try Selection(locked.snapshot).named(name) { id } else { nil }
        }
        try locked.writeMissingIDs { paths.contains(ByteKey($0.path)) }
        let present = locked.folder.todos.loaded.filter { paths.contains(ByteKey($0.value.path)) }.keys
        return Set(remembered).union(present)
    }

    /// Ends the round: completes the report with the open changes.
    func end(
        _ selected: Set<TodoID>?, isPull: Bool, countsPending: Bool = true
    ) -> Round {
        let isIdle = !hasDoneSomething
        var surroundings = locked.surroundings
        // The next round prints the same warnings.
        if !(round.questions.isEmpty && round.heldToAsk.isEmpty) { surroundings.notice = { _ in } }
        if progress != nil, !isPull { round.report.holdUnsent(locked.snapshot, selected) }
        round.report.finish(
            locked.snapshot, selected, surroundings, in: locked.workspace.directory,
            resolutions: { self.locked.memory.resolutions },
            isPull: isPull,
            countsPending: countsPending)
        round.report.gitProgress = progress.map(GitProgress.init)
        round.report.hasDoneNothing = round.report.stop != nil && isIdle
        round.report.needsUser = round.report.needsUser || !round.cancelled.isEmpty
        if let before { round.report.becomeForecast(since: before, newFiles) }
        round.report.held.log(to: locked.surroundings.logger)
        (round.selected, round.hasDoneSomething) = (selected, hasDoneSomething)
        return round
    }
}

extension Error {
    /// Whether the remote caused the error: it can't be reached, refused access or isn't the recorded one.
    var isRemoteFailure: Bool {
        switch self as any Error {
        case is RemoteError, EngineError.noRemote, EngineError.lostConfiguration, EngineError.otherRemote,
            EngineError.otherHistory:
            true
        default: false
        }
    }
}

extension SyncReport {
    /// The report that the next round adds to: it has the completed work, but nothing that is open.
    var continued: SyncReport {
        var next = SyncReport()
        (next.pushed, next.pulled, next.merged) = (pushed, pulled, merged)
        (next.recalled, next.handled, next.formerTexts) = (recalled, handled, formerTexts)
        (next.handlerProblems, next.unusableRecords) = (handlerProblems, unusableRecords)
        return next
    }

    /// Marks what doesn't exist yet after a dry run: the markers of new conflicts, and the ids of new files.
    ///
    /// - Parameters:
    ///   - before: The folder before the dry run.
    ///   - newFiles: The paths of new files before the dry run, by the ids that it gave them.
    fileprivate mutating func becomeForecast(since before: Snapshot, _ newFiles: [TodoID: String]) {
        let open = Set(ConflictedTodo.all(in: before).map(\.id))
        for index in conflicts.indices where !open.contains(conflicts[index].id) {
            conflicts[index].isExpected = true
            conflicts[index].hasMarkers = false
        }
        for index in pushed.indices {
            // A new path that contains the id can't be foreseen, either.
            guard let path = pushed[index].id.flatMap({ newFiles[$0] }) else { continue }
            (pushed[index].id, pushed[index].path) = (nil, path)
        }
        pushed = pushed.sorted(byBytesOf: \.path)
    }

    /// Adds the pending and new todos that aren't sent because a git operation is in progress.
    fileprivate mutating func holdUnsent(_ snapshot: Snapshot, _ selected: Set<TodoID>?) {
        // What keeps a todo from being sent is reported once.
        let reported = Set(held.filter { $0.operation != nil }.map(\.id) + refused.map(\.id))
        let conditions = snapshot.conditions { selected?.contains($0) ?? true && !reported.contains($0) }
        let pending = conditions.values.filter { !$0.isConflicted }.compactMap(\.operation)
        let ids = Set(pending.map(\.id))
        held.removeAll { $0.reason == .gitOperation && $0.id.map(ids.contains) ?? false }
        held += pending.map {
            HeldTodo(id: $0.id, path: $0.path, reason: .gitOperation, operation: $0.kind)
        }
        if selected != nil { return }
        held += snapshot.folder.newTodos.map {
            HeldTodo(path: $0.path, reason: .gitOperation, operation: .insert)
        }
    }

    /// Adds the open changes, and warns the user about unreadable files.
    mutating func finish(
        _ snapshot: Snapshot, _ selected: Set<TodoID>?, _ surroundings: Surroundings,
        in directory: WorkingDirectory, resolutions: () -> Resolutions, isPull: Bool,
        countsPending: Bool = true
    ) {
        let unreadableFiles = snapshot.unreadableFiles()
        surroundings.reportUnreadable(unreadableFiles)
        unreadable = unreadableFiles.filter(\.isDiskFailure)
        let reported = Set(held.waiting.map(\.id))
        // The next command meets any error here, too.
        let waiting = (try? WaitingTodos(in: snapshot, directory).all(delayed: false)) ?? []
        held += waiting.filter { todo in
            !reported.contains(todo.id) && todo.id.map { selected?.contains($0) ?? true } ?? false
        }
        complete(snapshot, selected, isPull: isPull, countsPending: countsPending)
        conflicts.addRemembered(resolutions(), snapshot)
    }

    /// Adds the open changes, and determines whether any of them needs the user.
    private mutating func complete(
        _ snapshot: Snapshot, _ selected: Set<TodoID>?, isPull: Bool,
        countsPending: Bool = true
    ) {
        let isSelected = { (id: TodoID?) in selected.map { set in id.map(set.contains) ?? false } ?? true }
        conflicts = ConflictedTodo.all(in: snapshot).filter { isSelected($0.id) }
        for index in conflicts.indices {
            conflicts[index].handlerProblem = handlerProblems[conflicts[index].id]
        }
        todoCount = snapshot.folder.todos.count
        pending = countsPending ? snapshot.pendingCount(of: selected) : nil
        if selected == nil {
            invalid = snapshot.folder.invalid
            duplicates = snapshot.folder.duplicates
            copies = snapshot.folder.copies
        }
        pushed = pushed.sorted(byBytesOf: \.path)
        pulled = pulled.sorted(byBytesOf: \.path)
        refused = refused.sorted(byBytesOf: \.path)
        merged = ReportRow.combined(merged).sorted(byBytesOf: \.path)
        recalled = recalled.sorted(byBytesOf: \.path)
        held += HeldTodo.ofGit(in: snapshot).filter { isSelected($0.id) }
        held = held.sorted(byBytesOf: \.path)
        leavesHeld = snapshot.configuration.gitForward == .never
        names = TodoNames(snapshot, former: formerTexts)
        let isHeldUp = !conflicts.isEmpty || !refused.isEmpty || held.needUser(leavesHeld)
        // A pull covers only the files that it changed; the next push reports other invalid files.
        needsUser = isHeldUp || !isPull && !(invalid.isEmpty && duplicates.isEmpty && copies.isEmpty)
    }
}

extension ReportRow {
    /// Combines successive merges of the same todo into one.
    static func combined(_ merged: [ReportRow]) -> [ReportRow] {
        var combined: [ReportRow] = []
        var indices: [TodoID?: Int] = [:]
        for todo in merged {
            if let index = indices[todo.id] {
                combined[index].path = todo.path
                combined[index].fields = (combined[index].fields + todo.fields).withoutRepetition
                combined[index].notes.formUnion(todo.notes)
                combined[index].operation = todo.operation
            } else {
                indices[todo.id] = combined.count
                combined.append(todo)
            }
        }
        return combined
    }
}
