internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A file that the scan skipped and that has the id of a todo whose own file is gone.
struct HiddenFile: Sendable {
    var file: IgnoredFile
    var text: [UInt8]
}

/// The todos that are held because their file can't be changed or the remote's change can't be applied.
///
/// `status`, `prompt` and the reports of `push`, `pull` and `sync` all get them from here. Git and guards
/// hold other todos. A todo that the user's own rules exclude is ignored without a report.
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
    func all(delayed: Bool) throws -> [HeldTodo] {
        var waiting: [HeldTodo] = []
        var held: [TodoID: RemoteState] = [:]
        for (id, todo) in snapshot.tracked.todos.loaded
        where (todo.held != nil || !folder.hasFile(of: id)) && !snapshot.condition(of: id).isConflicted {
            if folder.unreadable[id] != nil {
                waiting.append(waitingTodo(id, .invalidFile))
            } else if !folder.hasFile(of: id), isUnseen(id, todo) {
                if let reason = unseenReason(id, todo) {
                    waiting.append(waitingTodo(id, .hiddenFile, reason))
                }
            } else if todo.sent == nil {
                held[id] = todo.held
            }
        }
        if !held.isEmpty { waiting += try waitingChanges(held, delayed: delayed) }
        return waiting.sorted(byBytesOf: \.path)
    }

    private func waitingTodo(_ id: TodoID, _ reason: HeldReason, _ detail: String? = nil) -> HeldTodo {
        let path = folder.path(of: id) ?? snapshot.tracked.todos[id]?.formerPath ?? id.string
        return HeldTodo(id: id, path: path, reason: reason, detail: detail)
    }

    // MARK: Files that the scan doesn't see

    private func isUnseen(_ id: TodoID, _ todo: TodoState) -> Bool {
        folder.hidden[id] != nil
            || todo.unfinished == nil && todo.localPath.map { !folder.scan.wouldSee($0) } ?? false
    }

    /// Returns why a todo isn't synced although its file was moved to where the scan doesn't look, or another
    /// kind of file was put at its path; nil if neither side has an edit.
    private func unseenReason(_ id: TodoID, _ todo: TodoState) -> String? {
        let (file, text): (IgnoredFile, [UInt8]?)
        if let hidden = folder.hidden[id] {
            (file, text) = (hidden.file, hidden.text)
        } else if let localPath = todo.localPath, let exclusion = folder.scan.exclusion(of: localPath) {
            (file, text) = (exclusion, IgnoredFiles(in: directory).text(at: localPath))
        } else {
            return nil
        }
        if file.reason.isByRule { return nil }
        if todo.held == nil, let text, let base = todo.base?.todo, isSameText(text, base.bytes) { return nil }
        let isItself = todo.localPath?.isSameBytes(as: file.path) ?? false
        return file.reason.sentence(
            about: isItself ? "its file" : file.isFolder ? "its folder \(file.path)" : "its file \(file.path)"
        )
    }

    // MARK: Changes that can't be applied

    /// Returns the todos whose remote change can't be applied now.
    private func waitingChanges(
        _ changes: [TodoID: RemoteState], delayed: Bool
    ) throws -> [HeldTodo] {
        let plan = plan(changes, at: snapshot, in: PlanContext(coversAll: true))
        var waiting = plan.waiting.compactMap { todo in todo.reason.map { waitingTodo(todo.id, $0) } }
        let edits = plan.edits.filter { changes[$0.id] != nil && $0.change != nil }
        // Nothing is changed, so the operation's name doesn't matter.
        let writer = try FileWriter(
            root: directory.root, operation: "none", fileSystem: directory.fileSystem)
        for (edit, obstacle) in zip(edits, writer.obstacles(to: edits.compactMap(\.change))) {
            if let obstacle {
                waiting.append(
                    HeldTodo(id: edit.id, path: edit.path, reason: .fileError, cause: obstacle))
            } else if delayed {
                waiting.append(HeldTodo(id: edit.id, path: edit.path, reason: .notApplied))
            }
        }
        return waiting
    }
}
