internal import LosslessYAML
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Decides which done todos a purge removes from the folder, and which have to stay.
struct PurgePlan {
    private(set) var edits: [PlannedEdit] = []
    private(set) var report = PurgeReport()

    /// - Parameters:
    ///   - wanted: The todos to purge, which have to be done; nil for all that are done.
    ///   - isDue: Returns whether a done todo has been done for long enough; nil if that isn't known.
    ///   - tracked: The paths that git tracks.
    init(
        _ snapshot: Snapshot, wanted: Set<TodoID>?, tracked: Set<String>,
        isDue: (TodoID) -> Bool?
    ) {
        let rule = PurgeRule(snapshot: snapshot, tracked: tracked)
        let ids = wanted ?? rule.doneTodos()
        for id in ids.sorted() {
            guard let isDue = isDue(id) else {
                report.undated += 1
                continue
            }
            guard isDue, let local = snapshot.folder.todos[id] else { continue }
            if let reason = rule.reasonToKeep(id) {
                report.left.append(ReportRow(id: id, path: local.path, reason: reason))
            } else {
                edits.append(PlannedEdit(id: id, before: local.fileText, after: nil, purges: true))
                report.todos.append(ReportRow(id: id, path: local.path))
            }
        }
        report.names = TodoNames(snapshot)
        report.todos = report.todos.sorted(byBytesOf: \.path)
        report.left = report.left.sorted(byBytesOf: \.path)
    }
}

/// Decides which todos' files a purge can remove.
struct PurgeRule {
    let snapshot: Snapshot
    /// The paths that git tracks.
    ///
    /// For git, a removed file would be a change to commit, and the commit would delete the todo for others.
    var tracked: Set<String> = []

    /// Returns the todos that are done according to their files.
    func doneTodos() -> Set<TodoID> {
        let todos = snapshot.folder.todos
        let read = todos.loaded.filter { $0.value.todo.isComplete }.map(\.key)
        let unread = todos.unchanged.map { id, _, bytes in
            (try? Todo(parsing: bytes))?.isComplete == true ? id : nil
        }
        return Set(read + unread.compactMap(\.self))
    }

    /// Returns why a todo's file has to stay in the folder; nil if a purge can remove it.
    func reasonToKeep(_ id: TodoID) -> String? {
        let recorded = snapshot.tracked.todos[id]
        let condition = snapshot.condition(of: id)
        if condition.isConflicted { return "it has a conflict" }
        guard let local = snapshot.folder.todos[id] else { return "its file is not valid" }
        if !local.todo.isComplete { return "it is not done" }
        if recorded?.sent != nil { return "the remote has not confirmed it yet" }
        if recorded?.held != nil { return "a change from the remote is waiting for it" }
        switch condition {
        case .held: return "git might have changed its file"
        case .pending(let operation):
            if let standing = snapshot.standings[id], standing != .edit {
                return "git might have changed its file"
            }
            return operation.base?.todo == nil ? "it was not pushed yet" : "its changes were not pushed yet"
        case .unchanged: break
        case .conflicted, .notKept, .invalid, .unseen, .absent: return "its file is not valid"
        }
        let folder = snapshot.folder
        if folder.duplicates.contains(where: { $0.id == id })
            || folder.copies.contains(where: { $0.id == id })
        {
            return "a different file has its id"
        }
        return tracked.contains(local.path) ? "git tracks its file" : nil
    }
}

extension RemoteTodo {
    /// Whether the todo isn't done.
    var isOpen: Bool { bytes.areOpenTodo }
}

extension [UInt8] {
    /// Whether the bytes aren't the text of a done todo.
    var areOpenTodo: Bool { (try? Todo(parsing: self))?.isComplete != true }
}

/// The times when todos became done, as far as the operation log shows.
///
/// A todo that was already done when the log first has its text counts as done since then.
struct DoneTimes {
    /// The RFC 3339 start times of the operations that first saw the todos done.
    private(set) var times: [TodoID: String] = [:]

    init(_ history: History) {
        if let first = history.operations.first {
            for (id, text) in history.remembered { note(id, text, first.time) }
        }
        for operation in history.operations {
            for event in operation.events {
                switch event {
                case .change(let change):
                    note(change.id, change.purges ? change.before : change.after, operation.time)
                case .seen(let id, let text): note(id, text, operation.time)
                case .linked(let link): note(link.id, link.text, operation.time)
                case .pushed, .rejected, .kept, .givenUp, .distrusted: continue
                }
            }
        }
    }

    private mutating func note(_ id: TodoID, _ text: FileText?, _ time: String) {
        let isDone = text.map { (try? Todo(parsing: $0.bytes))?.isComplete == true } ?? false
        times[id] = isDone ? times[id] ?? time : nil
    }

    /// Returns whether a todo was already done at a time, in seconds since 1970-01-01T00:00:00Z.
    ///
    /// - Returns: Nil if the log doesn't show it.
    func isDone(_ id: TodoID, since seconds: Int) -> Bool? {
        guard let time = times[id], case .instant(let instant)? = Due(time) else { return nil }
        return instant.seconds <= seconds
    }
}
