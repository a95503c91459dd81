internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Sends pending operations.
    ///
    /// What stops it at the remote or midway is in ``SyncReport/stop``; what is thrown stopped it before it
    /// did anything.
    package func push(_ options: SyncOptions) async throws -> SyncReport {
        try await exchange(options, pulls: false, pushes: true)
    }

    /// Brings in what is new on the remote.
    package func pull(_ options: SyncOptions) async throws -> SyncReport {
        try await exchange(options, pulls: true, pushes: false)
    }

    /// Brings in and sends until the sides agree, or a conflict needs the user.
    package func sync(_ options: SyncOptions) async throws -> SyncReport {
        try await exchange(options, pulls: true, pushes: true)
    }

    private func exchange(_ options: SyncOptions, pulls: Bool, pushes: Bool) async throws -> SyncReport {
        if options.isDryRun { return try await preview(options, pulls: pulls, pushes: pushes) }
        let looksAtAll = pushes || options.countsPending
        return try await Run.perform(self, wantsNews: pulls, looksAtAll: looksAtAll) { run, meeting in
            let policy = Policy(conflicts: options.policy, allowedDeletes: options.allowedDeletes)
            var selected: Set<TodoID>?
            do {
                let connection = try await run.connect(meeting)
                if pushes { selected = try run.takeUpForPush(options.todos) }
                let moved = try await run.settleSent(connection)
                try await run.bringIn(moved, policy)
                if pulls {
                    try await run.pull(connection, policy)
                    run.transaction.prove()
                }
                if pushes { try await run.push(connection, selected, policy) }
                // A question that Ctrl-C has cancelled.
                if !run.cancelled.isEmpty { try surroundings.checkGoesOn() }
                try run.rememberGuards(pulls: pulls, pushesAll: pushes && selected == nil)
                run.report.stop = run.report.unanswered.map(run.told)
            } catch let error where run.hasDoneSomething || error.isAtRemote || error is CancellationError {
                run.report.stop = run.told(error)
                try run.giveUpAnnounced(after: error)
                try run.rememberGuards(pulls: false, pushesAll: false)
            }
            return run.finishedReport(selected, isPull: !pushes, countsPending: looksAtAll)
        }
    }
}

extension Run {
    /// Whether there is something to tell of what was done.
    fileprivate var hasDoneSomething: Bool {
        !(changes.isEmpty && report.refused.isEmpty && report.postponed.isEmpty)
    }

    /// Gives ids to files that are to be pushed, and returns the todos named; nil if none were, which means
    /// all.
    fileprivate func takeUpForPush(_ names: [String]) throws -> Set<TodoID>? {
        guard !names.isEmpty else {
            try writeMissingIDs { _ in true }
            return nil
        }
        var paths: Set<ByteKey> = []
        for name in names {
            switch try snapshot.named(name) {
            case .new(let file): paths.insert(ByteKey(file.path))
            case .todo(let id):
                if let file = inventory.invalidFile(of: id) { throw EngineError.invalid(file) }
                if let path = inventory.path(of: id) { paths.insert(ByteKey(path)) }
            case .invalid(let file): throw EngineError.invalid(file)
            case .duplicate(let file): throw EngineError.isDuplicate(file)
            }
        }
        let remembered = try names.compactMap { name -> TodoID? in
            if case .todo(let id) = try snapshot.named(name) { id } else { nil }
        }
        try writeMissingIDs { paths.contains(ByteKey($0.path)) }
        let present = inventory.todos.loaded.filter { paths.contains(ByteKey($0.value.path)) }.keys
        return Set(remembered).union(present)
    }

    /// Completes the report with what is still open.
    func finishedReport(
        _ selected: Set<TodoID>?, isPull: Bool, countsPending: Bool = true
    ) -> SyncReport {
        let unreadable = snapshot.unreadablePlaces()
        surroundings.tellUnreadable(unreadable)
        report.unreadable = unreadable.filter(\.isOfDisk)
        report.hasDoneNothing = report.stop != nil && !hasDoneSomething
        report.complete(snapshot, selected, isPull: isPull, countsPending: countsPending)
        report.conflicts.tell(resolutions, snapshot)
        report.needsUser = report.needsUser || !cancelled.isEmpty
        return report
    }
}

extension Error {
    /// Whether the remote is the reason: it can't be reached, does not allow it, or is not the one it was.
    var isAtRemote: Bool {
        switch self as any Error {
        case is RemoteError, EngineError.noRemote, EngineError.lostConfiguration, EngineError.otherRemote,
            EngineError.otherHistory:
            true
        default: false
        }
    }
}

extension SyncReport {
    /// Adds what is still open, and says whether something waits for the user.
    mutating func complete(
        _ snapshot: Snapshot, _ selected: Set<TodoID>?, isPull: Bool,
        countsPending: Bool = true
    ) {
        let isSelected = { (id: TodoID?) in selected.map { set in id.map(set.contains) ?? false } ?? true }
        conflicts = snapshot.openConflicts().filter { isSelected($0.id) }
        todoCount = snapshot.folder.todos.count
        pending = countsPending ? snapshot.pendingIDs().count(where: isSelected) : nil
        if selected == nil {
            invalid = snapshot.folder.invalid
            duplicates = snapshot.folder.duplicates
        }
        pushed = pushed.sorted(byBytesOf: \.path)
        pulled = pulled.sorted(byBytesOf: \.path)
        refused = refused.sorted(byBytesOf: \.path)
        postponed = postponed.sorted(byBytesOf: \.path)
        merged = MergedTodo.combined(merged).sorted(byBytesOf: \.path)
        recalled = recalled.sorted(byBytesOf: \.path)
        let isHeldUp = !conflicts.isEmpty || !refused.isEmpty || withheld != nil || !postponed.isEmpty
        // A pull is about what it touched: what is invalid besides is the next push's matter.
        needsUser = isHeldUp || !isPull && !(invalid.isEmpty && duplicates.isEmpty)
    }
}

extension MergedTodo {
    /// Returns one entry a todo, where several merges followed one another.
    static func combined(_ merged: [MergedTodo]) -> [MergedTodo] {
        var combined: [MergedTodo] = []
        var indices: [TodoID: Int] = [:]
        for todo in merged {
            if let index = indices[todo.id] {
                combined[index].path = todo.path
                combined[index].fields += todo.fields.filter { !combined[index].fields.contains($0) }
            } else {
                indices[todo.id] = combined.count
                combined.append(todo)
            }
        }
        return combined
    }
}
