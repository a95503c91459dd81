internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// An edit of one todo's file, with the state that is recorded once it is applied.
///
/// Every command that writes plans such edits, and ``LockedWorkspace/apply(_:recording:)`` applies them. The
/// journal's record and the change of the file are both derived from the edit, so they can't disagree.
struct PlannedEdit {
    /// What the journal records about an edit, and when.
    enum Recording {
        /// Announced before the file is touched: after a crash, the files show whether the edit was applied.
        case announced
        /// Announced by a command that was interrupted; recorded as applied once the file is written.
        case announcedBefore
        /// Recorded once the file is written: the file holds its id, and is complete without the journal.
        case afterwards
        /// Recorded only: the user's editor has written the file already.
        case written
        /// Recorded once the file is written; only the file's path is recorded.
        case placed
        /// Not recorded: the file has no id.
        case none
    }

    /// The effect of a remote change on a todo, for the report.
    enum Effect {
        /// The fields don't change: the sides agree, or only the local side changed them.
        case confirmed
        case pulled
        case merged(MergedParts)
        case conflict
    }

    let id: TodoID
    /// The file before the edit; nil if there isn't one.
    let before: FileText?
    /// The file after the edit; nil if it is removed.
    var after: FileText?
    /// Whether the new path applies to this folder only; nil to keep what is recorded.
    var isDisplaced: Bool?
    /// The new base version; nil if it stays the same.
    var remote: RemoteState?
    var conflict: AnnouncedEdit.ConflictChange = .none
    var recording: Recording = .announced
    /// Whether the todo is no longer tracked after the edit.
    var drops = false
    /// Whether the file is removed because the todo isn't kept in this folder any longer.
    var purges = false
    /// The effect on the todo; nil if no remote change is applied.
    var effect: Effect?
    /// The conflicting values that were resolved as before, such as `text` or `place.city`.
    var recalled: [String] = []
    /// The fields whose conflict the handler decided.
    var handled: [String] = []

    /// The file's path after the edit, or its former path if it is removed.
    var path: String { after?.path ?? before?.path ?? id.string }

    /// The change to the file; nil if it stays the same.
    var change: FileChange? {
        switch (before, after) {
        case _ where recording == .written: nil
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

    /// Whether only the base version changes, because the sides agree on the file as it is.
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

    /// Returns the journal's announcement of a change to the file.
    ///
    /// It contains the file's previous text only if nothing else in the journal does.
    func announcement(in tracked: State) -> AnnouncedEdit {
        let known = tracked.todos[id]
        let isInJournal =
            isMoveOnly || (remote != nil || purges) && before?.bytes == known?.base?.todo?.bytes
        return AnnouncedEdit(
            id: id, from: before?.path, to: after?.path, bytes: after?.bytes,
            isDisplaced: isDisplaced ?? after.map { known?.isDisplaced(at: $0.path) ?? false } ?? false,
            replaced: isInJournal ? nil : before?.bytes, remote: remote, conflict: conflict, purges: purges)
    }
}

extension PlannedEdit {
    /// Creates the edit that gives a todo's file a new text.
    ///
    /// A file without an id is changed as an editor would change it: there is no id to record the edit under.
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
    /// Returns the snapshot as it would be after some edits.
    func applying(_ edits: [PlannedEdit]) -> Snapshot {
        var (tracked, folder, standings) = (tracked, folder, standings)
        for edit in edits {
            tracked.apply(edit.record(in: tracked))
            if edit.isConfirmation { continue }
            standings[edit.id] = nil
            tracked.apply(.finished(id: edit.id))
            if let file = edit.after {
                folder.write(
                    edit.id, at: file.path, file.bytes, stamp: nil,
                    isConflicted: tracked.todos[edit.id]?.conflict != nil)
            } else {
                folder.forget(edit.id)
            }
        }
        return Snapshot(
            configuration: configuration, tracked: tracked, folder: folder, standings: standings,
            indexed: indexed,
            hasHeadMoved: hasHeadMoved)
    }
}
