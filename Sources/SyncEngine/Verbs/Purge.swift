internal import Git
internal import LosslessYAML
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The options of a purge.
package struct PurgeOptions: Sendable {
    /// The todos, as the user named them; empty for all done todos.
    package var todos: [String]
    /// The minimum time in seconds that the todos have been done for; nil for any time.
    package var age: Int?
    /// Whether to only report the todos that would be purged.
    package var isDryRun: Bool
    /// Returns whether to remove the todos in a report, which isn't empty; false cancels the command.
    package var confirm: @Sendable (PurgeReport) throws -> Bool

    package init(
        todos: [String] = [], age: Int? = nil, isDryRun: Bool = false,
        confirm: @escaping @Sendable (PurgeReport) throws -> Bool = { _ in true }
    ) {
        self.todos = todos
        self.age = age
        self.isDryRun = isDryRun
        self.confirm = confirm
    }
}

extension Workspace {
    /// Removes the files of done todos.
    ///
    /// The todos stay on the remote.
    ///
    /// Before the first file is removed, the journal records that the todos aren't kept here. Purged todos
    /// aren't pending, and no guard counts them. Later versions from the remote are recorded; a file comes
    /// back only with a version that isn't done. The folder isn't locked while the user is asked.
    ///
    /// - Throws: ``EngineError/cannotPurge(path:reason:)`` if a named todo can't be purged.
    package func purge(_ options: PurgeOptions) throws -> PurgeReport {
        let snapshot = try Snapshot(of: self)
        var wanted: Set<TodoID>?
        if !options.todos.isEmpty { wanted = try Set(Selection(snapshot).ids(options.todos)) }
        let plan = try PurgePlan(in: self, snapshot, wanted, options.age)
        if wanted != nil, let left = plan.report.left.first {
            throw EngineError.cannotPurge(path: left.path, reason: left.reason)
        }
        if options.isDryRun || plan.edits.isEmpty { return plan.report }
        guard try options.confirm(plan.report) else {
            return PurgeReport(left: plan.report.left, isCancelled: true)
        }
        let confirmed = Set(plan.edits.map(\.id))
        var report = try LockedWorkspace.perform(self) { locked in
            // The folder might have changed while the user was asked.
            let now = try PurgePlan(in: self, locked.snapshot, confirmed, options.age)
            return try Purging(locked: locked).apply(now.edits, now.report, as: (.delete, .purged))
        }
        report.left = (report.left + plan.report.left).sorted(byBytesOf: \.path)
        return report
    }

    /// Restores the files of purged todos, with the newest known versions.
    ///
    /// - Parameter names: The todos; empty for all.
    package func undoPurge(_ names: [String], isDryRun: Bool = false) throws -> PurgeReport {
        if isDryRun {
            let snapshot = try Snapshot(of: self)
            return PurgeReport(restoring: try snapshot.notKept.edits(restoring: names), in: snapshot)
        }
        return try LockedWorkspace.perform(self) { locked in
            let snapshot = locked.snapshot
            let edits = try snapshot.notKept.edits(restoring: names)
            return try Purging(locked: locked).apply(
                edits, PurgeReport(restoring: edits, in: snapshot), as: (.insert, .undone))
        }
    }
}

extension PurgeReport {
    /// Creates the report on the edits that bring back purged todos.
    fileprivate init(restoring edits: [PlannedEdit], in snapshot: Snapshot) {
        var texts: [TodoID: [UInt8]] = [:]
        for edit in edits { texts[edit.id] = edit.after?.bytes }
        todos = edits.map { ReportRow(id: $0.id, path: $0.path) }
        names = TodoNames(snapshot, former: texts)
    }
}

extension PurgePlan {
    /// Plans a purge of some todos, or of all done todos.
    ///
    /// - Parameter age: The minimum time in seconds that the todos have been done for; nil for any time.
    fileprivate init(
        in workspace: Workspace, _ snapshot: Snapshot, _ wanted: Set<TodoID>?, _ age: Int?
    ) throws {
        let tracked: Set<String>
        do throws(GitProcess.Failure) {
            tracked = try GitSurvey(workspace)?.indexed().present ?? []
        } catch {
            throw EngineError.cannotPurge(
                path: workspace.root, reason: "git can't list the files that it tracks")
        }
        var isDue = { (_: TodoID) -> Bool? in true }
        if let age, case .instant(let now)? = Due(workspace.surroundings.now()) {
            let times = DoneTimes(try workspace.history())
            isDue = { times.isDone($0, since: now.seconds - age) }
        }
        self.init(snapshot, wanted: wanted, tracked: tracked, isDue: isDue)
    }
}

/// The result of a purge or of its undo.
package struct PurgeReport: Sendable {
    /// The todos whose files were removed or brought back, in the order of their paths.
    package var todos: [ReportRow] = []
    /// The done todos whose files weren't changed.
    package var left: [ReportRow] = []
    /// The number of done todos that stay because the log doesn't show how long they have been done.
    package var undated = 0
    /// Whether the user declined.
    package var isCancelled = false
    /// The number of todos that are left because the command was asked to end.
    package var stopped = 0
    /// The names that people use for the todos.
    package var names = TodoNames()
}
