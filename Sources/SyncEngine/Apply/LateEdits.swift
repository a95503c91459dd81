internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// What somebody wrote into files that were taken out of the folder: an editor had one open all the while, or
/// saved in the very moment.
struct LateEdits {
    let locked: LockedWorkspace

    /// Works in what was written into files while this command was replacing them.
    ///
    /// - Returns: it; until the locked.operation has ended, the files show what was carried out.
    func bringStragglersIn() throws -> [Straggler] {
        let stragglers = try locked.transaction.stragglers()
        for straggler in stragglers {
            let named = MarkerScan.id(in: straggler.bytes)
            // An editor's text of before the file got its id.
            let id = named ?? locked.folder.id(at: straggler.path) ?? locked.surroundings.newTodoID()
            try bringIn(
                LateEdit(id: id, path: straggler.path, bytes: straggler.bytes, replaced: straggler.replaced))
        }
        return stragglers
    }

    /// Looks at what earlier commands left in `.todosync/tmp`, and removes it: what was written into a file
    /// that had been replaced is merged in, and a text that is nowhere else is put into the journal, so that
    /// `restore` can bring it back.
    ///
    /// - Parameters:
    ///   - folders: where else there may be such files, as on another file system.
    ///   - announced: the texts that an interrupted command was about to write, or to replace.
    func clearLeftovers(in folders: [String], knowing announced: Set<[UInt8]>) throws {
        try locked.transaction.removeUnplaced(in: folders)
        let leftovers = try locked.transaction.leftovers(in: folders)
        // Many, where a command was giving ids to many files.
        lazy var textsWithoutID = Set(
            locked.folder.newTodos.map(\.bytes)
                + locked.folder.todos.loaded.values.map { MarkerScan.withoutIDLine($0.bytes) })
        // One that recovery gave up on may have been left by a recovery that was interrupted, too.
        lazy var allAnnounced = announced.union(
            (try? locked.workspace.directory.announcedTexts(of: Set(leftovers.map(\.operation)))) ?? [])
        lazy var pastTexts = PastTexts((try? locked.workspace.history()) ?? History())
        for leftover in leftovers where !leftover.isReplacedText {
            guard let bytes = leftover.bytes else {
                tellOnce("a command left \(leftover.name), which is not a todo's file; it stays there")
                continue
            }
            // An empty one was about to be written.
            if bytes.isEmpty || announced.contains(bytes) || allAnnounced.contains(where: bytes.isRemnant) {
                continue
            }
            let past = leftover.mark.flatMap { pastTexts[$0] }
            if let id = MarkerScan.id(in: bytes) ?? past?.id {
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

    /// Tells the user what stays as it is, with the first command that finds it.
    private func tellOnce(_ line: String) {
        guard (try? locked.workspace.directory.wasTold(line)) != true else { return }
        locked.surroundings.notice(line)
        // What can't be noted is told again.
        try? locked.workspace.directory.noteTold(line)
    }

    /// Whether a text is remembered for a todo, or in its file.
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
                    ? "todosync restore \(id.string) --to \(locked.operation)^ brings it back"
                    : "todosync show \(id.string) --at \(locked.operation)^ prints it"))
    }

    /// Puts a late text into the journal, and merges it into its todo's file.
    ///
    /// Who wrote it had the replaced text, and so it merges like any other edit of that.
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
                    : "todosync restore \(late.id.string) --to \(locked.operation)^ brings back what it saved")
        )
    }

    /// Returns whether all that was edited is in the todo's file then.
    private func merge(_ late: LateEdit) throws -> Bool {
        try locked.lookAgain()
        guard let local = locked.folder.todos[late.id], let replaced = late.replaced,
            let edited = try? Todo(parsing: withID(late.bytes, late.id)), edited.id == late.id
        else { return false }
        let base = withID(replaced, late.id)
        switch reconcile(base: base, local: edited, remote: local.bytes, rules: locked.mergeRules) {
        case .agreed, .takeRemote: return true
        case .keepPending: return try replace(local, late.id, edited.bytes)
        case .merged(let bytes, _): return try replace(local, late.id, bytes)
        case .conflict(_, let text, _, _):
            // What the file has by now was written later.
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

/// A text that somebody wrote into a file which was no longer in the folder.
private struct LateEdit {
    var id: TodoID
    /// Where the file was.
    var path: String
    var bytes: [UInt8]
    /// What the file held when it was replaced; nil if nothing tells.
    var replaced: [UInt8]?
}

/// The texts that the operation log has.
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
