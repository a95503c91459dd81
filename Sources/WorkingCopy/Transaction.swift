package import TodoModel

/// The right to change a working directory, with the journal and the files to change.
///
/// One command's changes are one operation. Nothing is written to the journal until the first change.
package final class Transaction {
    package private(set) var state: State
    /// What was found damaged, and cut off.
    package let damage: JournalDamage?
    /// Whether base versions can't be older than their files, as they can be in a journal whose length
    /// nothing tells: one that is older or was cut looks whole.
    package private(set) var isProven: Bool
    /// Whether the journal's length needs no note before an operation has changed it.
    private var isNoted: Bool
    private var tools: Tools
    private var hasBegun = false
    private var needsSynchronization = false
    /// Todos whose files were changed since all files were on the disk the last time.
    private var unsynchronized: Set<TodoID> = []
    /// The folders in which other file systems were mounted when the files were looked at last.
    package var mountPoints: [String] = []
    /// Why the journal can't be written; a line may be half-written, and what followed it would not be read,
    /// or may get to the disk without what stands before it.
    private var failure: FileError?

    struct Tools {
        let root: String
        let lock: WorkingDirectoryLock
        let stateFolder: StateFolder
        /// The length that is noted as the journal's end; nil if more may follow.
        let notedEnd: Int?
        var journal: Journal
        let writer: FileWriter
        let beginning: JournalRecord
        let fileSystem: any FileSystem
    }

    init(_ state: State, damage: JournalDamage?, isProven: Bool, isNoted: Bool, tools: Tools) {
        self.state = state
        self.damage = damage
        self.isProven = isProven
        self.isNoted = isNoted
        self.tools = tools
    }

    /// Adds records to the journal and to the state.
    ///
    /// They are durable after ``synchronize()``.
    package func record(_ records: [JournalRecord]) throws {
        guard !records.isEmpty else { return }
        // Else a todo whose base version can't be read would be taken for one that two people made.
        try state.todos.check()
        if records.contains(where: needsFiles) {
            try synchronizeFiles(in: mountPoints.isEmpty ? [] : records.flatMap(folders))
        }
        try write(hasBegun ? records : [tools.beginning] + records)
    }

    /// Whether a record must not get to the disk before the files that it is about: after a power failure, a
    /// file's older text would count as a newer edit.
    private func needsFiles(_ record: JournalRecord) -> Bool {
        switch record {
        case .confirmed, .sent: true
        default: record.settledTodo.map(unsynchronized.contains) ?? false
        }
    }

    /// The folders of the user's files that a record rests on.
    private func folders(_ record: JournalRecord) -> [String] {
        let places: [String?] =
            switch record {
            case .confirmed(let id, _, let place): [place, state.todos[id]?.place]
            case .sent(let id, let sent): [sent.place, state.todos[id]?.place]
            default: []
            }
        return places.compactMap { $0.map { String(FolderTree.parent(of: $0[...])) } }
    }

    private func write(_ all: [JournalRecord]) throws {
        if let failure { throw failure }
        if !hasBegun, let end = tools.notedEnd {
            try JournalLength(count: end).write(in: tools.stateFolder, isDurable: false)
        }
        let written: Journal.Written
        do throws(FileError) {
            written = try tools.journal.append(all)
        } catch {
            failure = error
            throw error
        }
        hasBegun = true
        needsSynchronization = true
        state.take(all, written)
    }

    /// Begins the operation though there is nothing to record yet: one that was cut off before ends with it.
    package func begin() throws {
        guard !hasBegun else { return }
        try write([tools.beginning])
    }

    /// Takes what was announced for a todo as carried out.
    ///
    /// The journal knows it with its next record about the todo, or with the operation's end; after a crash
    /// the file tells.
    package func finish(_ id: TodoID) {
        state.apply(.finished(id: id))
        unsynchronized.insert(id)
    }

    /// Returns when the files that the operation under way is about are on the disk as they are.
    package func synchronizeFiles() throws {
        try synchronizeFiles(in: mountPoints.isEmpty ? [] : state.foldersUnderWay)
    }

    /// - Parameter folders: Those of files that are to be on the disk also where they are not on the folder's
    ///   file system.
    private func synchronizeFiles(in folders: [String]) throws {
        try tools.writer.sync(mountPoints(of: folders))
        unsynchronized = []
    }

    /// The folders in which the file systems are mounted that some folders are on, without the root's.
    private func mountPoints(of folders: [String]) -> Set<String> {
        let known = Set(mountPoints.map { FolderPath($0[...]) })
        var found: Set<String> = []
        for folder in folders {
            var path = folder[...]
            while !path.isEmpty, !known.contains(FolderPath(path)) { path = FolderTree.parent(of: path) }
            if !path.isEmpty { found.insert(String(path)) }
        }
        return found
    }

    /// Notes that the folder was looked at again, and so may have edits that are not on the disk yet.
    package func expectEdits() { tools.writer.expectEdits() }

    /// Returns when all that was recorded is on the disk.
    package func synchronize() throws {
        guard needsSynchronization else { return }
        if let failure { throw failure }
        do throws(FileError) {
            try tools.journal.synchronize()
        } catch {
            failure = error
            throw error
        }
        needsSynchronization = false
    }

    /// Changes files; the outcomes are in the changes' order.
    ///
    /// - Parameter announcement: The records that announce the changes, where the journal does not have them
    ///   yet.
    package func apply(
        _ changes: [FileChange], announcing announcement: [JournalRecord] = []
    ) throws -> [FileChangeOutcome] {
        guard !changes.isEmpty else {
            try record(announcement)
            return []
        }
        return try writer.apply(changes) {
            try record(announcement)
            try synchronize()
        }
    }

    /// Returns why changes can't be carried out, where a folder shows it; no file is touched.
    package func obstacles(to changes: [FileChange]) -> [FileError?] {
        writer.obstacles(to: changes)
    }

    /// The folder that is written to.
    var stateFolder: StateFolder { tools.stateFolder }
    private var writer: FileWriter { tools.writer }

    /// Returns the stamp of a file that the last changes wrote, for a ``KnownFile``; nil if there is none.
    package func stamp(ofFileAt path: String) -> FileStamp? { writer.stamp(ofFileAt: path) }

    /// Returns what somebody wrote into files while they were being replaced; the next operation looks at the
    /// others once more.
    package func stragglers() throws -> [Straggler] { try writer.finish(keeping: true) }

    /// Says that a straggler's bytes are safe elsewhere.
    package func discard(_ straggler: Straggler) throws { try writer.discard(straggler) }

    /// See ``FileWriter/leftovers(in:)``.
    package func leftovers(in folders: [String]) throws -> [Leftover] { try writer.leftovers(in: folders) }

    /// See ``FileWriter/removeUnplaced(in:)``.
    package func removeUnplaced(in folders: [String]) throws { try writer.removeUnplaced(in: folders) }

    /// See ``FileWriter/removeEmptyFolders(_:)``.
    package func removeEmptyFolders(_ folders: [String]) { writer.removeEmptyFolders(folders) }

    /// Removes leftovers whose texts are safe elsewhere.
    package func discard(_ leftovers: [Leftover]) throws { try writer.discard(leftovers) }

    /// Takes note that all that the remote has was compared with the base versions.
    package func prove() { isProven = true }

    /// Ends the operation: the files are on the disk, then the journal says so.
    package func end(_ operation: String, _ changes: [TodoChange]) throws {
        if hasBegun {
            try synchronizeFiles()
            try record([.end(operation: operation, changes: changes)])
            try synchronize()
            // Not before: until then, they show what was carried out.
            tools.writer.removeKept()
        }
        // Without a length, the next command knows that base versions are still to be compared.
        if isProven, hasBegun || !isNoted {
            try? JournalLength(count: state.journalLength, isEnd: true)
                .write(in: tools.stateFolder, isDurable: false)
        }
    }

    /// Leaves operations out of the journal that need not stay: it is written beside and renamed, so that a
    /// crash leaves the old or the new one.
    ///
    /// The operation must have ended, or not begun. Returns nil if nothing could be left out.
    ///
    /// - Parameter pending: The todos that are pending or in conflict: the operations stay that made them so.
    package func compact(_ retention: Retention, pending: Set<TodoID>) throws -> CompactionReport? {
        let (folder, fileSystem) = (tools.stateFolder, tools.fileSystem)
        let bytes = try Journal.bytes(in: folder.folder, fileSystem)
        guard let compaction = Compaction(of: bytes, retention, pending: pending) else { return nil }
        // With a larger length the new journal would be taken for one that was cut.
        let noted = try JournalLength.reading(in: folder).length
        if let noted {
            // Before, as it is right for the longer journal, too.
            let length = min(noted.count, compaction.bytes.count)
            try JournalLength(count: length).write(in: folder, isDurable: true)
        }
        try folder.replaceWhole(Journal.name.description, with: compaction.bytes)
        let journal = try Journal(in: folder.folder, fileSystem)
        tools.journal = journal
        state = Journal.contents(of: compaction.bytes).state
        state.journal = journal.file
        if noted != nil {
            try? JournalLength(count: compaction.bytes.count, isEnd: true).write(in: folder, isDurable: false)
        }
        return compaction.report
    }

    /// Does so where the journal is much larger than what is remembered, and it helps.
    ///
    /// It is tried now and then only, as what is pending may be what keeps the journal large.
    package func compactIfLarge(_ retention: Retention, pending: () throws -> Set<TodoID>) throws {
        let size = state.journalLength
        guard size > Self.largeSize, let time = state.firstTime,
            retention.lets(go: time, newer: state.operationCount - 1), size > 2 * state.size,
            hasBegun, state.operationCount.isMultiple(of: 16)
        else { return }
        _ = try compact(retention, pending: pending())
    }

    /// Loads what is remembered of the todos whose files a scan has not found to be as the cache has them.
    package func load(besides unchanged: UnchangedFiles) { state.load(besides: unchanged) }

    /// Keeps what is remembered of todos whose files are their base versions in a few bytes each: what is
    /// asked for of it is read from the journal.
    ///
    /// - Parameters:
    ///   - file: The file of a todo that is loaded, if it was read or written.
    ///   - unchanged: Those that are known to be base versions already.
    /// - Returns: all of them of which nothing else need be kept; nil if nothing was changed.
    package func leaveToJournal(
        _ file: @escaping @Sendable (TodoID) -> KnownFile?, _ unchanged: UnchangedFiles
    ) -> UnchangedFiles? {
        guard let (cache, all) = Cache.unsaved(state, file, unchanged, root: tools.root, tools.fileSystem)
        else { return nil }
        state.leave(all, to: cache)
        return all
    }

    /// Writes the cache anew, if that saves the next command something.
    ///
    /// - Parameter file: The file of a todo that is loaded, if it was read or written.
    package func saveCache(_ file: @escaping @Sendable (TodoID) -> KnownFile?) {
        // The cache is no loss.
        try? Cache.save(state, file, in: tools.stateFolder.folder, tools.fileSystem)
    }

    /// Up to how many bytes a journal is left as it is.
    private static let largeSize = 4 << 20
}
