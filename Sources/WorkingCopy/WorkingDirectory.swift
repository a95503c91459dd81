#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder of todos with its `.todosync`.
public struct WorkingDirectory: Sendable {
    /// The absolute path of the folder.
    public let root: String
    public let fileSystem: any FileSystem
    /// The newest format of `.todosync` that this program reads.
    static let format = 1

    public init(root: String, fileSystem: any FileSystem = POSIXFileSystem()) {
        self.root = root
        self.fileSystem = fileSystem
    }

    /// Makes `.todosync` in an existing folder.
    ///
    /// - Parameter continues: whether one that ``isHalfMade()`` is completed.
    public func create(_ configuration: Configuration, continuing continues: Bool = false) throws {
        guard let rootFolder = try fileSystem.openFolder(at: root) else {
            throw FileError(.open, root, code: ENOENT)
        }
        guard try fileSystem.makeFolder(stateFolderName, in: rootFolder) || continues else {
            throw WorkingDirectoryError.exists(root)
        }
        let stateFolder = try openStateFolder()
        try stateFolder.replaceWhole(".gitignore", with: Array("*\n".utf8))
        let journal = try Journal(in: stateFolder.folder, fileSystem)
        try journal.truncate(to: 0)
        try journal.append([.format(Self.format)])
        try journal.synchronize()
        // The last, so that a folder without it was not made to its end.
        try stateFolder.replaceWhole(Self.configurationName, with: configuration.text)
        try fileSystem.synchronize(stateFolder.folder, .file)
        try fileSystem.synchronize(rootFolder, .file)
    }

    /// Whether a crash left the folder with the beginning of a `.todosync`, and nothing else is in it.
    public func isHalfMade() throws -> Bool {
        guard let rootFolder = try fileSystem.openFolder(at: root),
            try fileSystem.openFolder(stateFolderName, in: rootFolder) != nil
        else { return false }
        let listing = try fileSystem.list(rootFolder)
        let stateFolder = try openStateFolder()
        let hasConfiguration = try configurationText(in: stateFolder) != nil
        let state = try Journal.read(in: stateFolder.folder, fileSystem).state
        return listing.count == 1 && !hasConfiguration && state.todos.isEmpty && state.remote == nil
    }

    /// Returns what `config.yaml` says; an absent one says nothing.
    public func configuration() throws -> Configuration {
        guard let bytes = try configurationText(in: try openStateFolder()) else { return Configuration() }
        do {
            return try Configuration(parsing: bytes)
        } catch {
            throw WorkingDirectoryError.configuration(error)
        }
    }

    /// Writes another remote's URL, nil for none, into `config.yaml`; all else in it stays.
    public func setRemote(_ url: String?) throws {
        let folder = try openStateFolder()
        let text = Configuration.text(try configurationText(in: folder), settingRemote: url)
        try folder.replaceWhole(Self.configurationName, with: text)
    }

    /// Returns what `.todosync` remembers, without waiting for a command that is at work.
    public func state() throws -> State {
        let contents = try Journal.read(in: try openStateFolder().folder, fileSystem)
        try check(contents.state)
        return contents.state
    }

    /// Returns what the operation log tells, without waiting for a command that is at work.
    public func history() throws -> History {
        var history = History()
        for line in JournalLines(try Journal.bytes(in: try openStateFolder().folder, fileSystem)) {
            if case .format(let number) = line.record, number > Self.format {
                throw WorkingDirectoryError.newerFormat(number)
            }
            history.apply(line.record)
        }
        return history
    }

    /// Looks at the folder's files.
    public func scan(_ configuration: Configuration) throws -> FileScan {
        try WorkingCopy.scan(root: root, include: configuration.include, fileSystem: fileSystem)
    }

    /// Waits for the right to change something here, and begins an operation.
    public func begin(
        operation: String, time: String, command: String, timeout: Duration
    ) throws -> Transaction {
        let lock = try WorkingDirectoryLock(root: root, timeout: timeout, fileSystem: fileSystem)
        let stateFolder = try openStateFolder()
        var contents = try Journal.read(in: stateFolder.folder, fileSystem)
        try check(contents.state)
        let journal = try Journal(in: stateFolder.folder, fileSystem)
        let damage = try cutDamage(journal, &contents, stateFolder, endedAt: lock.journalSize())
        if contents.state.format == 0 { contents.goodLength += try journal.append([.format(Self.format)]) }
        if damage != nil {
            let distrusted = JournalRecord.distrusted(contents.state.todos.keys.sorted())
            contents.goodLength += try journal.append([distrusted])
            contents.state.apply(distrusted)
            try journal.synchronize()
            try lock.forgetJournalSize()
        }
        return Transaction(
            lock: lock, stateFolder: stateFolder, journal: journal, size: contents.goodLength,
            state: contents.state, damage: damage,
            writer: try FileWriter(root: root, operation: operation, fileSystem: fileSystem),
            begin: .begin(operation: operation, time: time, command: command), fileSystem: fileSystem)
    }

    /// Cuts off what follows the journal's last good line; a copy stays, unless it is just a line that was
    /// being written.
    ///
    /// What is missing may have made base versions newer. They are not trusted any more after damage, as an
    /// older one would make an edit look like none.
    /// - Parameter endedAt: The journal's length when an operation ended last.
    private func cutDamage(
        _ journal: Journal, _ contents: inout Journal.Contents, _ stateFolder: StateFolder, endedAt: Int
    ) throws -> JournalDamage? {
        let isShort = contents.goodLength < endedAt
        guard contents.goodLength < contents.length else {
            return isShort ? JournalDamage(line: contents.lines + 1, folder: nil) : nil
        }
        let rest = try Journal.bytes(in: stateFolder.folder, fileSystem)[contents.goodLength...]
        guard isShort || rest.contains(UInt8(ascii: "\n")) else {
            try journal.truncate(to: contents.goodLength)
            return nil
        }
        let folder = try stateFolder.keepDamaged(Journal.name.description, Array(rest))
        try journal.truncate(to: contents.goodLength)
        return JournalDamage(line: contents.lines + 1, folder: folder)
    }

    private func check(_ state: State) throws {
        if state.format > Self.format { throw WorkingDirectoryError.newerFormat(state.format) }
    }

    private static let configurationName = "config.yaml"

    private func configurationText(in folder: StateFolder) throws -> [UInt8]? {
        try folder.read(Self.configurationName, limit: 1 << 20)
    }

    private func openStateFolder() throws -> StateFolder {
        try StateFolder(root: root, fileSystem: fileSystem)
    }
}

/// Why a working directory can't be used as it is.
public enum WorkingDirectoryError: Error, Sendable, Hashable {
    /// The folder is a working directory already.
    case exists(String)
    case configuration(Configuration.Problem)
    /// `.todosync` was written by a newer program; its format's number.
    case newerFormat(Int)
}
