internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension LockedWorkspace {
    /// Applies edits: announces them in the journal, changes the files, and records each outcome.
    ///
    /// No other code changes users' files. The disk is synchronized a fixed number of times, regardless of
    /// the number of edits. An edit that wasn't applied is recorded as abandoned, and the folder is scanned
    /// again if files weren't as planned.
    ///
    /// - Parameters:
    ///   - records: Records to write to the journal before the announcements.
    ///   - folders: The folders that an interrupted command changed, if the edits finish that command.
    ///   - cancellation: How far the edits are cancelled if the command is asked to end. A caller that passes
    ///     ``ChangeCancellation/eachRemoval`` reports the removals that were cancelled.
    /// - Returns: The outcome of each edit, in the same order.
    /// - Throws: `CancellationError` if no edit was applied because the command was asked to end.
    func apply(
        _ edits: [PlannedEdit], recording records: [JournalRecord] = [], finishingIn folders: [String]? = nil,
        cancelling cancellation: ChangeCancellation = .together
    ) throws -> [FileChangeOutcome] {
        guard !edits.isEmpty else {
            try transaction.record(records)
            return []
        }
        var announcement = records
        announcement.reserveCapacity(records.count + edits.count)
        for edit in edits where edit.recording == .announced { announcement.append(edit.record(in: tracked)) }
        let changes = edits.map(\.change)
        let changed: [FileChangeOutcome]
        do {
            changed = try transaction.apply(
                changes.compactMap(\.self), announcing: announcement, finishingIn: folders,
                cancelling: cancellation)
        } catch let error as CancellationError {
            let announced = edits.filter { $0.recording == .announced }
            try transaction.record(announced.map { .abandoned(id: $0.id) })
            throw error
        }
        var outcomesOfChanges = changed.makeIterator()
        let outcomes = changes.map { $0 == nil ? .done : outcomesOfChanges.next() ?? .cancelled }
        try recordOutcomes(zip(edits, outcomes))
        return outcomes
    }

    /// Records the outcomes of edits.
    private func recordOutcomes(_ edits: some Sequence<(PlannedEdit, FileChangeOutcome)>) throws {
        var records: [JournalRecord] = []
        var (isFolderStale, isCacheStale) = (false, false)
        var lost: [PlannedEdit] = []
        for (edit, outcome) in edits {
            if outcome != .done, edit.recording == .announced { records.append(.abandoned(id: edit.id)) }
            switch outcome {
            case .done:
                switch edit.recording {
                case .announced:
                    if edit.isConfirmation {
                        // The file that git wrote or removed might match the newest version by now.
                        if edit.isNewestAlready { standings[edit.id] = nil }
                        continue
                    }
                    transaction.finish(edit.id)
                case .announcedBefore: records.append(.finished(id: edit.id))
                case .afterward, .written: records.append(.announced(edit.announcement(in: tracked)))
                case .pathOnly:
                    if let path = edit.after?.path { records.append(.found(id: edit.id, path: path)) }
                case .none: continue
                }
                if edit.remote != nil, let record = survey?.recordOfCommitted(edit.id) {
                    records.append(record)
                }
                noteChange(of: edit)
                isFolderStale = isFolderStale || edit.drops
            case .changedMeanwhile:
                // The file's stamp might not reveal the change.
                isCacheStale = true
            case .occupied, .refused:
                if let path = edit.after?.path { occupied.insert(ByteKey(path)) }
                // The todo's own file might exist again, because some editors move it away for a moment to
                // save it.
                isFolderStale = true
            case .withoutPath:
                lost.append(edit)
                isFolderStale = true
            case .failed, .cancelled: break
            }
        }
        try transaction.record(records)
        for case .announced(let edit) in records { transaction.finish(edit.id) }
        try transaction.record(dropped(edits))
        for edit in lost { try createAgain(edit) }
        if isFolderStale || isCacheStale { try rescan(usingCache: !isCacheStale) }
    }

    /// Returns the records for edits that end the tracking of a todo.
    private func dropped(_ edits: some Sequence<(PlannedEdit, FileChangeOutcome)>) -> [JournalRecord] {
        edits.filter { $0.0.drops && $0.1 == .done }.map { .dropped(id: $0.0.id) }
    }

    /// Updates the folder after an edit was applied.
    private func noteChange(of edit: PlannedEdit) {
        standings[edit.id] = nil
        rolledBack.remove(edit.id)
        guard let file = edit.after else { return folder.forget(edit.id) }
        folder.write(
            edit.id, at: file.path, file.bytes, stamp: transaction.stamp(ofFileAt: file.path),
            isConflicted: tracked.todos[edit.id]?.hasMarkedConflict ?? false,
            checked: checkedTexts[edit.id].flatMap { $0.bytes == file.bytes ? $0 : nil })
    }

    /// Creates a file that lost both its old and its new path during a move, under a name used only in this
    /// folder.
    private func createAgain(_ edit: PlannedEdit) throws {
        guard let before = edit.before, let path = edit.after?.path else { return }
        let plan = PathPlan([PathPlan.Wish(id: edit.id, path: path)], isUsable: snapshot.isUsable) {
            $0.isSameBytes(as: path) ? .fixed : nil
        }
        if let assigned = plan.assignedPaths[edit.id] {
            let creation = PlannedEdit(
                id: edit.id, before: nil, after: FileText(path: assigned.path, bytes: before.bytes),
                isPathLocalOnly: true)
            if try apply([creation]) == [.done] { return }
        }
        // There is no path for the file, so keep the text in the operation log.
        try transaction.record([.kept(id: edit.id, path: path, bytes: before.bytes)])
    }
}

extension PlannedEdit {
    /// Whether the file already matches the version that a remote change makes the newest.
    fileprivate var isNewestAlready: Bool {
        switch (before, remote?.todo) {
        case (nil, nil): true
        case (let file?, let newest?):
            isSameText(file.bytes, newest.bytes) && newest.path?.isSameBytes(as: file.path) ?? true
        default: false
        }
    }
}
