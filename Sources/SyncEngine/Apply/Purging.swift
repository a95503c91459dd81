internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Applies purges and their undos while a command holds the lock.
struct Purging {
    let locked: LockedWorkspace

    /// Applies the edits of a purge or of its undo, and reports the outcomes.
    func apply(
        _ edits: [PlannedEdit], _ planned: PurgeReport, as change: (OperationKind, TodoChange.State)
    ) throws -> PurgeReport {
        var report = planned
        report.todos = []
        let todos = Dictionary(planned.todos.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var failure: FileError?
        for (edit, outcome) in zip(edits, try locked.apply(edits, cancelling: .eachRemoval)) {
            switch outcome {
            case .done:
                locked.log(edit.id, edit.path, change.0, change.1)
                if let todo = todos[edit.id] { report.todos.append(todo) }
            case .failed(let error): failure = failure ?? error
            case .cancelled: report.stopped += 1
            case .changedMeanwhile, .occupied, .refused, .withoutPath:
                report.left.append(
                    ReportRow(id: edit.id, path: edit.path, reason: "its file changed in the meantime"))
            }
        }
        if let failure { throw failure }
        report.todos = report.todos.sorted(byBytesOf: \.path)
        return report
    }

    /// Keeps purged todos again if the user has put their files back.
    ///
    /// In a git repository, git might have put a file back and might remove it again. There, only an edit
    /// shows that the user wants to keep the todo.
    func keepAgain() throws {
        let snapshot = locked.snapshot
        let back = locked.folder.todos.loaded.filter { id, local in
            guard let todo = locked.tracked.todos[id], todo.isNotKept else { return false }
            if locked.survey == nil { return true }
            let isEdited = todo.base?.todo.map { !isSameText($0.bytes, local.bytesWithID) } ?? true
            return isEdited && !snapshot.condition(of: id).isHeld
        }
        try locked.transaction.record(
            back.sorted { $0.key < $1.key }.map { .found(id: $0.key, path: $0.value.path) })
    }
}
