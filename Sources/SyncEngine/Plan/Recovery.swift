internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// The outcome of the edits that an interrupted command had announced.
struct Recovery {
    /// For each edit that could be decided, a record of whether it was applied.
    let records: [JournalRecord]
    /// The state with these records applied; the files of edits that are still unfinished don't exist.
    let snapshot: Snapshot
}

/// Determines which announced edits were applied, without reading or writing anything.
///
/// The files decide, together with the interrupted command's files in `.todosync/tmp`: a staged file holds
/// the new text until the edit is applied, and the replaced text afterward. Only files that don't exist stay
/// undecided: they weren't created yet, or were moved away to be rewritten.
func recovery(from snapshot: Snapshot, _ staged: StagedTexts) -> Recovery {
    let byPaths = snapshot.changesFoundAtPaths()
    let updated = snapshot.recording(byPaths)
    let byFiles = updated.changesDecided(by: staged)
    return Recovery(records: byPaths + byFiles, snapshot: updated.recording(byFiles))
}

extension Snapshot {
    /// The edits that were announced and aren't known to be applied.
    var unfinished: [AnnouncedEdit] { tracked.todos.loaded.values.compactMap(\.unfinished) }

    /// Returns a record for every unfinished edit whose file matches the announcement.
    fileprivate func changesFoundAtPaths() -> [JournalRecord] {
        let files = FileContents(folder.scan)
        return unfinished.compactMap { change in
            guard let to = change.to, files.bytes(at: to) == change.bytes else { return nil }
            return .finished(id: change.id)
        }
    }

    /// Returns a record for every unfinished edit that the todo's file and the staged files decide.
    fileprivate func changesDecided(by staged: StagedTexts) -> [JournalRecord] {
        tracked.todos.loaded.compactMap { id, todo in
            guard let unfinished = todo.unfinished else { return nil }
            let change = StagedChange(unfinished, over: todo.textReplacedByUnfinished)
            let isWritten: Bool
            if let path = folder.path(of: id), let found = folder.bytes(at: path) {
                isWritten = staged.wasApplied(change, given: found)
            } else if unfinished.to == nil {
                // The file to be removed might have become a file that isn't a todo.
                let isThere = unfinished.from.map { folder.hasFile(at: $0) && folder.id(at: $0) == nil }
                isWritten = isThere != true || staged.hasReplaced(change)
            } else {
                guard let wasApplied = staged.wasAppliedWithoutFile(change) else { return nil }
                isWritten = wasApplied
            }
            return isWritten ? .finished(id: id) : .abandoned(id: id)
        }
    }

    /// Returns the removals of old files that moves to another file system left behind: the new file is in
    /// place, but the old one wasn't removed yet.
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

    /// Returns the snapshot with these records applied.
    func recording(_ records: [JournalRecord]) -> Snapshot {
        guard !records.isEmpty else { return self }
        var snapshot = self
        for record in records { snapshot.tracked.apply(record) }
        snapshot.folder = Folder(scan: folder.scan, state: snapshot.tracked, folder.copyMemory)
        return snapshot
    }
}

/// An unfinished edit, with the text that it replaces or removes; nil if it creates a file.
struct StagedChange {
    fileprivate let edit: AnnouncedEdit
    fileprivate let old: [UInt8]?

    init(_ edit: AnnouncedEdit, over old: [UInt8]?) {
        self.edit = edit
        self.old = old
    }
}

/// The texts that an interrupted command left in `.todosync/tmp`.
struct StagedTexts: Sendable {
    /// The texts other than replaced ones.
    private let others: Set<[UInt8]>
    /// The files' contents, by the mark of the text that each of them replaced.
    private let byMark: [ContentMark: [[UInt8]]]
    private let unmovedPaths: UnmovedPaths
    private let mayBeSending: Bool
    /// The todos whose new files weren't moved into place, although the files that showed this are gone.
    private let unmoved: Set<TodoID>

    init(in directory: WorkingDirectory, _ state: State, unmoved: Set<TodoID> = []) throws {
        self.unmoved = unmoved
        let folders = state.foldersUnderWay
        let files = try LeftoverFiles(in: directory)
        let leftovers = try files.find(in: folders)
        unmovedPaths = try files.unmovedPaths(in: folders)
        mayBeSending = state.openOperation?.mayBeSending ?? false
        others = Set(leftovers.filter { !$0.isReplacedText }.compactMap(\.bytes))
        byMark = Dictionary(
            leftovers.compactMap { leftover in
                leftover.mark.flatMap { mark in leftover.bytes.map { (mark, [$0]) } }
            }, uniquingKeysWith: +)
    }

