internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// The options for merging copies that other tools made.
package struct AdoptOptions: Sendable {
    /// Whether only to report the changes, without making them.
    package var isDryRun: Bool
    /// Returns whether to merge all copies, if the user named none; false cancels the command.
    package var confirm: @Sendable ([CopiedFile]) throws -> Bool

    package init(
        isDryRun: Bool = false, confirm: @escaping @Sendable ([CopiedFile]) throws -> Bool = { _ in true }
    ) {
        self.isDryRun = isDryRun
        self.confirm = confirm
    }
}

extension Workspace {
    /// Merges copies of todos' files that other tools made into the todos, and removes the copies.
    ///
    /// The text of a copy is in the operation log before anything is changed, and a copy is removed only once
    /// its todo's file is written.
    ///
    /// - Parameter names: The paths of copies, or the names of todos whose copies to merge; empty for all
    ///   copies.
    package func adopt(_ names: [String], _ options: AdoptOptions = AdoptOptions()) throws -> AdoptReport {
        if options.isDryRun {
            let snapshot = try Snapshot(of: self)
            var planner = AdoptionPlanner(
                snapshot: snapshot, history: try history(), deviceName: surroundings.deviceName)
            return planner.plannedReport(try Selection(snapshot).copies(names))
        }
        return try LockedWorkspace.perform(self) { locked in
            let copies = try Selection(locked.snapshot).copies(names)
            if names.isEmpty, !copies.isEmpty, try !options.confirm(copies) {
                var report = AdoptReport()
                report.isCancelled = true
                return report
            }
            var adoption = Adoption(locked: locked, history: try history())
            try adoption.adopt(copies)
            return adoption.report
        }
    }
}

extension Selection {
    /// Returns the copies that names refer to, in the order of their paths; all if there are no names.
    fileprivate func copies(_ names: [String]) throws -> [CopiedFile] {
        let all = snapshot.folder.copies
        if names.isEmpty { return all }
        var wanted: Set<CopiedFile> = []
        for name in names {
            var named = all.filter { $0.path.isSameBytes(as: name) }
            if named.isEmpty {
                let ids = try ids([name], orNew: true)
                named = all.filter { ids.contains($0.id) }
            }
            if named.isEmpty { throw EngineError.hasNoCopy(path: name) }
            wanted.formUnion(named)
        }
        return wanted.sorted(byBytesOf: \.path)
    }
}

extension AdoptionPlanner {
    /// Returns the report on copies as if they were merged one after another.
    fileprivate mutating func plannedReport(_ copies: [CopiedFile]) -> AdoptReport {
        var report = AdoptReport()
        for copy in copies {
            do {
                let planned = try plan(copy)
                report.adopted.append(planned.report)
                if let edit = planned.edit { snapshot = snapshot.applying([edit]) }
            } catch {
                report.unresolved.append(ReportRow(copy, error))
            }
        }
        return report
    }
}

/// Merges copies into their todos, and removes them.
private struct Adoption {
    let locked: LockedWorkspace
    let history: History
    private(set) var report = AdoptReport()

    /// A copy to be merged, and the edit that removes it.
    private typealias Step = (adoption: PlannedAdoption, removal: PlannedEdit)

    init(locked: LockedWorkspace, history: History) {
        self.locked = locked
        self.history = history
    }

    /// Merges copies into their todos, one copy of each todo at a time, and then removes them.
    mutating func adopt(_ copies: [CopiedFile]) throws {
        var merged: [Step] = []
        var left = copies
        while !left.isEmpty {
            var ids: Set<TodoID> = []
            let round = left.filter { ids.insert($0.id).inserted }
            left.removeAll(where: round.contains)
            merged += try merge(round)
        }
        // The merged texts must not get lost once the copies are gone.
        try locked.transaction.synchronizeFiles()
        for ((adoption, removal), outcome) in zip(merged, try locked.apply(merged.map(\.removal))) {
            let copy = adoption.copy
            guard let refusal = try AdoptionRefusal(outcome, of: "the copy") else {
                locked.log(removal.id, copy.path, .delete, .resolved)
                report.adopted.append(adoption.report)
                continue
            }
            report.unresolved.append(ReportRow(copy, refusal))
        }
        report.adopted = report.adopted.sorted(byBytesOf: \.path)
        report.unresolved = report.unresolved.sorted(byBytesOf: \.path)
    }

    /// Merges copies of different todos, and returns those that can be removed.
    private mutating func merge(_ copies: [CopiedFile]) throws -> [Step] {
        let planner = AdoptionPlanner(
            snapshot: locked.snapshot, history: history, deviceName: locked.surroundings.deviceName)
        var steps: [Step] = []
        for copy in copies {
            do {
                let adoption = try planner.plan(copy)
                // The log has the copy under an id of its own, as a file that isn't a todo's.
                let removal = PlannedEdit(
                    id: locked.surroundings.newTodoID(),
                    before: FileText(path: copy.path, bytes: adoption.bytes), after: nil)
                steps.append((adoption, removal))
            } catch {
                report.unresolved.append(ReportRow(copy, error))
            }
        }
        // "explain" needs the copy and the version that it was merged against.
        let kept = steps.filter { $0.adoption.edit != nil }.flatMap { step in
            [step.adoption.bytes, step.adoption.base].compactMap(\.self).map {
                JournalRecord.kept(id: step.removal.id, path: step.adoption.copy.path, bytes: $0)
            }
        }
        var outcomes = try locked.apply(steps.compactMap(\.adoption.edit), recording: kept).makeIterator()
        var merged: [Step] = []
        for step in steps {
            if let edit = step.adoption.edit {
                let outcome = outcomes.next() ?? .cancelled
                if let refusal = try AdoptionRefusal(outcome, of: edit.path) {
                    report.unresolved.append(ReportRow(step.adoption.copy, refusal))
                    continue
                }
                locked.log(
                    edit.id, edit.path, edit.before == nil ? .insert : .update,
                    step.adoption.report.outcome == .conflict ? .conflict : .merged)
            }
            merged.append(step)
        }
        return merged
    }
}

extension AdoptionRefusal {
    /// Creates the reason why a file wasn't changed; nil if it was.
    fileprivate init?(_ outcome: FileChangeOutcome, of file: String) throws {
        switch outcome {
        case .done: return nil
        case .failed(let error): self.init(reason: "\(error)", cause: error)
        case .cancelled: throw CancellationError()
        case .changedMeanwhile, .occupied, .refused, .withoutPath:
            self.init(reason: "\(file) changed in the meantime; run \"todosync resolve --adopt\" again")
        }
    }
}
