internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// An edit of a todo's file, with the state to record once it is applied.
///
/// All commands that write plan such edits, and
/// ``LockedWorkspace/apply(_:recording:finishingIn:cancelling:)`` applies them. The journal's record and the
/// change to the file are both derived from the edit, so they can't contradict each other.
struct PlannedEdit {
    /// How the journal records an edit.
    enum Recording {
        /// Announced before the file is changed, so that the files show after a crash whether the edit was
        /// applied.
        case announced
        /// Already announced by an interrupted command, and recorded as applied once the file is written.
        case announcedBefore
        /// Recorded once the file is written. The file is complete without the journal, because it has the id
        /// or isn't tracked.
        case afterward
        /// Only recorded, because the user's editor has already written the file.
        case written
        /// Recorded once the file is written, but only with the file's path.
        case pathOnly
        /// Not recorded, because the file has no id.
        case none
    }

    /// The effect of a remote change on a todo, for reports.
    enum Effect {
        /// The fields stay the same, because the sides agree or only the local side changed them.
        case confirmed
        case pulled
        case merged(MergedParts)
        case conflict
    }

    let id: TodoID
    /// The file before the edit; nil if there was no file.
    let before: FileText?
    /// The file after the edit; nil if there isn't one.
    var after: FileText?
    /// Whether the new path is used only in this folder; nil to keep the recorded value.
    var isPathLocalOnly: Bool?
    /// The new base version; nil if the base version doesn't change.
    var remote: RemoteState?
    var conflict: AnnouncedEdit.ConflictChange = .none
    var recording: Recording = .announced
    /// Whether the todo is no longer tracked after the edit.
    var drops = false
    /// Whether the file is removed because the user purged the todo.
    var purges = false
    /// The effect on the todo; nil if no remote change is applied.
    var effect: Effect?
    /// The names of conflicting values that remembered resolutions resolved, such as `text` or `place.city`.
    var recalled: [String] = []
    /// Who decided conflicts with the remote change.
    var choices: [LoggedChoice] = []

    /// The file's path after the edit, or its former path if the edit removes it.
    var path: String { after?.path ?? before?.path ?? id.string }

    /// The change to the file; nil if it doesn't change.
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

    /// Whether only the base version changes, because the file already agrees with the remote.
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
        // A delete by the remote ends the recorded path, but the user can keep the file.
        let hasLocalPath = remote.todo != nil && tracked.todos[id]?.localPath != nil
        let kept = choices.isEmpty ? nil : KeptSide(text: before?.bytes, choices: choices)
        return .confirmed(id: id, remote, localPath: hasLocalPath ? nil : before?.path, kept: kept)
    }

    /// Returns the journal's announcement of a change to the file.
    ///
    /// It includes the file's previous text only if the journal has it nowhere else.
    func announcement(in tracked: State) -> AnnouncedEdit {
        let recorded = tracked.todos[id]
        let isInJournal =
            isMoveOnly || (remote != nil || purges) && before?.bytes == recorded?.base?.todo?.bytes
        return AnnouncedEdit(
            id: id, from: before?.path, to: after?.path, bytes: after?.bytes,
            isPathLocalOnly: isPathLocalOnly ?? after.map { recorded?.isLocalOnlyPath($0.path) ?? false }
                ?? false,
            replaced: isInJournal ? nil : before?.bytes, remote: remote, conflict: conflict, purges: purges,
            choices: choices)
    }
}

extension PlannedEdit {
    /// Creates the edit that gives a todo's file a new text.
    ///
    /// An edit of a file without an id isn't recorded, because there is no id to record it under.
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
        var snapshot = self
        for edit in edits {
            snapshot.tracked.apply(edit.record(in: snapshot.tracked))
            if edit.isConfirmation { continue }
            snapshot.standings[edit.id] = nil
            snapshot.tracked.apply(.finished(id: edit.id))
            if let file = edit.after {
                snapshot.folder.write(
                    edit.id, at: file.path, file.bytes, stamp: nil,
                    isConflicted: snapshot.tracked.todos[edit.id]?.hasMarkedConflict ?? false)
            } else {
                snapshot.folder.forget(edit.id)
            }
        }
        return snapshot
    }
}
