internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A change of one todo's file, with what becomes true once the file is so.
///
/// Every command that writes plans such edits, and ``LockedWorkspace/apply(_:recording:)`` carries them out.
/// The journal's record and the change of the file are both derived from the edit, so that they can't
/// disagree.
struct PlannedEdit {
    /// What the journal gets of an edit, and when.
    enum Recording {
        /// Announced before the file is touched: after a crash the files tell whether it was carried out.
        case announced
        /// Announced by a command that was interrupted: recorded as carried out once the file is written.
        case announcedBefore
        /// Recorded once the file is written: the file holds its id, and is complete without the journal.
        case afterwards
        /// Recorded once the file is written, as no more than the file's path.
        case placed
        /// Not recorded: the file has no id.
        case none
    }

    /// What bringing in a remote change does to a todo, for the report.
    enum Effect {
        /// Nothing happens to the fields: the sides agree, or only the local one changed them.
        case confirmed
        case pulled
        case merged(MergedParts)
        case conflict
    }

    let id: TodoID
    /// The file before; nil if there is none.
    let before: FileText?
    /// The file afterwards; nil if it is removed.
    var after: FileText?
    /// Whether the new path is this folder's alone; nil for what is tracked of that path.
    var isDisplaced: Bool?
    /// The base version from then on; nil if it stays as it is.
    var remote: RemoteState?
    var conflict: AnnouncedEdit.ConflictChange = .none
    var recording: Recording = .announced
    /// Whether the todo is not tracked any more afterwards.
    var drops = false
    /// Nil where no remote change is brought in.
    var effect: Effect?
    /// The values in conflict that were resolved as before, as `text` or `place.city`.
    var recalled: [String] = []

    /// Where the file is afterwards, or was.
    var path: String { after?.path ?? before?.path ?? id.string }

    /// The change of the file; nil if it stays as it is.
    var change: FileChange? {
        switch (before, after) {
        case (nil, nil): nil
        case (nil, let after?): .create(path: after.path, bytes: after.bytes)
        case (let before?, nil): .remove(path: before.path, expecting: before.bytes)
        case (let before?, let after?) where !before.path.isSameBytes(as: after.path):
            .move(from: before.path, to: after.path, expecting: before.bytes, with: after.bytes)
        case (let before?, let after?) where before.bytes == after.bytes: nil
        case (let before?, let after?):
            .replace(path: before.path, expecting: before.bytes, with: after.bytes)
        }
    }

    /// Whether nothing changes but the base version: the sides agree on the file as it is.
    var isConfirmation: Bool { remote != nil && conflict == .none && !changesFile }

    private var changesFile: Bool {
        switch (before, after) {
        case (nil, nil): false
        case (let before?, let after?):
            before.bytes != after.bytes || !before.path.isSameBytes(as: after.path)
        default: true
        }
    }

    /// Whether only the file's path changes.
    private var isMoveOnly: Bool {
        remote == nil && conflict == .none && before?.bytes == after?.bytes
    }

    /// Returns the journal's record of the edit.
    func record(in tracked: State) -> JournalRecord {
        guard let remote, isConfirmation else { return .announced(announcement(in: tracked)) }
        let isPlaced = tracked.todos[id]?.place != nil
        return .confirmed(id: id, remote, place: isPlaced ? nil : before?.path)
    }

    /// Returns what the journal announces of a change of the file.
    ///
    /// It has the file's text before only where nothing else in the journal has it.
    func announcement(in tracked: State) -> AnnouncedEdit {
        let known = tracked.todos[id]
        let isInJournal = isMoveOnly || remote != nil && before?.bytes == known?.base?.todo?.bytes
        return AnnouncedEdit(
            id: id, from: before?.path, to: after?.path, bytes: after?.bytes,
            isDisplaced: isDisplaced ?? after.map { known?.isDisplaced(at: $0.path) ?? false } ?? false,
            replaced: isInJournal ? nil : before?.bytes, remote: remote, conflict: conflict)
    }
}

extension PlannedEdit {
    /// Creates the edit that gives a todo's file a new text.
    ///
    /// A file without an id is changed as by an editor: there is no id under which it could be recorded.
    init(_ file: LocalTodo, becoming bytes: [UInt8], id: TodoID) {
        self.init(
            id: id, before: file.fileText, after: FileText(path: file.path, bytes: bytes),
            recording: file.id == nil ? .none : .announced)
    }
}

extension LocalTodo {
    /// The file's path and bytes.
    var fileText: FileText { FileText(path: path, bytes: bytes) }
}

extension Snapshot {
    /// Returns what would be the case after some edits.
    func applying(_ edits: [PlannedEdit]) -> Snapshot {
        var (tracked, folder) = (tracked, folder)
        for edit in edits {
            tracked.apply(edit.record(in: tracked))
            if edit.isConfirmation { continue }
            tracked.apply(.finished(id: edit.id))
            if let file = edit.after {
                folder.write(
                    edit.id, at: file.path, file.bytes, stamp: nil,
                    isConflicted: tracked.todos[edit.id]?.conflict != nil)
            } else {
                folder.forget(edit.id)
            }
        }
        return Snapshot(configuration: configuration, tracked: tracked, folder: folder)
    }
}
