internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// What became of the changes that an interrupted command had announced.
struct Recovery {
    /// For each change that is decided, whether it was carried out.
    let records: [JournalRecord]
    /// What is the case once that is recorded; the files of changes that are still unfinished are nowhere.
    let snapshot: Snapshot
}

/// Finds out which announced changes were carried out.
///
/// It reads and writes nothing. The files tell, together with what the interrupted command left in
/// `.todosync/tmp`: a staged file holds the new text until the change is carried out, and the replaced one
/// from then on. What is left undecided are files that are nowhere: they were not made yet, or were taken
/// away to be written.
func recovery(from snapshot: Snapshot, _ staged: StagedTexts) -> Recovery {
    let byPaths = snapshot.changesFoundInPlace()
    let settled = snapshot.recording(byPaths)
    let byFiles = settled.changesDecided(by: staged)
    return Recovery(records: byPaths + byFiles, snapshot: settled.recording(byFiles))
}

extension Snapshot {
    /// The changes that were announced and are not known to be carried out.
    var unfinished: [AnnouncedEdit] { tracked.todos.loaded.values.compactMap(\.unfinished) }

    /// Returns a record for every unfinished change whose file is as it was announced.
    fileprivate func changesFoundInPlace() -> [JournalRecord] {
        let files = FileContents(folder.scan)
        return unfinished.compactMap { change in
            guard let to = change.to, files.bytes(at: to) == change.bytes else { return nil }
            return .finished(id: change.id)
        }
    }

    /// Returns a record for every unfinished change that the todo's file and the staged files decide.
    fileprivate func changesDecided(by staged: StagedTexts) -> [JournalRecord] {
        tracked.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished else { return nil }
            let change = StagedChange(unfinished, over: todo.textReplacedByUnfinished)
            let isWritten: Bool
            if let path = folder.path(of: id), let found = folder.bytes(at: path) {
                isWritten = staged.show(change, asFileHolds: found)
            } else if unfinished.to == nil {
                // What was to be removed may have become a file that is not a todo's.
                let isThere = unfinished.from.map { folder.hasFile(at: $0) && folder.id(at: $0) == nil }
                isWritten = isThere != true || staged.hasReplaced(change)
            } else {
                guard let isKnown = staged.showWithoutFile(change) else { return nil }
                isWritten = isKnown
            }
            return isWritten ? .finished(id: id) : .abandoned(id: id)
        }
    }

    /// Returns the removals of files that were moved to another file system, where they are already, and not
    /// taken away yet.
    func filesLeftBehind() -> [PlannedEdit] {
        let files = FileContents(folder.scan)
        return tracked.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished, let from = unfinished.from, let to = unfinished.to,
                !from.isSameBytes(as: to), files.bytes(at: to) == unfinished.bytes,
                let bytes = files.bytes(at: from),
                [unfinished.replaced, todo.base?.todo?.bytes, unfinished.bytes].contains(bytes)
            else { return nil }
            return PlannedEdit(
                id: id, before: FileText(path: from, bytes: bytes), after: nil, recording: .none)
        }
    }

    /// Returns what is the case once some records are in the journal.
    func recording(_ records: [JournalRecord]) -> Snapshot {
        guard !records.isEmpty else { return self }
        var tracked = tracked
        for record in records { tracked.apply(record) }
        return Snapshot(
            configuration: configuration, tracked: tracked,
            folder: Folder(scan: folder.scan, state: tracked))
    }
}

/// An unfinished change, with the text that it replaces or removes; nil if it makes a file.
struct StagedChange {
    fileprivate let bringing: AnnouncedEdit
    fileprivate let old: [UInt8]?

    init(_ bringing: AnnouncedEdit, over old: [UInt8]?) {
        self.bringing = bringing
        self.old = old
    }
}

/// The texts that an interrupted command left in `.todosync/tmp`.
struct StagedTexts: Sendable {
    /// What is not a replaced text as it was.
    private let others: Set<[UInt8]>
    /// What files hold that are to be known by each replaced text's mark.
    private let byMark: [ContentMark: [[UInt8]]]
    private let unplaced: UnplacedPaths
    private let mayBeSending: Bool

