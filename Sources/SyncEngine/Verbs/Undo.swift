internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The options of an undo, a redo or a restoration of the folder.
package struct ReversalOptions: Sendable {
    /// Whether only to report the changes, without making them.
    package var isDryRun: Bool
    /// Returns whether to make the changes in a report, if there are any; false cancels the command.
    package var confirm: @Sendable (UndoReport) throws -> Bool

    package init(
        isDryRun: Bool = false, confirm: @escaping @Sendable (UndoReport) throws -> Bool = { _ in true }
    ) {
        self.isDryRun = isDryRun
        self.confirm = confirm
    }
}

extension Workspace {
    /// Undoes an operation's changes with a new operation, and keeps later changes.
    ///
    /// - Parameter name: The operation's name, as in ``History/index(of:)``; nil for the newest operation
    ///   with changes by the user that still has an effect and is neither an undo nor undone. Changes by an
    ///   editor count as the user's if the operation sent them. If the name is nil, remote changes that the
    ///   operation applied stay, and so do todos that an editor created.
    /// - Throws: ``EngineError/undoDeletes(count:of:command:)`` if no operation was named and undoing the
    ///   newest one would delete more todos than a guard allows.
    package func undo(_ name: String?, _ options: ReversalOptions = ReversalOptions()) throws -> UndoReport {
        var created: [ReportRow] = []
        var report = try ReversalPlan.apply(in: self, options) { planner, history in
            let undoable = UndoableOperations(history, planner)
            if let name { return planner.undo(undoable, try history.index(of: name), isNamed: true) }
            let found = planner.newest(undoable)
            created = undoable.created(since: found?.index ?? 0).compactMap { id in
                planner.snapshot.folder.path(of: id).map { path in
                    ReportRow(id, path, ReversalRefusal(createdAt: path))
                }
            }
            guard let (index, plan) = found else { return nil }
            let all = planner.snapshot.folder.todos.paths
            if let refusal = refusalToDelete(plan.reversals, history.operations[index], of: all) {
                throw refusal
            }
            return plan
        }
        report.created = created
        return report
    }

    /// Undoes the newest undo that is still in effect, if the user has changed nothing since.
    package func redo(_ options: ReversalOptions = ReversalOptions()) throws -> UndoReport {
        var newer: LogEntry?
        var report = try ReversalPlan.apply(in: self, options) { planner, history in
            let undoable = UndoableOperations(history, planner)
            switch undoable.newestUndo {
            case .none: return nil
            case .hidden(let index):
                newer = LogEntry(history.operations[index], undone: [])
                return nil
            case .undo(let index):
                var plan = planner.undo(undoable, index, isNamed: true)
                let root = undoable.root(of: index)
                plan.report.operation = LogEntry(history.operations[root], undone: [])
                return plan
            }
        }
        report.newer = newer
        return report
    }
}

extension ReversalPlan {
    /// Plans a reversal, asks the user, and applies it.
    static func apply(
        in workspace: Workspace, _ options: ReversalOptions,
        plan: (ReversalPlanner, History) throws -> ReversalPlan?
    ) throws -> UndoReport {
        func planned(_ snapshot: Snapshot, _ history: History) throws -> ReversalPlan {
            let found = try plan(ReversalPlanner(snapshot: snapshot), history)
            var plan = found ?? ReversalPlan(report: UndoReport())
            plan.addNames(from: snapshot)
            return plan
        }
        if options.isDryRun {
            let history = try workspace.history()
            return try planned(Snapshot(of: workspace), history).report
        }
        return try LockedWorkspace.perform(workspace) { locked in
            let plan = try planned(locked.snapshot, workspace.history())
            if !plan.reversals.isEmpty, try !options.confirm(plan.report) {
                var report = plan.report
                (report.undone, report.isCancelled) = ([], true)
                return report
            }
            return try locked.apply(plan)
        }
    }
}

extension LockedWorkspace {
    /// Applies a plan, and records what was done; records nothing if there is nothing to do.
    fileprivate func apply(_ plan: ReversalPlan) throws -> UndoReport {
        var report = plan.report
        report.undone = []
        if plan.reversals.isEmpty { return report }
        let undoes = plan.undoes.map(JournalRecord.undoes)
        for todo in plan.unchanged {
            if let id = todo.id, let change = todo.operation { log(id, todo.path, change, .undone) }
        }
        let refusals = try apply(plan.reversals, first: undoes)
        for reversal in plan.reversals {
            let (id, path) = (reversal.edit.id, reversal.edit.path)
            if let refusal = refusals[id] {
                report.refused.append(ReportRow(id, path, refusal))
            } else {
                report.undone.append(ReportRow(reversal))
                log(id, path, reversal.kind, plan.undoes == nil ? .pending : .undone)
            }
        }
        let undone = Set(report.undone.map(\.id))
        if let target = plan.undoes {
            memory.forget { $0.operation == target && undone.contains($0.id) }
        }
        report.undone = report.undone.sorted(byBytesOf: \.path)
        return report
    }
}

/// Returns the refusal to undo an unnamed operation that would delete more todos than a guard allows.
private func refusalToDelete(
    _ reversals: [Reversal], _ operation: LoggedOperation, of all: [String]
) -> EngineError? {
    let deletes = reversals.filter { $0.kind == .delete }
    let paths = deletes.compactMap(\.edit.before?.path)
    let guarded = DeleteGuard(deletes: paths, applied: [], others: all, allowed: nil, withheld: 0)
    guard guarded.withholds else { return nil }
    return .undoDeletes(count: deletes.count, of: all.count, command: operation.command)
}
