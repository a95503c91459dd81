internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The todos that neither a push nor a pull can deal with until the user has done something, and why.
///
/// `status`, `prompt` and the reports of `push`, `pull` and `sync` all get them from here. Conflicts, and
/// todos that git or a guard holds up, have reports of their own.
struct WaitingTodos {
    private let snapshot: Snapshot
    private let directory: WorkingDirectory
    private var folder: Folder { snapshot.folder }

    init(in snapshot: Snapshot, _ directory: WorkingDirectory) {
        (self.snapshot, self.directory) = (snapshot, directory)
    }

    /// Returns the waiting todos, in the order of their paths.
    ///
    /// - Parameter delayed: Whether to include todos whose remote change the next pull can apply.
    func all(delayed: Bool) throws -> [PostponedTodo] {
        var waiting: [PostponedTodo] = []
        var held: [TodoID: RemoteState] = [:]
        for (id, todo) in snapshot.tracked.todos.loaded
        where todo.held != nil && !snapshot.isConflicted(id) {
            if folder.unreadable[id] != nil {
                waiting.append(postponed(id, WaitReason.invalidFile.words ?? ""))
            } else if todo.sent == nil {
                held[id] = todo.held
            }
        }
        if !held.isEmpty { waiting += try waitingChanges(held, delayed: delayed) }
        return waiting.sorted(byBytesOf: \.path)
    }

    private func postponed(_ id: TodoID, _ reason: String, _ cause: FileError? = nil) -> PostponedTodo {
        let path = folder.path(of: id) ?? snapshot.tracked.todos[id]?.formerPath ?? id.string
        return PostponedTodo(id: id, path: path, reason: reason, cause: cause)
    }

    // MARK: Changes that can't be applied

    /// Returns the todos whose remote change can't be applied now.
    private func waitingChanges(
        _ changes: [TodoID: RemoteState], delayed: Bool
    ) throws -> [PostponedTodo] {
        var policy = Policy(conflicts: .markers)
        policy.knowsAll = true
        let plan = plan(changes, at: snapshot, policy)
        var waiting = plan.waiting.compactMap { todo in todo.reason.words.map { postponed(todo.id, $0) } }
        let edits = plan.edits.filter { changes[$0.id] != nil && $0.change != nil }
        // Nothing is changed, so the operation's name doesn't matter.
        let writer = try FileWriter(
            root: directory.root, operation: "none", fileSystem: directory.fileSystem)
        for (edit, obstacle) in zip(edits, writer.obstacles(to: edits.compactMap(\.change))) {
            if let obstacle {
                waiting.append(postponed(edit.id, "\(obstacle)", obstacle))
            } else if delayed {
                waiting.append(postponed(edit.id, "the remote's change has not been applied yet"))
            }
        }
        return waiting
    }
}
