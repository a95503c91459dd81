internal import LosslessYAML
internal import Platform
internal import SQLite
internal import TodoModel
internal import Values

/// Keeps a store's rows in one SQLite database in a folder.
struct SQLiteEngine: StoreEngine {
    let path: String
    /// The store's identity: 32 hexadecimal digits.
    let identity: String
    /// The connection that writes; the first one to be closed, because the last one writes the log into the
    /// database, and a command would wait for the disk.
    private let writer: Pool<SQLSession>
    /// The connections that read while another one writes, so readers never wait for the disk.
    private let readers: ByReadKind<Pool<SQLSession>>
    /// The connection for short reads, which don't wait for writes and long queries.
    private let promptReader: Pool<SQLSession>
    private let otherWrites: SQLiteOtherWrites
    private let turns: SQLTurns
    /// The state of the files when the store was opened without locks; nil if it uses locks.
    private let unlockedFiles: StoreFiles?

    let writerCount = 1
    let warnings: [String] = []
    let replicaReads = ReplicaReads()
    let connections = ConnectionCounts()
    let name = "SQLite"
    let stateAtOpening: StoreState

    /// The number of seconds that a write waits for the writes of other processes.
    static let busyTimeout = 10.0
    /// The maximum size of a connection's page cache, in KiB.
    private static let (writerCacheSize, readerCacheSize) = (16_384, 8_192)

    /// Creates a store in a folder that is empty or doesn't exist, or opens the existing store.
    ///
    /// - Parameter original: The identity of the store to create an unfinished copy of; nil for a store with
    ///   a new identity.
    static func create(
        at path: String, copying original: [UInt8]? = nil, surroundings: StoreSurroundings
    ) throws(StoreError) -> SQLiteEngine {
        let folder = StoreFolder(path: path)
        try folder.create()
        return try translatingErrors(path: path) {
            let turns = SQLTurns()
            let database = try connect(to: folder, turns, surroundings, busyTimeout: busyTimeout)
            // This can't run inside a transaction, nor before the file is known to belong to a store.
            if case .empty = try StoreSchema.fileKind(in: database) { try database.useLog() }
            try database.transaction(.writing) {
                guard case .empty = try StoreSchema.fileKind(in: database) else { return }
                try StoreSchema.create(
                    identity: original ?? surroundings.randomBytes(StoreSchema.identitySize),
                    state: original == nil ? .open : .unfinished, in: database)
            }
            return try SQLiteEngine(folder, database, turns)
        }
    }

    /// Opens a store.
    ///
    /// - Parameter busyTimeout: The number of seconds that a write waits for the writes of other processes.
    static func open(
        at path: String, surroundings: StoreSurroundings, busyTimeout: Double
    ) throws(StoreError) -> SQLiteEngine {
        let folder = StoreFolder(path: path)
        try folder.checkExists()
        return try translatingErrors(path: path) {
            let turns = SQLTurns()
            return try SQLiteEngine(
                folder, connect(to: folder, turns, surroundings, busyTimeout: busyTimeout), turns)
        }
    }

    private init(_ folder: StoreFolder, _ database: sending SQLConnection, _ turns: SQLTurns) throws {
        path = folder.path
        self.turns = turns
        unlockedFiles = database.isReadOnly ? folder.files : nil
        (identity, stateAtOpening) = try database.reportingDiskErrors {
            let identity = try Self.identity(in: database, path: folder.path)
            return (identity.hexadecimal, try SQLiteRows(database: database).state())
        }
        database.keepLog(false)
        let path = database.path
        let isUnlocked = database.isReadOnly
        func readers(_ count: Int) -> Pool<SQLSession> {
            Pool((0..<count).map { _ in SQLSession { try Self.reader(path, isUnlocked: isUnlocked) } })
        }
        promptReader = readers(1)
        self.readers = ByReadKind { _ in readers(ReadKind.connectionCount) }
        otherWrites = SQLiteOtherWrites(reader: promptReader)
        writer = Pool([SQLSession(database)])
    }

