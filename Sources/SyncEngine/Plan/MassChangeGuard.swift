internal import TodoModel
internal import WorkingCopy

/// Withholds deletes and edits that affect so much of a folder that a program probably made them, not a
/// person.
///
/// Changes that todosync commands made don't count. Withheld changes stay withheld, regardless of the number
/// of other todos.
struct MassChangeGuard {
    let snapshot: Snapshot
    /// Returns the todos that came with this command; called only if there are many changes.
    var new: () -> Set<TodoID> = { [] }

    /// The minimum number of todos for withholding edits of more than half of them.
    private static let minimumTodoCount = 21

    /// Returns the deletes that are withheld because they would leave no todos.
    func withheldDeletes(_ operations: [PendingOperation], allowed: Int?) -> WithheldChanges? {
        let deletes = operations.filter { $0.kind == .delete && !$0.isByCommand(snapshot) }
        if deletes.isEmpty { return nil }
        // Conflicts brought these todos' files back, with markers.
        let conflicts = snapshot.tracked.todos.loaded.filter { $0.value.conflict?.kind == .deleteEdit }
        let gone = Set(deletes.map(\.id)).union(conflicts.keys)
        let withheld = snapshot.tracked.guards.local
        let isStaying = withheld > 0 && gone.count >= withheld
        guard gone.count > 1 || isStaying, (allowed ?? 0) < deletes.count else { return nil }
        let confirmed = confirmedTodos()
        guard gone.count == confirmed.count || isStaying else { return nil }
        return WithheldChanges(
            side: .local, count: deletes.count, of: confirmed.count, cause: snapshot.hasHeadMoved ? .git : nil
        )
    }

    /// Returns the edits to withhold; nil if all edits can be sent.
    ///
    /// Edits are withheld if they change more than half of at least ``minimumTodoCount`` todos, or if edits
    /// are withheld already and there are still at least as many.
    ///
    /// - Parameter allowed: The number of edits that the user allowed.
    func withheldEdits(_ operations: [PendingOperation], allowed: Int?) -> WithheldChanges? {
        let edits = operations.filter { $0.kind == .update && !$0.isByCommand(snapshot) }
        guard edits.count * 2 >= Self.minimumTodoCount, (allowed ?? 0) < edits.count else { return nil }
        let guards = snapshot.tracked.guards
        // Usually, few of the todos are edited, and the exact number of todos isn't needed.
        let leastCount = snapshot.tracked.todos.confirmedCount - new().count
        if guards.edits == 0, edits.count * 2 <= leastCount { return nil }
        let count = confirmedTodos().count
        guard
            count >= Self.minimumTodoCount && edits.count * 2 > count
                || guards.edits > 0 && edits.count >= guards.edits
        else { return nil }
        let cause: WithheldChanges.Cause? =
            edits.allSatisfy(\.fields.isEmpty) ? .formatter : snapshot.hasHeadMoved ? .git : nil
        return WithheldChanges(
            side: .local, count: edits.count, of: count, change: .update, cause: cause)
    }

    /// Returns the todos whose changes a guard withholds from the next sync.
    ///
    /// - Parameter conditions: The states of all todos.
    func heldTodos(_ conditions: [TodoID: TodoCondition]) -> [HeldTodo] {
        let tracked = snapshot.tracked
        let removals = tracked.todos.loaded.compactMap { id, todo -> (id: TodoID, path: String)? in
            guard case .deleted? = todo.held, let held = todo.held,
                snapshot.canChangeFile(of: id, snapshot.condition(of: id)),
                let local = snapshot.folder.todos[id],
                case .deleteLocal = reconcile(base: todo.base, local: local.todoWithID, remote: held)
            else { return nil }
            return (id, local.path)
        }
        let operations = conditions.values.compactMap(\.operation).filter(\.canBeSent)
        let edits = operations.filter { $0.kind == .update && !$0.isByCommand(snapshot) }
        let deletes = operations.filter { $0.kind == .delete }
        let ofRemote = tracked.withheldDeletes(.remote, removals.map(\.path))
        let ofEdits = withheldEdits(edits, allowed: nil)
        let ofDeletes =
            tracked.withheldDeletes(.local, deletes.map(\.path)) ?? withheldDeletes(deletes, allowed: nil)
        return (ofRemote?.holding(removals) ?? [])
            + (ofEdits?.holding(edits) ?? [])
            + (ofDeletes?.holding(deletes) ?? [])
    }

    /// Returns the todos that the remote is known to have and that are kept here.
    private func confirmedTodos() -> Set<TodoID> {
        Set(snapshot.tracked.todos.confirmed.map(\.id)).subtracting(new())
    }
}
