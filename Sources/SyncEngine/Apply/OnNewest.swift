internal import TodoModel
internal import WorkingCopy

/// What became of a command's work on the newest versions of todos.
///
/// A command that changes a todo which git took back to an older version changes the newest version: that is
/// what the other commands show, and what the user has in mind.
enum OnNewest<Result> {
    case done(Result)
    /// Nothing was done yet, because these todos' files are older versions.
    case needs([TodoID])

    /// Performs work on the newest versions of some todos.
    ///
    /// The files that it needs become the newest versions in an operation of their own, so that an undo of
    /// the work leads back to these. Then the work is repeated.
    static func perform(
        in workspace: Workspace, _ work: (LockedWorkspace) throws -> OnNewest
    ) throws -> Result {
        for _ in 0..<5 {
            let outcome = try LockedWorkspace.perform(workspace) { locked in
                let outcome = try work(locked)
                if case .needs(let ids) = outcome { try bringForward(ids, in: locked) }
                return outcome
            }
            if case .done(let result) = outcome { return result }
        }
        throw EngineError.keepsChanging(path: workspace.root)
    }
}

private func bringForward(_ ids: [TodoID], in locked: LockedWorkspace) throws {
    let edits = ids.compactMap(locked.snapshot.older.edit)
    for (edit, outcome) in zip(edits, try locked.apply(edits)) {
        switch outcome {
        case .done: locked.log(edit.id, edit.path, .update, .pulled)
        case .failed(let error): throw error
        case .changedMeanwhile, .occupied, .refused, .withoutPlace, .cancelled: continue
        }
    }
}