    /// Opens a connection that writes, or that reads without locks where SQLite can't create them.
    private static func connect(
        to folder: StoreFolder, _ turns: SQLTurns, _ surroundings: StoreSurroundings, busyTimeout: Double
    ) throws -> sending SQLConnection {
        let unlockedPath = folder.unlockedPath
        let database = try SQLConnection(
            unlockedPath ?? folder.databasePath, for: unlockedPath == nil ? .writing : .reading)
        turns.share(database, seconds: busyTimeout, isAskedToEnd: surroundings.isAskedToEnd)
        if unlockedPath != nil { try database.readLogAlone() }
        // If a connection can't be opened because the disk is full, SQLite 3.40 removes the log with its
        // content when it closes that connection.
        database.keepLog(true)
        // FULL makes every answered commit survive a power loss. The cache has room for the indices of a
        // large push.
        try database.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -\(writerCacheSize)")
        return database
    }

    private static func reader(_ path: String, isUnlocked: Bool) throws -> SQLConnection {
        let database = try SQLConnection(path, for: .reading)
        // SQLite might be recovering the store after a crash.
        database.retryLock(seconds: busyTimeout)
        if isUnlocked { try database.readLogAlone() }
        database.keepLog(true)
        try database.execute("PRAGMA cache_size = -\(readerCacheSize)")
        return database
    }

    func remove() async throws {
        try await close()
        try StoreFolder(path: path).removeDatabase()
    }

    func close() async throws {
        for connections in [writer, promptReader] + readers.all { connections.close() }
    }

    private static func identity(in database: SQLConnection, path: String) throws -> [UInt8] {
        switch try StoreSchema.fileKind(in: database) {
        case .store(StoreSchema.format): break
        case .store(let format):
            throw StoreError.unsupportedFormat(
                path: path, found: Int(format), supported: Int(StoreSchema.format))
        case .empty, .foreign: throw StoreError.notAStore(path: path)
        }
        let identity = try StoreSchema.identity(in: database)
        guard let identity, identity.count == StoreSchema.identitySize else {
            throw StoreError.damaged(path: path, detail: "it has no valid identity")
        }
        return identity
    }
}

// MARK: - Transactions

extension SQLiteEngine {
    func read<Result: Sendable>(
        _ kind: ReadKind, _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try await translatingErrors {
            // A command needs one connection. Opening more of them takes longer than its reads.
            let reader = WorkThreads.current == nil ? readers[kind] : promptReader
            do {
                let result = try await reader.read { database in
                    try database.reportingDiskErrors { try body(SQLiteRows(database: database)) }
                }
                try checkUnlockedFiles()
                return result
            } catch {
                try checkUnlockedFiles()
                throw error
            }
        }
    }

    /// Checks that no other process wrote while the files were read without locks.
    private func checkUnlockedFiles() throws {
        if let unlockedFiles, StoreFolder(path: path).files != unlockedFiles {
            throw StoreError.cannotLock(path: path)
        }
    }

    func keys(withDigests digests: [[UInt8]]) async throws -> FoundKeys {
        try await translatingErrors {
            // To change to another thread would take longer, for every request.
            try await promptReader.use { session in
                try session.runAtOnce { database in
                    try database.transaction(.reading) {
                        try SQLiteRows(database: database).keys(withDigests: digests)
                    }
                }
            }
        }
    }

