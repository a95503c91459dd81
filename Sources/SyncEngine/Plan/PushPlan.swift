internal import TodoModel
internal import WorkingCopy

/// Decides which pending operations are sent.
struct PushPlan {
    let snapshot: Snapshot
    /// The todos to send; nil for all.
    ///
    /// Todos that the user named are sent even during a git operation, and ``MassChangeGuard`` doesn't
    /// withhold them.
    let selected: Set<TodoID>?
    let options: SyncOptions
    /// Whether files that git might have changed aren't sent, because a git operation is in progress.
    let leavesFiles: Bool
    /// Returns the todos that came with this command, which guards don't count.
    let new: () -> Set<TodoID>

    /// The operations that are sent, and the todos of those that a guard withholds.
    struct Selection {
        var operations: [PendingOperation]
        var withheld: [HeldTodo] = []
    }

    /// Returns the operations that can be sent now.
    func sendable(_ operations: [PendingOperation]) -> [PendingOperation] {
        operations.filter { operation in
            guard operation.canBeSent else { return false }
            // During a git operation, only changes that the user certainly made are sent.
            return !leavesFiles || selected != nil || operation.isByCommand(snapshot)
        }
    }

    /// Returns the inserts and updates to send.
    func edits() -> Selection {
        let operations = snapshot.pendingOperations { selected?.contains($0) ?? true }
        let edits = sendable(operations).filter { $0.kind != .delete }
        guard selected == nil, let withheld = massChanges.withheldEdits(edits, allowed: options.allowedEdits)
        else { return Selection(operations: edits) }
        let isWithheld = { (edit: PendingOperation) in edit.kind == .update && !edit.isByCommand(snapshot) }
        return Selection(
            operations: edits.filter { !isWithheld($0) },
            withheld: withheld.holding(edits.filter(isWithheld)))
    }

    /// Returns the deletes to send.
    func deletes(_ operations: [PendingOperation]) -> Selection {
        let deletes = sendable(operations).filter { $0.kind == .delete }
        let withheld =
            snapshot.tracked.withheldDeletes(
                .local, deletes.map(\.path), allowed: options.allowedDeletes, besides: new())
            ?? (selected == nil
                ? massChanges.withheldDeletes(deletes, allowed: options.allowedDeletes) : nil)
        guard let withheld else { return Selection(operations: deletes) }
        return Selection(operations: [], withheld: withheld.holding(deletes))
    }

    private var massChanges: MassChangeGuard { MassChangeGuard(snapshot: snapshot, new: new) }
}
