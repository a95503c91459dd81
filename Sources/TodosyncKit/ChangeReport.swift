internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// The changes that an undo, a redo or a merge of copies made in the folder, before a push.
public struct ChangeReport: Sendable, Hashable {
    /// The todos whose files were changed.
    public let changed: [SyncReport.Change]
    /// The files that were left unchanged, with the reasons.
    public let left: [SyncReport.Problem]
}

extension ChangeReport {
    init(_ report: UndoReport) {
        changed = report.undone.map { todo in
            SyncReport.Change(
                id: todo.id.string, path: todo.path, operation: SyncReport.Operation(todo.change))
        }
        left = report.refused.map { SyncReport.Problem(path: $0.path, reason: $0.reason) }
    }

    init(_ report: AdoptReport) {
        changed = report.adopted.compactMap { copy in
            if copy.outcome == .removed { return nil }
            return SyncReport.Change(
                id: copy.id.string, path: copy.original,
                operation: copy.outcome == .restored ? .insert : .update)
        }
        left = report.unresolved.map { SyncReport.Problem(path: $0.path, reason: $0.reason) }
    }
}
