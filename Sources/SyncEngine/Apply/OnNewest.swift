internal import TodoModel
internal import WorkingCopy

/// The outcome of a command's work on the newest versions of todos.
///
/// If git rolled a todo back to an older version, a command changes the newest version, because the other
/// commands show that version. The same applies if the user has edited the older version; otherwise, the
/// older values would count as the command's.
enum OnNewest<Result> {
    case done(Result)
    /// Nothing was done yet, because these todos' files are older versions.
    case needs([TodoID])

    /// Performs work on the newest versions of some todos.
    ///
    /// The files that the work needs become the newest versions in a separate operation, so that undoing the
    /// work leads back to these versions. Then the work is repeated.
    static func perform(
        in workspace: Workspace, _ work: (LockedWorkspace) throws -> OnNewest
    ) throws -> Result {
        for _ in 0..<5 {
            let outcome = try LockedWorkspace.perform(workspace) { locked in
                let outcome = try work(locked)
                if case .needs(let ids) = outcome { try update(ids, in: locked) }
                return outcome
            }
            if case .done(let result) = outcome { return result }
        }
        throw EngineError.keepsChanging(path: workspace.root)
    }
}

/// Updates files to the newest versions; a file that has been edited since git rolled it back is merged.
///
/// Edits that can't be merged become conflicts, as in a sync.
private func update(_ ids: [TodoID], in locked: LockedWorkspace) throws {
    var newest: [TodoID: RemoteState] = [:]
    for id in ids {
        if locked.snapshot.condition(of: id).isHeld { locked.standings[id] = .forwarded }
        newest[id] = locked.tracked.todos[id]?.newest
    }
    let edits = plan(newest, at: locked.snapshot, in: PlanContext()).edits
    var report = SyncReport()
    for (edit, outcome) in zip(edits, try locked.apply(edits)) {
        switch outcome {
        case .done:
            if let change = report.note(edit, at: edit.path) { locked.changes.append(change) }
        case .failed(let error): throw error
        case .cancelled: throw CancellationError()
        case .changedMeanwhile, .occupied, .refused, .withoutPath: continue
        }
    }
    // A file that already has all of the newest version isn't written.
    try Origins(locked: locked).attributeToUser(ids.filter { locked.standings[$0]?.isOfOlderVersion == true })
}
