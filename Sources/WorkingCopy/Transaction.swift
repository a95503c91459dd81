package import TodoModel

/// Changes the files of a working directory and records the changes in its journal.
///
/// All changes of one command form one operation. Nothing is written before the first change. The transaction
/// holds the lock.
///
/// A rehearsal holds no lock and writes nothing: it only shows what the changes would lead to.
package final class Transaction {
    package private(set) var state: State
    /// The damage that was found in the journal and removed.
    package let damage: JournalDamage?
    /// Whether it is certain that the base versions aren't older than their files.
    ///
    /// They can be older if the journal's expected length is unknown, because an older or truncated journal
    /// then looks complete.
    package private(set) var isProven: Bool
    /// Whether the recorded length and seal are correct, and need no update before an operation changes the
    /// journal.
    private var isNoted: Bool
    private var tools: Tools
    private var hasBegun = false
    /// Whether nobody else had changed the journal when this operation first wrote to it, or at its end if it
    /// didn't.
    private var isUntouched = true
    private var needsSynchronization = false
    /// The todos whose files changed since the files were last synchronized.
    private var unsynchronized: Set<TodoID> = []
    /// The folders that other file systems were mounted on at the last scan.
    package var mountPoints: [String] = []
    /// The error that left the journal unwritable.
    ///
    /// A line might be half-written. Records after it wouldn't be read, or could reach the disk before the
    /// records that precede them.
    private var failure: FileError?
    /// The files that a rehearsal would have changed.
    private var rehearsed = RehearsedFiles()

    struct Tools {
        let root: String
        let stateFolder: StateFolder
        let writer: FileWriter
        let beginning: JournalRecord
        let fileSystem: any FileSystem
        /// Nil in a rehearsal.
        var locked: LockedJournal?
    }

    struct LockedJournal {
        let lock: WorkingDirectoryLock
        /// The recorded length, if it is marked as the journal's end; nil if more bytes can follow.
        let notedEnd: Int?
        var journal: Journal
        /// The journal's stamp after it was checked.
        let stamp: FileStamp?
    }

    init(_ state: State, damage: JournalDamage?, isProven: Bool, isNoted: Bool, tools: Tools) {
        self.state = state
        self.damage = damage
        self.isProven = isProven
        self.isNoted = isNoted
        self.tools = tools
    }

    /// Whether nothing is written.
    package var isRehearsal: Bool { tools.locked == nil }

    /// Appends records to the journal and applies them to the state.
    ///
    /// The records are on disk after ``synchronize()``.
    package func record(_ records: [JournalRecord]) throws {
        guard !records.isEmpty else { return }
        // Otherwise, a todo with an unreadable base version would look as if both sides had created it.
        try state.todos.check()
        if records.contains(where: needsFiles) {
            try synchronizeFiles(in: mountPoints.isEmpty ? [] : records.flatMap(folders))
        }
        try write(hasBegun ? records : [tools.beginning] + records)
    }

    /// Returns whether a record must not reach the disk before the files that it describes.
    ///
    /// Otherwise, after a power failure, a file's older text would count as a newer edit.
    private func needsFiles(_ record: JournalRecord) -> Bool {
        switch record {
        case .confirmed, .sent: true
        default: record.finishedTodo.map(unsynchronized.contains) ?? false
        }
    }

    /// Returns the folders of the user's files that a record depends on.
    private func folders(_ record: JournalRecord) -> [String] {
        let paths: [String?] =
            switch record {
            case .confirmed(let id, _, let localPath, _): [localPath, state.todos[id]?.localPath]
            case .sent(let id, let sent): [sent.localPath, state.todos[id]?.localPath]
            default: []
            }
        return paths.compactMap { $0.map { String(FolderTree.parent(of: $0[...])) } }
    }

    private func write(_ all: [JournalRecord]) throws {
        guard let locked = tools.locked else {
            hasBegun = true
            for record in all { state.apply(record) }
            return
        }
        if let failure { throw failure }
        if !hasBegun, let end = locked.notedEnd {
            try JournalLength(count: end).write(in: tools.stateFolder, isDurable: false)
        }
        let written: Journal.Written
        do throws(FileError) {
            if !hasBegun { try noteTouch(of: locked) }
            written = try locked.journal.append(all)
        } catch {
            failure = error
            throw error
        }
        hasBegun = true
        needsSynchronization = true
        state.take(all, written)
    }

    /// Notes whether somebody else changed the journal since it was checked.
    private func noteTouch(of locked: LockedJournal) throws(FileError) {
        isUntouched = try locked.journal.stamp() == locked.stamp
    }

    /// Begins the operation without recording anything else, which also ends an interrupted operation.
    package func begin() throws {
        guard !hasBegun else { return }
        try write([tools.beginning])
    }

    /// Marks a todo's announced edit as applied, without writing anything.
    ///
    /// In the journal, the todo's next record or the operation's end shows that the edit was applied. After a
    /// crash, the file itself shows it.
    package func finish(_ id: TodoID) {
        state.apply(.finished(id: id))
        unsynchronized.insert(id)
    }

    /// Synchronizes the files of the operation to disk.
    package func synchronizeFiles() throws {
        try synchronizeFiles(in: mountPoints.isEmpty ? [] : state.foldersUnderWay)
    }

    /// Synchronizes the root's file system and other file systems to disk.
    ///
    /// - Parameter folders: Folders whose file systems are synchronized if they aren't the root's.
    private func synchronizeFiles(in folders: [String]) throws {
        guard !isRehearsal else { return }
        try tools.writer.sync(mountPoints(of: folders))
        unsynchronized = []
    }

    /// Returns the mount points of the file systems that folders are on, except the root's.
    private func mountPoints(of folders: [String]) -> Set<String> {
        let others = Set(mountPoints.map { FolderPath($0[...]) })
        var found: Set<String> = []
        for folder in folders {
            var path = folder[...]
            while !path.isEmpty, !others.contains(FolderPath(path)) { path = FolderTree.parent(of: path) }
            if !path.isEmpty { found.insert(String(path)) }
        }
        return found
    }

    /// Marks the files as unsynchronized, because the folder was scanned again and might contain newer edits.
    package func expectEdits() { tools.writer.expectEdits() }

    /// Synchronizes the recorded changes to disk.
    package func synchronize() throws {
        guard needsSynchronization, let locked = tools.locked else { return }
        if let failure { throw failure }
        do throws(FileError) {
            try locked.journal.synchronize()
        } catch {
            failure = error
            throw error
        }
        needsSynchronization = false
    }

    /// Changes files and returns the outcomes in the order of the changes.
    ///
    /// - Parameters:
    ///   - announcement: The records that announce the changes, if they aren't in the journal yet.
    ///   - folders: The folders that an interrupted operation changed, if the changes finish that operation;
    ///     see ``LeftoverFiles/removeStaged(of:in:besides:)``.
    ///   - cancellation: How far the changes are cancelled if the command is asked to end.
    package func apply(
        _ changes: [FileChange], announcing announcement: [JournalRecord] = [],
        finishingIn folders: [String]? = nil, cancelling cancellation: ChangeCancellation = .together
    ) throws -> [FileChangeOutcome] {
        guard !changes.isEmpty else {
            try record(announcement)
            return []
        }
        if isRehearsal {
            try record(announcement)
            return rehearsed.apply(changes, by: writer)
        }
        return try writer.apply(changes, cancelling: cancellation) {
            try record(announcement)
            try synchronize()
            if let folders {
                try writer.leftoverFiles.removeStaged(
                    of: changes, in: folders, besides: writer.temporaryFiles.isOwn)
            }
        }
    }

    /// Returns what a scan would have found after the changes of a rehearsal.
    package func rehearse(_ scan: FileScan) -> FileScan { scan.changed(by: rehearsed) }

    /// Returns the errors that changes would fail with, as far as the folders reveal them, without changing
    /// any file.
    package func obstacles(to changes: [FileChange]) -> [FileError?] {
        writer.obstacles(to: changes)
    }

    /// The open `.todosync` folder.
    var stateFolder: StateFolder { tools.stateFolder }
    private var writer: FileWriter { tools.writer }

    /// Returns the stamp of a file written by the last changes, for a ``StampedFile``; nil if it isn't known.
    package func stamp(ofFileAt path: String) -> FileStamp? { writer.stamp(ofFileAt: path) }

    /// Returns the edits that somebody made to files while they were being replaced.
    ///
    /// The next operation checks the other files again.
    package func lateWrites() throws -> [LateWrite] { try writer.finish(keeping: true) }

    /// Discards a late write whose bytes have been saved.
    package func discard(_ lateWrite: LateWrite) throws { try writer.exchanger.discard(lateWrite) }

    /// See ``FileWriter/leftovers(in:)``.
    package func leftovers(in folders: [String]) throws -> [Leftover] { try writer.leftovers(in: folders) }

    /// See ``LeftoverFiles/removeUnmoved(in:)``.
    package func removeUnmoved(in folders: [String]) throws {
        try writer.leftoverFiles.removeUnmoved(in: folders)
    }

    /// See ``FileWriter/removeEmptyFolders(_:)``.
    package func removeEmptyFolders(_ folders: [String]) { writer.removeEmptyFolders(folders) }

    /// Removes leftovers whose bytes have been saved.
    package func discard(_ leftovers: [Leftover]) throws { try writer.leftoverFiles.discard(leftovers) }

    /// Records that all base versions were compared with the remote's changes.
    package func prove() { isProven = true }

    /// Ends the operation: synchronizes the files to disk, and then records the end in the journal.
    package func end(_ operation: String, _ changes: [TodoChange]) throws {
        guard let locked = tools.locked else { return }
        if hasBegun {
            try synchronizeFiles()
            try record([.end(operation: operation, changes: changes)])
            try synchronize()
            // Until the end is recorded, the kept files show which edits were applied.
            tools.writer.exchanger.removeKept()
            tools.writer.newRoot?.finish()
        }
        // Without a recorded length, the next command knows that base versions still have to be compared.
        if isProven, hasBegun || !isNoted {
            // Otherwise, records of an interrupted operation might not be on disk, unlike the length.
            if !hasBegun {
                try locked.journal.synchronize()
                try noteTouch(of: locked)
            }
            let isCertain = isUntouched && state.todos.cache?.isWrong != true
            let length = JournalLength(endOf: locked.journal, count: state.journalLength, seals: isCertain)
            if !hasBegun, (try? JournalLength.read(in: tools.stateFolder)) == length { return }
            try? length.write(in: tools.stateFolder, isDurable: false)
        }
    }

    /// Drops old operations from the journal; returns nil if nothing can be dropped.
    ///
    /// The operation must have ended, or must not have begun. The new journal is written to a different file
    /// and renamed, so a crash leaves either the old or the new journal.
    ///
    /// - Parameter pending: The todos that are pending or in conflict. The operations that caused this are
    ///   kept.
    package func compact(
        _ retention: Retention, pending: Set<TodoID>, progress: Progress.Reporter? = nil
    ) throws -> CompactionReport? {
        let (folder, fileSystem) = (tools.stateFolder, tools.fileSystem)
        let bytes = try Journal.bytes(in: folder.folder, fileSystem)
        guard let compaction = Compaction(of: bytes, retention, pending: pending, progress: progress)
        else { return nil }
        // If the recorded length were larger, the new journal would look truncated.
        let noted = try JournalLength.reading(in: folder).length
        if let noted {
            // Write the smaller length first, because it is also valid for the longer journal.
            let length = min(noted.count, compaction.bytes.count)
            try JournalLength(count: length).write(in: folder, isDurable: true)
        }
        try folder.replaceWhole(Journal.name.description, with: compaction.bytes)
        let journal = try Journal(in: folder.folder, fileSystem, logger: tools.locked?.journal.logger)
        tools.locked?.journal = journal
        state = Journal.contents(of: compaction.bytes).state
        state.journal = journal.file
        if noted != nil {
            try? JournalLength(endOf: journal, count: compaction.bytes.count, seals: true)
                .write(in: folder, isDurable: false)
        }
        return compaction.report
    }

    /// Compacts the journal if it is much larger than the state and dropping operations can help.
    ///
    /// This is tried only occasionally, because pending changes can keep the journal large.
    package func compactIfLarge(_ retention: Retention, pending: () throws -> Set<TodoID>) throws {
        let size = state.journalLength
        guard size > Self.largeSize, let time = state.firstTime,
            retention.lets(go: time, newer: state.operationCount - 1), size > 2 * state.size,
            hasBegun, state.operationCount.isMultiple(of: 16)
        else { return }
        _ = try compact(retention, pending: pending())
    }

    /// Loads all todos from the cache except those whose files a scan found unchanged.
    package func load(besides unchanged: UnchangedFiles) { state.load(besides: unchanged) }

    /// Drops the loaded states of todos whose files equal their base versions; later lookups read them from
    /// the journal.
    ///
    /// - Parameters:
    ///   - file: Returns the file of a loaded todo, if it was read or written.
    ///   - unchanged: The files already known to equal their base versions.
    /// - Returns: The files that equal their base versions; nil if nothing could be dropped.
    package func leaveToJournal(
        _ file: @escaping @Sendable (TodoID) -> StampedFile?, _ unchanged: UnchangedFiles
    ) -> UnchangedFiles? {
        guard let (cache, all) = Cache.unsaved(state, file, unchanged, root: tools.root, tools.fileSystem)
        else { return nil }
        state.leave(all, to: cache)
        return all
    }

    /// Writes the cache if that saves the next command more time than it costs.
    ///
    /// - Parameter file: Returns the file of a loaded todo, if it was read or written.
    package func saveCache(_ file: @escaping @Sendable (TodoID) -> StampedFile?) {
        // A failure is harmless.
        try? Cache.save(state, file, in: tools.stateFolder.folder, tools.fileSystem)
    }

    /// The largest size in bytes of a journal that is never compacted automatically.
    private static let largeSize = 4 << 20
}