    func otherWrites(to names: @Sendable () -> [TableName]) async throws -> [TableName: Int64] {
        try await translatingErrors { try await otherWrites.sequences(of: names) }
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreWriter) throws -> Result
    ) async throws -> Result {
        try await writeDatabase { try body(SQLiteRows(database: $0)) }
    }

    func importing<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreImporter) throws -> Result
    ) async throws -> Result {
        try await writeDatabase { try body(SQLiteImporter(rows: SQLiteRows(database: $0))) }
    }

    /// Runs a write in an exclusive transaction.
    func writeDatabase<Result: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Result
    ) async throws -> Result {
        try await translatingErrors {
            try await writer.run { [turns] database in
                try turns.take {
                    try database.reportingDiskErrors {
                        try database.transaction(.writing) { try body(database) }
                    }
                }
            }
        }
    }

    /// Writes the store's current state to the empty database of another folder.
    ///
    /// Other processes can write to the store meanwhile.
    func copyDatabase(to folder: StoreFolder) async throws {
        try await translatingErrors {
            try await writer.run { try $0.backUp(to: folder.databasePath) }
        }
    }

    private func translatingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as RemoteError {
            throw error
        } catch let error as ODataProblem {
            throw error
        } catch {
            // SQLite was interrupted, or the work never started.
            if Task.isCancelled { throw CancellationError() }
            throw StoreError(error, path: path)
        }
    }

    private static func translatingErrors<Result>(
        path: String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

// MARK: - Other processes

/// Finds the writes of other connections by SQLite's `data_version`, which is cheap to read.
actor SQLiteOtherWrites {
    private let reader: Pool<SQLSession>
    private var dataVersion: Int64?

    private static let interval = Duration.milliseconds(100)

    init(reader: Pool<SQLSession>) { self.reader = reader }

    /// Returns the sequences of tables after a pause; empty if nothing was written since the last call.
    func sequences(of names: @Sendable () -> [TableName]) async throws -> [TableName: Int64] {
        try await Task.sleep(for: Self.interval)
        let (previous, names) = (dataVersion, names())
        let news: (dataVersion: Int64?, sequences: [TableName: Int64])? = try await reader.read { database in
            let dataVersion = try SQLStatement("PRAGMA data_version", in: database).first { $0.integer(0) }
            if dataVersion == previous { return nil }
            return (dataVersion, try SQLiteRows(database: database).sequences(of: names))
        }
        guard let news else { return [:] }
        dataVersion = news.dataVersion
        return news.sequences
    }
}

/// Writes the rows of another store to SQLite.
struct SQLiteImporter: StoreImporter {
    let rows: SQLiteRows

    func state() throws -> StoreState { try rows.state() }

    /// SQLite has locked the whole database, so no other write is running.
    func exchange(_ state: StoreState) throws -> StoreState {
        let previous = try rows.state()
        let columns = state.columns
        try SQLStatement("UPDATE store SET state = ?, moved_to = ?", in: rows.database)
            .run(.string(columns.state), columns.movedTo.map { .string($0) } ?? .null)
        return previous
    }

    func put(_ table: TableRow, named name: TableName) throws -> TableRow {
        var changed = table
        changed.key = try (rows.table(named: name) ?? rows.insertTable(named: name)).key
        try rows.update(changed, after: nil)
        return changed
    }

    func put(_ records: [RecordRow], in table: TableRow) throws {
        for record in records {
            if let stored = try rows.record(id: record.id, in: table) {
                var changed = record
                changed.key = stored.key
                try rows.update(changed, in: table)
            } else {
                try rows.insert(record, in: table)
            }
        }
    }

    func put(_ operations: [OperationRow], in table: TableRow) throws {
        for row in operations { _ = try rows.insert(row.operation, id: row.id.string, in: table) }
    }

    func put(_ marks: [HistoryMark], in table: TableRow) throws {
        for mark in marks where try rows.mark(at: mark.sequence, in: table) != mark {
            try rows.insert(mark, in: table)
        }
    }

    func forget(through sequence: Int64, in table: TableRow) throws {
        try rows.retention.forget(through: sequence, in: table)
        try rows.retention.deleteOperations(through: sequence, in: table)
    }

    func put(_ keys: [KeyRow]) throws {
        try deleteKeys(named: keys.map(\.name))
        for key in keys { _ = try rows.insert(key) }
    }

    func deleteKeys(named names: [String]) throws {
        for name in names { _ = try rows.deleteKey(named: name) }
    }
}
