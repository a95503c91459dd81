internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Handles edits that an editor saved to files after they had been moved out of the folder.
struct LateEdits {
    let locked: LockedWorkspace

    /// Merges edits that were made to files while this command replaced them.
    ///
    /// - Returns: The edits. Until the operation ends, their files show which announced edits were applied.
    func mergeLateWrites() throws -> [LateWrite] {
        let lateWrites = try locked.transaction.lateWrites()
        for lateWrite in lateWrites {
            let named = LineScan.id(in: lateWrite.bytes)
            // The editor read the file before it got its id.
            let id = named ?? locked.folder.id(at: lateWrite.path) ?? locked.surroundings.newTodoID()
            try recordAndMerge(
                LateEdit(id: id, path: lateWrite.path, bytes: lateWrite.bytes, replaced: lateWrite.replaced))
        }
        return lateWrites
    }

    /// Checks the files that earlier commands left in `.todosync/tmp`, and removes them.
    ///
    /// An edit of a file that had been replaced is merged. A text that exists nowhere else is recorded in the
    /// journal, so that `restore` can bring it back.
    ///
    /// - Parameters:
    ///   - folders: Other folders that might have such files, for example on another file system.
    ///   - announced: The texts that an interrupted command was about to write or replace.
    func clearLeftovers(in folders: [String], announced: Set<[UInt8]>) throws {
        try locked.transaction.removeUnmoved(in: folders)
        let leftovers = try locked.transaction.leftovers(in: folders)
        // There can be many leftovers if a command was adding ids to many files.
        lazy var textsWithoutID = Set(
            locked.folder.newTodos.map(\.bytes)
                + locked.folder.todos.loaded.values.map { LineScan.withoutIDLine($0.bytes) })
        // An interrupted recovery might also have left a text that it gave up on.
        lazy var allAnnounced = announced.union(
            (try? locked.workspace.directory.announcedTexts(of: Set(leftovers.map(\.operation)))) ?? [])
        lazy var pastTexts = PastTexts((try? locked.workspace.history()) ?? History())
        for leftover in leftovers where !leftover.isReplacedText {
            guard let bytes = leftover.bytes else {
                locked.surroundings.noticeOnce(
                    "a command left \(leftover.name), which is not a todo's file; it stays there",
                    in: locked.workspace.directory)
                continue
            }
            // An empty file was about to be written.
            if bytes.isEmpty || announced.contains(bytes) || allAnnounced.contains(where: bytes.isRemnant) {
                continue
            }
            let past = leftover.mark.flatMap { pastTexts[$0] }
            if let id = LineScan.id(in: bytes) ?? past?.id {
                guard !isRecorded(bytes, id) else { continue }
                let path =
                    locked.tracked.todos[id]?.localPath ?? locked.folder.path(of: id) ?? past?.text.path
                try recordAndMerge(
                    LateEdit(
                        id: id, path: path ?? "todo.yaml", bytes: bytes,
                        replaced: past?.id == id ? past?.text.bytes : nil))
            } else if !textsWithoutID.contains(bytes) {
                try keepWithoutID(bytes)
            }
        }
        guard !leftovers.isEmpty else { return }
        try locked.transaction.synchronize()
        try locked.transaction.discard(leftovers)
    }

    /// Returns whether a text is recorded for a todo or is in its file.
    private func isRecorded(_ bytes: [UInt8], _ id: TodoID) -> Bool {
        let todo = locked.tracked.todos[id]
        return [
            todo?.base?.todo?.bytes, todo?.held?.todo?.bytes, todo?.conflict?.local,
            locked.folder.path(of: id).flatMap { locked.folder.bytes(at: $0) },
        ].contains(bytes)
    }

    private func keepWithoutID(_ bytes: [UInt8]) throws {
        let id = locked.surroundings.newTodoID()
        try locked.transaction.record([.kept(id: id, path: "todo.yaml", bytes: bytes)])
        let isTodo = (try? Todo(parsing: bytes)) != nil
        let prefix = id.string.prefix(8)
        locked.surroundings.notice(
            "an interrupted command left a text without an id; "
                + (isTodo
                    ? "run \"todosync restore \(prefix) --to \(locked.operation)^\" to bring it back"
                    : "run \"todosync show \(prefix) --at \(locked.operation)^\" to print it"))
    }

    /// Records a late edit in the journal, and merges it into the todo's file.
    ///
    /// The edit was written over the replaced text, so it merges like any other edit of that text.
    private func recordAndMerge(_ late: LateEdit) throws {
        let path = locked.folder.path(of: late.id) ?? late.path
        try locked.transaction.record([.kept(id: late.id, path: path, bytes: late.bytes)])
        try locked.transaction.synchronize()
        guard late.replaced != nil else { return }
        let isMerged = try merge(late)
        let handle = shellQuoted(Handles(locked.snapshot).handle(of: late.id))
        locked.surroundings.notice(
            "\(path): an editor saved it while it was being replaced; "
                + (isMerged
                    ? "the saved text was merged"
                    : "run \"todosync restore \(handle) --to \(locked.operation)^\" "
                        + "to bring back the saved text"))
    }

    /// Merges a late edit into the todo's file; returns whether the file now has the whole edit.
    private func merge(_ late: LateEdit) throws -> Bool {
        try locked.rescan()
        guard let local = locked.folder.todos[late.id], let replaced = late.replaced,
            let edited = try? Todo(parsing: withID(late.bytes, late.id)), edited.id == late.id
        else { return false }
        let base = withID(replaced, late.id)
        switch reconcileTexts(base: base, local: edited, remote: local.bytes, rules: locked.mergeRules) {
        case .agreed, .takeRemote: return true
        case .keepLocal: return try replace(local, late.id, edited.bytes)
        case .merged(let bytes, _): return try replace(local, late.id, bytes)
        case .conflict(let text, _, _):
            // The file's current text is newer, so keep it.
            if let bytes = text.taking(.remote) { _ = try replace(local, late.id, bytes) }
            return false
        case .unmergeable: return false
        }
    }

    private func replace(_ local: LocalTodo, _ id: TodoID, _ bytes: [UInt8]) throws -> Bool {
        guard local.bytes != bytes else { return true }
        let outcome = try locked.apply([PlannedEdit(local, becoming: bytes, id: id)])[0]
        switch outcome {
        case .done: return true
        case .changedMeanwhile, .occupied, .refused, .withoutPath: return false
        case .failed(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }
}

/// An edit of a file that had been moved out of the folder.
private struct LateEdit {
    var id: TodoID
    /// The file's former path.
    var path: String
    var bytes: [UInt8]
    /// The file's text when it was moved; nil if it isn't known.
    var replaced: [UInt8]?
}

/// The texts in the operation log, by mark.
private struct PastTexts {
    private var texts: [ContentMark: (id: TodoID, text: FileText)] = [:]

    init(_ history: History) {
        for operation in history.operations {
            for event in operation.events {
                for text in event.texts { texts[ContentMark(of: text.bytes)] = (event.id, text) }
            }
        }
    }

    subscript(mark: ContentMark) -> (id: TodoID, text: FileText)? { texts[mark] }
}
