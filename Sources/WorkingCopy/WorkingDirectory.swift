package import Logging
import Platform
package import TodoModel

/// A folder of todos with a `.todosync` folder.
package struct WorkingDirectory: Sendable {
    /// The absolute path of the folder.
    package let root: String
    package let fileSystem: any FileSystem
    /// Whether the running command made the folder, so nobody else uses it yet.
    package var isNew = false
    /// Returns whether the user asked the command to end.
    package var isAskedToEnd: @Sendable () -> Bool = { false }
    /// Receives progress reports about long work; nil to report nothing.
    package var progress: Progress.Reporter?
    /// Receives each record that is written to the journal; nil to log nothing.
    package var logger: Logger?
    /// The format of `.todosync`.
    package static let format = 5

    package init(root: String, fileSystem: any FileSystem = POSIXFileSystem()) {
        self.root = root
        self.fileSystem = fileSystem
    }

    /// Creates `.todosync` in an existing folder.
    ///
    /// - Parameters:
    ///   - continues: Whether to complete an incomplete `.todosync`; see ``isHalfMade()``.
    ///   - records: The journal's first records after its format.
    package func create(
        _ configuration: Configuration, continuing continues: Bool = false,
        recording records: [JournalRecord] = []
    ) throws {
        guard let rootFolder = try fileSystem.openFolder(at: root) else {
            throw FileError(.open, root, code: ENOENT)
        }
        guard try fileSystem.makeFolder(stateFolderName, in: rootFolder) || continues else {
            throw WorkingDirectoryError.exists(root)
        }
        let stateFolder = try openStateFolder()
        try stateFolder.replaceWhole(".gitignore", with: Array("*\n".utf8))
        let journal = try Journal(in: stateFolder.folder, fileSystem, logger: logger)
        try journal.truncate(to: 0)
        let written = try journal.append([.format(Self.format)] + records)
        try journal.synchronize()
        try JournalLength(endOf: journal, count: written.bytes.count, seals: true)
            .write(in: stateFolder, isDurable: true)
        // The configuration is written last, so a `.todosync` without it is incomplete.
        try stateFolder.replaceWhole(Self.configurationName, with: configuration.text)
        do throws(FileError) {
            try fileSystem.synchronize(stateFolder.folder, .file)
            try fileSystem.synchronize(rootFolder, .file)
        } catch {
            throw error.at(root)
        }
    }

    /// Returns whether the folder contains only a `.todosync` that a crash left incomplete.
    package func isHalfMade() throws -> Bool {
        guard let rootFolder = try fileSystem.openFolder(at: root),
            try fileSystem.openFolder(stateFolderName, in: rootFolder) != nil
        else { return false }
        let listing = try fileSystem.listing(of: rootFolder, at: root)
        let stateFolder = try openStateFolder()
        let hasConfiguration = try configurationText(in: stateFolder) != nil
        let state = try state(usingCache: false)
        return listing.count == 1 && !hasConfiguration && state.todos.loaded.isEmpty && state.remote == nil
    }

    /// Returns the configuration in `config.yaml`; a missing file counts as empty.
    package func configuration() throws -> Configuration {
        let bytes = try configurationText(in: try openStateFolder()) ?? []
        do {
            return try Configuration(parsing: bytes)
        } catch {
            throw WorkingDirectoryError.configuration(error)
        }
    }

    /// Sets or removes the remote's URL in `config.yaml`, and keeps everything else.
    package func setRemote(_ url: String?) throws {
        let folder = try openStateFolder()
        let text = Configuration.text(try configurationText(in: folder), settingRemote: url)
        try folder.replaceWhole(Self.configurationName, with: text)
    }

    /// Returns the state recorded in `.todosync`, without waiting for a running command.
    ///
    /// - Parameter usingCache: Whether to use the cache instead of reading the whole journal.
    package func state(usingCache: Bool = true) throws -> State {
        let contents = try Journal.read(
            in: try openStateFolder().folder, root: root, usingCache: usingCache, progress: progress,
            fileSystem)
        try check(contents.state)
        return contents.state
    }

    /// Returns the operation log, without waiting for a running command.
    package func history() throws -> History {
        var history = History()
        for line in JournalLines(try wholeJournal()) {
            if case .format(let number) = line.record { try check(format: number) }
            history.apply(line.record)
        }
        return history
    }

    /// Returns the new texts of the edits that some operations announced, whether or not they were applied.
    package func announcedTexts(of operations: Set<String>) throws -> Set<[UInt8]> {
        var texts: Set<[UInt8]> = []
        var isSelected = false
        for line in JournalLines(try wholeJournal()) {
            switch line.record {
            case .begin(let operation, _, _): isSelected = operations.contains(operation)
            case .announced(let edit): if isSelected, let bytes = edit.bytes { texts.insert(bytes) }
            default: break
            }
        }
        return texts
    }

    /// Scans the folder's files.
    ///
    /// - Parameters:
    ///   - state: The recorded state; nil if there isn't one.
    ///   - usingCache: Whether to skip the files that match the state's cache.
    package func scan(
        _ configuration: Configuration, _ state: State? = nil, usingCache: Bool = true
    ) throws -> FileScan {
        try WorkingCopy.scan(
            root: root, include: configuration.include, fileSystem: fileSystem,
            cache: usingCache ? state?.todos.cache : nil, recorded: state?.todos, progress: progress)
    }

    /// Reads the files at some paths, and assumes that all others match the state's cache.
    ///
    /// Returns nil if one of the paths has no readable file, so the whole folder must be scanned.
    package func scan(_ configuration: Configuration, _ state: State, only paths: [String]) throws
        -> FileScan?
    {
        try WorkingCopy.scan(
            only: paths, root: root, include: configuration.include, fileSystem: fileSystem, state.todos)
    }

    /// Writes the cache of a state, if that saves time and no other command is running.
    ///
    /// - Parameter file: Returns the file of a loaded todo, if it was read.
    package func saveCache(_ state: State, _ file: @escaping @Sendable (TodoID) -> StampedFile?) {
        // A failure is harmless, and the folder might be read-only.
        guard let lock = try? WorkingDirectoryLock(root: root, timeout: .zero, fileSystem: fileSystem),
            let folder = try? openStateFolder().folder
        else { return }
        try? Cache.save(state, file, in: folder, fileSystem)
        withExtendedLifetime(lock) {}
    }

    /// Waits for the lock on this working directory.
    func lock(timeout: Duration) throws(LockError) -> WorkingDirectoryLock {
        try WorkingDirectoryLock(
            root: root, timeout: timeout, fileSystem: fileSystem, isAskedToEnd: isAskedToEnd)
    }

    /// Waits for the lock on this working directory, and begins an operation.
    package func begin(
        operation: String, time: String, command: String, timeout: Duration
    ) throws -> Transaction {
        let lock = try lock(timeout: timeout)
        let stateFolder = try openStateFolder()
        let endedAt = try JournalLength.read(in: stateFolder)
        let contents = try Journal.read(
            in: stateFolder.folder, root: root, usingCache: true, checking: .ifUnsealed(endedAt),
            progress: progress, fileSystem)
        try check(contents.state)
        let journal = try Journal(in: stateFolder.folder, fileSystem, logger: logger)
        let isSame = try contents.stamp == nil || journal.stamp() == contents.stamp
        let damage = try cutDamage(journal, contents, stateFolder, endedAt)
        var state = contents.state
        state.journal = journal.file
        if state.format == 0 { try add(.format(Self.format), to: journal, &state) }
        if damage?.isLoss == true {
            try add(.distrusted(state.todos.all.keys.sorted()), to: journal, &state)
            try journal.synchronize()
            // Don't do this earlier: up to this point, a crash must leave the journal marked as too short.
            try? JournalLength(count: state.journalLength).write(in: stateFolder, isDurable: true)
        }
        return Transaction(
            state, damage: damage, isProven: isProven(contents, endedAt, damage),
            isNoted: endedAt.map { $0.isSealed(contents.stamp) } ?? (state.remote == nil),
            tools: Transaction.Tools(
                root: root, stateFolder: stateFolder,
                writer: try FileWriter(
                    root: root, operation: operation, isRootNew: isNew, fileSystem: fileSystem,
                    isAskedToEnd: isAskedToEnd),
                beginning: .begin(operation: operation, time: time, command: command),
                fileSystem: fileSystem,
                locked: Transaction.LockedJournal(
                    lock: lock,
                    // After a loss, a smaller length was recorded instead of this length.
                    notedEnd: damage?.isLoss == true ? nil : endedAt.flatMap { $0.isEnd ? $0.count : nil },
                    journal: journal, stamp: isSame ? try journal.stamp() : nil)))
    }

    /// Begins a rehearsal: an operation that finds what ``begin(operation:time:command:timeout:)`` would
    /// find, doesn't wait for a running command, and writes nothing.
    package func rehearse(operation: String, time: String, command: String) throws -> Transaction {
        let stateFolder = try openStateFolder()
        let sizeBefore = try JournalLength.read(in: stateFolder)
        let contents = try Journal.read(
            in: stateFolder.folder, root: root, usingCache: true, checking: .ifUnsealed(sizeBefore),
            progress: progress, fileSystem)
        try check(contents.state)
        // Another command might have rewritten the journal in the meantime, so use the smaller length.
        let size = try JournalLength.read(in: stateFolder).flatMap { size in
            sizeBefore.map { $0 == size ? size : JournalLength(count: min($0.count, size.count)) }
        }
        let damage = try damage(contents, stateFolder, size)
        var state = contents.state
        if damage?.isLoss == true { state.apply(.distrusted(state.todos.all.keys.sorted())) }
        return Transaction(
            state, damage: damage, isProven: isProven(contents, size, damage), isNoted: true,
            tools: Transaction.Tools(
                root: root, stateFolder: stateFolder,
                writer: try FileWriter(root: root, operation: operation, fileSystem: fileSystem),
                beginning: .begin(operation: operation, time: time, command: command),
                fileSystem: fileSystem))
    }

    /// Returns whether it is certain that a journal isn't an older copy.
    ///
    /// After damage, no base version that might be too old is trusted. Before the first contact with a
    /// remote, there are no base versions.
    private func isProven(
        _ contents: Journal.Contents, _ endedAt: JournalLength?, _ damage: JournalDamage?
    ) -> Bool {
        endedAt != nil || damage != nil || contents.state.remote == nil
    }

    private func add(_ record: JournalRecord, to journal: Journal, _ state: inout State) throws {
        state.take([record], try journal.append([record]))
    }

    /// Removes the bytes after the journal's last good line, and keeps a copy unless they are only a torn
    /// line.
    ///
    /// The lost part might have contained newer base versions, so the remaining versions are no longer
    /// trusted: an older base version could hide an edit.
    ///
    /// - Parameter endedAt: The journal's length when the last operation ended.
    private func cutDamage(
        _ journal: Journal, _ contents: Journal.Contents, _ stateFolder: StateFolder,
        _ endedAt: JournalLength?
    ) throws -> JournalDamage? {
        var damage = try damage(contents, stateFolder, endedAt)
        guard contents.isDamaged else { return damage }
        if damage != nil {
            let bytes = try Journal.bytes(in: stateFolder.folder, fileSystem)
            damage?.folder = try stateFolder.keepDamaged(
                Journal.name.description, Array(bytes[min(contents.goodLength, bytes.count)...]))
        }
        if damage?.isLoss == true, let endedAt, endedAt.count <= contents.goodLength {
            // Until the length is recorded again, a crash leaves the journal marked as too short.
            try JournalLength(count: contents.goodLength + 1).write(in: stateFolder, isDurable: true)
        }
        try journal.truncate(to: contents.goodLength)
        return damage
    }

    private func damage(
        _ contents: Journal.Contents, _ stateFolder: StateFolder, _ endedAt: JournalLength?
    ) throws -> JournalDamage? {
        guard contents.isDamaged || contents.goodLength < endedAt?.count ?? 0 else { return nil }
        let bytes = try Journal.bytes(in: stateFolder.folder, fileSystem)
        return JournalDamage(in: bytes, behind: contents.goodLength, endedAt)
    }

    /// Checks the format of a state; a journal without records has none.
    func check(_ state: State) throws { if state.format != 0 { try check(format: state.format) } }

    func check(format: Int) throws(WorkingDirectoryError) {
        if format != Self.format {
            throw .unsupportedFormat(root: root, found: format, supported: Self.format)
        }
    }

    private static let configurationName = "config.yaml"

    private func configurationText(in folder: StateFolder) throws -> [UInt8]? {
        try folder.read(Self.configurationName, limit: 1 << 20)
    }

    /// Returns the bytes of the whole journal.
    func wholeJournal() throws -> [UInt8] { try Journal.bytes(in: try openStateFolder().folder, fileSystem) }

    private func openStateFolder() throws -> StateFolder {
        try StateFolder(root: root, fileSystem: fileSystem)
    }
}

/// The reason why a working directory can't be used.
package enum WorkingDirectoryError: Error, Sendable, Hashable {
    /// The folder is already a working directory.
    case exists(String)
    case configuration(Configuration.Problem)
    /// A newer or an older program wrote `.todosync`.
    case unsupportedFormat(root: String, found: Int, supported: Int)
}
