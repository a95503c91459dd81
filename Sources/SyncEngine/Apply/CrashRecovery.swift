internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Recovers from an interrupted command according to ``recovery(from:_:)``.
///
/// A recovery goes on to its end even if the command is asked to end. If it removed only some half-written
/// files, for example, the rest would count as the user's.
final class CrashRecovery {
    private let locked: LockedWorkspace
    /// The todos whose announced edits weren't applied and won't be.
    private var givenUp: Set<TodoID> = []
    /// The todos whose new files the interrupted command didn't move into place.
    ///
    /// The files that show this are removed before this command writes the new files.
    private var unmoved: Set<TodoID> = []

    init(_ locked: LockedWorkspace) { self.locked = locked }

    /// Recovers from an interrupted command, and checks the files that earlier commands left behind.
    ///
    /// A rehearsal leaves those files to the next command, because a running command might need them.
    ///
    /// - Parameter staged: The texts that the interrupted command had left before the folder was scanned.
    func recover(by staged: StagedTexts?) throws {
        if locked.transaction.isRehearsal { return try decideUnfinished(by: staged) }
        let isInterrupted = locked.tracked.openOperation != nil || locked.tracked.hasUnfinished
        guard isInterrupted else {
            return try LateEdits(locked: locked).clearLeftovers(in: [], announced: [])
        }
        let command = locked.tracked.openOperation?.command
        let folders = locked.tracked.foldersUnderWay
        let unfinished = locked.snapshot.unfinished
        let announced = locked.tracked.todos.loaded.values.flatMap {
            [$0.unfinished?.bytes, $0.textReplacedByUnfinished].compactMap(\.self)
        }
        try decideUnfinished(by: staged)
        try locked.transaction.begin()
        try LateEdits(locked: locked).clearLeftovers(in: folders, announced: Set(announced))
        // The command might have been interrupted before it removed the folders that it had emptied.
        locked.transaction.removeEmptyFolders(
            unfinished.filter { !givenUp.contains($0.id) }.compactMap(\.folderLeft))
        if let command { locked.surroundings.notice(recovered(command, begun: unfinished.count)) }
    }

    /// Returns a message about the recovery of an interrupted command.
    private func recovered(_ command: String, begun: Int) -> String {
        let name = "an interrupted command (\(command))"
        if begun == 0 { return "\(name) left nothing to finish in the files" }
        let left =
            givenUp.count == 1
            ? "1 todo was left unchanged" : "\(givenUp.count.grouped) todos were left unchanged"
        if givenUp.isEmpty { return "finished \(name)" }
        if givenUp.count >= begun { return "could not finish \(name): \(left)" }
        return "finished \(name) in part: \(left)"
    }

    /// Determines which announced edits were applied, and writes missing files.
    ///
    /// The folder must have been scanned just before this call.
    ///
    /// - Parameter staged: The texts that the interrupted command left; nil to read them.
    func decideUnfinished(by staged: StagedTexts? = nil) throws {
        guard locked.tracked.hasUnfinished else { return }
        let staged = try staged ?? stagedTexts()
        unmoved.formUnion(locked.snapshot.unfinished.filter(staged.isUnmoved).map(\.id))
        // Half-written files are written again below.
        let halfWritten = staged.removalsOfHalfWrittenFiles(in: locked.snapshot)
        if try locked.apply(halfWritten, cancelling: .never).contains(.done) { try locked.rescan() }
        let removals = locked.snapshot.filesLeftBehind()
        try decide(by: staged)
        if try locked.apply(removals, cancelling: .never).contains(.done) { try locked.rescan() }
        try writeMissingFiles()
    }

    private func stagedTexts() throws -> StagedTexts {
        try StagedTexts(in: locked.workspace.directory, locked.tracked, unmoved: unmoved)
    }

    /// Determines which announced edits were applied, and records them.
    private func decide(by staged: StagedTexts) throws {
        // An edit must not get lost after it is recorded as applied.
        try locked.transaction.synchronizeFiles()
        try refuseUnreadable(FileContents(locked.folder.scan))
        let records = recovery(from: locked.snapshot, staged).records
        locked.snapshot.logRecovery(records, to: locked.surroundings.logger)
        try locked.transaction.record(records)
        for case .abandoned(let id) in records { givenUp.insert(id) }
        if !records.isEmpty { locked.rematch() }
    }

