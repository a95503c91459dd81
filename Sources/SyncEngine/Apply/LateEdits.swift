internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// The edits made to files that were moved out of the folder: an editor had the file open all the time, or
/// saved it at that very moment.
struct LateEdits {
    let locked: LockedWorkspace

    /// Merges the edits that were made to files while this command was replacing them.
    ///
    /// - Returns: these edits; until the operation has ended, their files show which edits were applied.
    func mergeLateWrites() throws -> [LateWrite] {
        let lateWrites = try locked.transaction.lateWrites()
        for lateWrite in lateWrites {
            let named = LineScan.id(in: lateWrite.bytes)
            // The editor's text dates from before the file got its id.
            let id = named ?? locked.folder.id(at: lateWrite.path) ?? locked.surroundings.newTodoID()
            try bringIn(
                LateEdit(id: id, path: lateWrite.path, bytes: lateWrite.bytes, replaced: lateWrite.replaced))
        }
        return lateWrites
    }

    /// Checks what earlier commands left in `.todosync/tmp`, and removes it.
    ///
    /// An edit to a file that had been replaced is merged, and a text that exists nowhere else is recorded in
    /// the journal, so that `restore` can bring it back.
    ///
    /// - Parameters:
    ///   - folders: other folders that can hold such files, for example on another file system.
    ///   - announced: the texts that an interrupted command was about to write or to replace.
    func clearLeftovers(in folders: [String], knowing announced: Set<[UInt8]>) throws {
        try locked.transaction.removeUnplaced(in: folders)
        let leftovers = try locked.transaction.leftovers(in: folders)
        // There can be many if a command was giving ids to many files.
        lazy var textsWithoutID = Set(
            locked.folder.newTodos.map(\.bytes)
                + locked.folder.todos.loaded.values.map { LineScan.withoutIDLine($0.bytes) })
        // An interrupted recovery can also have left a text that it gave up on.
        lazy var allAnnounced = announced.union(
            (try? locked.workspace.directory.announcedTexts(of: Set(leftovers.map(\.operation)))) ?? [])
        lazy var pastTexts = PastTexts((try? locked.workspace.history()) ?? History())
        for leftover in leftovers where !leftover.isReplacedText {
            guard let bytes = leftover.bytes else {
                tellOnce("a command left \(leftover.name), which is not a todo's file; it stays there")
                continue
            }
            // An empty file was about to be written.
            if bytes.isEmpty || announced.contains(bytes) || allAnnounced.contains(where: bytes.isRemnant) {
                continue
            }
            let past = leftover.mark.flatMap { pastTexts[$0] }
            if let id = LineScan.id(in: bytes) ?? past?.id {
                guard !isKnown(bytes, id) else { continue }
                let path = locked.tracked.todos[id]?.place ?? locked.folder.path(of: id) ?? past?.text.path
                try bringIn(
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

    /// Reports a file that stays as it is, once: by the first command that finds it.
    private func tellOnce(_ line: String) {
        guard (try? locked.workspace.directory.wasTold(line)) != true else { return }
        locked.surroundings.notice(line)
        // If the report can't be recorded, it is repeated.
        try? locked.workspace.directory.noteTold(line)
    }

    /// Whether a text is recorded for a todo, or in its file.
    private func isKnown(_ bytes: [UInt8], _ id: TodoID) -> Bool {
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
        locked.surroundings.notice(
            "an interrupted command left a text without an id; "
                + (isTodo
                    ? "\"todosync restore \(id.string) --to \(locked.operation)^\" brings it back"
                    : "\"todosync show \(id.string) --at \(locked.operation)^\" prints it"))
    }

    /// Records a late text in the journal, and merges it into its todo's file.
    ///
    /// It was written over the replaced text, so it merges like any other edit of that text.
    private func bringIn(_ late: LateEdit) throws {
        let path = locked.folder.path(of: late.id) ?? late.path
        try locked.transaction.record([.kept(id: late.id, path: path, bytes: late.bytes)])
        try locked.transaction.synchronize()
        guard late.replaced != nil else { return }
        let isMerged = try merge(late)
        locked.surroundings.notice(
            "\(path): an editor saved it while it was being replaced; "
                + (isMerged
                    ? "what it saved was merged in"
                    : "\"todosync restore \(late.id.string) --to \(locked.operation)^\" brings back what it saved")
        )
    }

    /// Merges a late text into its todo's file, and returns whether the file now has the whole edit.
    private func merge(_ late: LateEdit) throws -> Bool {
        try locked.rescan()
        guard let local = locked.folder.todos[late.id], let replaced = late.replaced,
            let edited = try? Todo(parsing: withID(late.bytes, late.id)), edited.id == late.id
        else { return false }
        let base = withID(replaced, late.id)
        switch reconcile(base: base, local: edited, remote: local.bytes, rules: locked.mergeRules) {
        case .agreed, .takeRemote: return true
        case .keepPending: return try replace(local, late.id, edited.bytes)
        case .merged(let bytes, _): return try replace(local, late.id, bytes)
        case .conflict(_, let text, _, _):
            // The file's current text was written later.
            if let bytes = text.taking(.remote) { _ = try replace(local, late.id, bytes) }
            return false
        case .deleteLocal, .bothDeleted: return false
        }
    }

    private func replace(_ local: LocalTodo, _ id: TodoID, _ bytes: [UInt8]) throws -> Bool {
        guard local.bytes != bytes else { return true }
        let outcome = try locked.apply([PlannedEdit(local, becoming: bytes, id: id)])[0]
        if case .failed(let error) = outcome { throw error }
        return outcome == .done
    }
}

/// A text that was written to a file after it had been moved out of the folder.
private struct LateEdit {
    var id: TodoID
    /// The file's former path.
    var path: String
    var bytes: [UInt8]
    /// The file's text when it was replaced; nil if it isn't known.
    var replaced: [UInt8]?
}

/// The texts in the operation log.
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