    init(in directory: WorkingDirectory, _ state: State) throws {
        let folders = state.foldersUnderWay
        let leftovers = try directory.leftovers(in: folders)
        unplaced = try directory.unplacedPaths(in: folders)
        mayBeSending = state.openOperation?.mayBeSending ?? false
        others = Set(leftovers.filter { !$0.isReplacedText }.compactMap(\.bytes))
        byMark = Dictionary(
            leftovers.compactMap { leftover in
                leftover.mark.flatMap { mark in leftover.bytes.map { (mark, [$0]) } }
            }, uniquingKeysWith: +)
    }

    /// Whether a change's new text is staged, and so not in the folder.
    fileprivate func hasNew(_ change: StagedChange) -> Bool {
        change.bringing.bytes.map(others.contains) ?? false
    }

    /// Whether the text that a change replaces was taken out of the folder; somebody may have written into it
    /// since.
    fileprivate func hasReplaced(_ change: StagedChange) -> Bool {
        guard let old = change.old, let texts = byMark[ContentMark(of: old)] else { return false }
        return texts.contains { $0 == old || change.bringing.bytes.map($0.isRemnant) != true }
    }

    /// Whether a change was carried out whose file holds something else than was announced.
    fileprivate func show(_ change: StagedChange, asFileHolds found: [UInt8]) -> Bool {
        if hasNew(change) { return false }
        // A new file is staged before it is announced, and until it gets its place.
        guard let old = change.old else { return change.bringing.to.map(unplaced.contains) != true }
        let bringing = change.bringing
        // Of a file that only moves, any copy is old and new.
        if bringing.bytes == old { return false }
        if found == old {
            // Somebody has taken back what came. But from when on a merged text may be sent, the text before
            // it must not count as an edit of it, as after a power failure: merged again, nothing is lost.
            return hasReplaced(change)
                && (bringing.takesRemoteAsItIs || bringing.opensConflict || !mayBeSending)
        }
        // Markers that somebody has worked on since they were written are no less a conflict's.
        return hasReplaced(change) || bringing.opensConflict && MarkerScan.hasMarkerLine(found)
    }

    /// Whether a change was carried out whose todo has no file; nil if its file is still to be written.
    ///
    /// A file that the command did not take away was deleted by the user, and must not come back. A new file
    /// comes back: nothing tells one that the user deleted from one that could not be made.
    fileprivate func showWithoutFile(_ change: StagedChange) -> Bool? {
        guard let old = change.old else { return nil }
        guard hasReplaced(change) else { return false }
        // Taken away, to be replaced or moved.
        if hasNew(change) || change.bringing.bytes == old { return nil }
        return true
    }
}

extension AnnouncedEdit {
    /// Whether the file becomes what the remote has, and nothing of the user's is in the way.
    fileprivate var takesRemoteAsItIs: Bool { conflict == .none && remote != nil && replaced == nil }

    fileprivate var opensConflict: Bool {
        switch conflict {
        case .opens, .reopens: true
        case .none, .closes, .aborts: false
        }
    }
}

extension [UInt8] {
    /// Whether these bytes may be what a command that was killed, or a power failure, left of a text that
    /// was being written: what had not reached the disk is missing, or zero.
    func isRemnant(of text: [UInt8]) -> Bool {
        count <= text.count && zip(self, text).allSatisfy { $0 == $1 || $0 == 0 }
    }
}

extension TodoState {
    /// The text that the unfinished change replaces or removes; nil if it makes a file.
    var textReplacedByUnfinished: [UInt8]? {
        guard let unfinished, unfinished.from != nil else { return nil }
        let isMoveOnly = unfinished.remote == nil && unfinished.conflict == .none
        return unfinished.replaced ?? (isMoveOnly ? unfinished.bytes : nil) ?? base?.todo?.bytes
    }
}

/// The bytes that a scan found at each path.
struct FileContents {
    private var contents: [ByteKey: [UInt8]] = [:]
    private let unchanged: UnchangedFiles

    init(_ scan: FileScan) {
        unchanged = scan.unchanged
        for file in scan.files {
            if case .read(let bytes) = file.content { contents[ByteKey(file.path)] = bytes }
        }
    }

    func bytes(at path: String) -> [UInt8]? {
        contents[ByteKey(path)] ?? unchanged.id(at: path).flatMap { unchanged.bytes(of: $0) }
    }
}