    /// Throws an error if files that show which edits were applied can't be read.
    ///
    /// If they counted as missing, they would be written again.
    private func refuseUnreadable(_ files: FileContents) throws {
        for unfinished in locked.snapshot.unfinished {
            if let to = unfinished.to, files.bytes(at: to) == unfinished.bytes { continue }
            for path in [unfinished.from, unfinished.to].compactMap(\.self) {
                if case .unreadable(let error) = locked.folder.scan.exclusionReason(for: path) {
                    throw EngineError.cannotFinish(error)
                }
            }
        }
    }

    /// Writes the announced files that are missing.
    ///
    /// Each file is written to its new path, or else to its old one, or else to a name used only in this
    /// folder until the next pull corrects it.
    private func writeMissingFiles() throws {
        var failure: FileError?
        for _ in 0..<Exchange.maximumTries where locked.tracked.hasUnfinished {
            let (creations, announcement) = try planMissingFiles()
            let outcomes = try locked.apply(
                creations, recording: announcement, finishingIn: locked.tracked.foldersUnderWay,
                cancelling: .never)
            for (creation, outcome) in zip(creations, outcomes) {
                switch outcome {
                case .done, .changedMeanwhile, .occupied, .refused, .withoutPath: continue
                case .failed(let error):
                    failure = error
                    // If the disk is full or fails, another name doesn't help.
                    if !error.isDiskFailure { locked.occupied.insert(ByteKey(creation.path)) }
                // The next command recovers the rest.
                case .cancelled: throw CancellationError()
                }
            }
            try locked.rescan()
            // A file that couldn't be written might exist again.
            if locked.tracked.hasUnfinished { try decide(by: stagedTexts()) }
            if failure?.isDiskFailure == true { break }
        }
        if let failure, locked.tracked.hasUnfinished { throw failure }
        for unfinished in locked.snapshot.unfinished { try giveUp(unfinished) }
    }

    /// Chooses paths for the missing files, and announces those that differ from the announced ones.
    private func planMissingFiles() throws -> (creations: [PlannedEdit], announcement: [JournalRecord]) {
        var creations: [PlannedEdit] = []
        var announcement: [JournalRecord] = []
        for unfinished in locked.snapshot.unfinished.sorted(by: { $0.id < $1.id }) {
            guard let to = unfinished.to, let bytes = unfinished.bytes else {
                try locked.transaction.record([.finished(id: unfinished.id)])
                continue
            }
            guard let path = pathForMissing(unfinished, to) else {
                try giveUp(unfinished)
                continue
            }
            if !path.isSameBytes(as: to) {
                let edit = unfinished.moved(to: path, isPathLocalOnly: true)
                announcement += [.abandoned(id: unfinished.id), .announced(edit)]
            }
            locked.folder.occupy(ByteKey(path))
            creations.append(
                PlannedEdit(
                    id: unfinished.id, before: nil, after: FileText(path: path, bytes: bytes),
                    recording: .announcedBefore))
        }
        return (creations, announcement)
    }

    private func pathForMissing(_ unfinished: AnnouncedEdit, _ to: String) -> String? {
        let paths = [to, unfinished.from].compactMap(\.self)
        if let free = paths.first(where: {
            locked.snapshot.isUsable($0) && !locked.folder.hasFile(at: $0)
        }) {
            return free
        }
        return locked.snapshot.freePath(unfinished.id, to)?.path
    }

    /// Records a file's text in the operation log if the file can't get a path.
    private func giveUp(_ unfinished: AnnouncedEdit) throws {
        var records = [JournalRecord.abandoned(id: unfinished.id)]
        if let text = FileText(unfinished.bytes, at: unfinished.to ?? unfinished.id.string) {
            records.insert(.kept(id: unfinished.id, path: text.path, bytes: text.bytes), at: 0)
        }
        try locked.transaction.record(records)
        givenUp.insert(unfinished.id)
    }
}