    /// Returns the texts that an interrupted command left; nil if it left no unfinished edits.
    ///
    /// A command that holds no lock reads them before the files, because a running command can replace a file
    /// in between.
    static func left(in directory: WorkingDirectory, _ state: State) throws -> StagedTexts? {
        state.hasUnfinished ? try StagedTexts(in: directory, state) : nil
    }

    /// Returns whether an edit's new text is still staged, and therefore not in the folder.
    private func hasNew(_ edit: AnnouncedEdit) -> Bool { edit.bytes.map(others.contains) ?? false }

    /// Returns whether an edit creates a file directly in a folder that the interrupted command created.
    private func isInNewRoot(_ edit: AnnouncedEdit) -> Bool {
        guard unmovedPaths.isRootNew, edit.from == nil, let to = edit.to else { return false }
        return !to.utf8.contains(UInt8(ascii: "/"))
    }

    /// Returns whether the text that an edit replaces was moved out of the folder; it might have been edited
    /// afterward.
    fileprivate func hasReplaced(_ change: StagedChange) -> Bool {
        guard let old = change.old, let texts = byMark[ContentMark(of: old)] else { return false }
        return texts.contains { $0 == old || change.edit.bytes.map($0.isRemnant) != true }
    }

    /// Returns whether an edit's new file might not have been moved into place.
    func isUnmoved(_ edit: AnnouncedEdit) -> Bool {
        if hasNew(edit) || isInNewRoot(edit) { return true }
        return edit.from == nil && edit.to.map(unmovedPaths.contains) == true
    }

    /// Returns the removals of files that the interrupted command created only in part.
    func removalsOfHalfWrittenFiles(in snapshot: Snapshot) -> [PlannedEdit] {
        guard unmovedPaths.isRootNew else { return [] }
        let files = FileContents(snapshot.folder.scan)
        return snapshot.unfinished.compactMap { edit in
            guard let to = edit.to, let found = files.bytes(at: to), isHalfWritten(edit, found) else {
                return nil
            }
            return PlannedEdit(
                id: edit.id, before: FileText(path: to, bytes: found), after: nil, recording: .none)
        }
    }

    /// Returns whether a file was being created by the interrupted command, so its text isn't an edit.
    private func isHalfWritten(_ edit: AnnouncedEdit, _ found: [UInt8]) -> Bool {
        guard isInNewRoot(edit), let bytes = edit.bytes else { return false }
        return found != bytes && found.isRemnant(of: bytes)
    }

    /// Returns whether an edit was applied even though its file doesn't have the announced text.
    fileprivate func wasApplied(_ change: StagedChange, given found: [UInt8]) -> Bool {
        let edit = change.edit
        if hasNew(edit) { return false }
        if unmoved.contains(edit.id) { return false }
        // A new file is staged before it is announced, and stays staged until it is moved into place.
        guard let old = change.old else {
            return edit.to.map(unmovedPaths.contains) != true && !isHalfWritten(edit, found)
        }
        // If a file only moves, every copy of it is both old and new.
        if edit.bytes == old { return false }
        if found == old {
            // Somebody might have reverted the new text. But once a merged text might have been sent, the
            // previous text, which can reappear after a power failure, must not count as an edit of the
            // merged text. Merging again loses nothing.
            return hasReplaced(change)
                && (edit.takesRemoteAsItIs || edit.opensConflict || !mayBeSending)
        }
        // Conflict markers that have been edited still belong to the conflict.
        return hasReplaced(change) || edit.opensConflict && ConflictedText.firstMarkerLine(in: found) != nil
    }

    /// Returns whether an edit was applied even though its todo has no file; nil if its file still has to be
    /// written.
    ///
    /// If the command didn't move the file away, the user deleted it, and it must not come back. A new file
    /// does come back, because nothing shows whether the user deleted it or it couldn't be created.
    fileprivate func wasAppliedWithoutFile(_ change: StagedChange) -> Bool? {
        guard let old = change.old else { return nil }
        guard hasReplaced(change) else { return false }
        // The file was moved away to be replaced or moved.
        if hasNew(change.edit) || change.edit.bytes == old { return nil }
        return true
    }
}

extension AnnouncedEdit {
    /// Whether the file takes the remote's text, without a change by the user.
    fileprivate var takesRemoteAsItIs: Bool { conflict == .none && remote != nil && replaced == nil }

    fileprivate var opensConflict: Bool {
        switch conflict {
        case .opens, .reopens: true
        case .none, .closes, .aborts: false
        }
    }
}

extension [UInt8] {
    /// Returns whether these bytes can be a remnant of a text that was being written when the command was
    /// killed or the power failed: whatever hadn't reached the disk is missing or zero.
    func isRemnant(of text: [UInt8]) -> Bool {
        count <= text.count && zip(self, text).allSatisfy { $0 == $1 || $0 == 0 }
    }
}

extension TodoState {
    /// The text that the unfinished edit replaces or removes; nil if it creates a file.
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
