internal import GRDB
internal import GRDBSQLite
internal import Platform
internal import TodoModel
internal import Values

/// Keeps a store's rows in one SQLite database in a folder.
struct SQLiteEngine: StoreEngine {
    let path: String
    /// The store's identity: 32 hexadecimal digits.
    let identity: String
    /// The connection that writes.
    private let writer: OpenConnection<DatabaseQueue>
    private var queue: DatabaseQueue { writer.connection }
    private let turns: SQLiteTurns
    /// The connections that read while another one writes, so readers never wait for the disk.
    private let readConnections: ByReadKind<LazyConnection<DatabasePool>>
    /// The connection for short reads, which don't wait for writes and long queries.
    private let promptConnection: LazyConnection<DatabaseQueue>
    private let otherWrites: SQLiteOtherWrites
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
            let turns = SQLiteTurns()
            let writer = try connect(to: folder, turns, surroundings, busyTimeout: busyTimeout)
            try writer.connection.writeWithoutTransaction { database in
                // This can't run inside a transaction, nor before the file is known to belong to a store.
                if case .empty = try StoreSchema.fileKind(in: database) { try useLog(in: database) }
                try database.inTransaction(.immediate) {
                    if case .empty = try StoreSchema.fileKind(in: database) {
                        try StoreSchema.create(
                            identity: original ?? surroundings.randomBytes(StoreSchema.identitySize),
                            state: original == nil ? .open : .unfinished, in: database)
                    }
                    return .commit
                }
            }
            return try SQLiteEngine(path: path, writer: writer, turns: turns)
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
            let turns = SQLiteTurns()
            let writer = try connect(to: folder, turns, surroundings, busyTimeout: busyTimeout)
            return try SQLiteEngine(path: path, writer: writer, turns: turns)
        }
    }

    private init(path: String, writer: OpenConnection<DatabaseQueue>, turns: SQLiteTurns) throws {
        self.path = path
        self.writer = writer
        let queue = writer.connection
        self.turns = turns
        unlockedFiles = queue.configuration.readonly ? StoreFolder(path: path).files : nil
        (identity, stateAtOpening) = try queue.writeWithoutTransaction { database in
            let found = try database.reportingDiskErrors { database in
                let identity = try Self.identity(in: database, path: path)
                return (identity.hexadecimal, try SQLiteRows(database: database).state())
            }
            Self.keepLog(false, in: database)
            return found
        }
        let path = queue.path
        let (prompt, reading) = (Self.promptConfiguration(queue), Self.readingConfiguration(queue))
        promptConnection = LazyConnection(isFreed: writer.isFreed) {
            try DatabaseQueue(path: path, configuration: prompt)
        }
        readConnections = ByReadKind { _ in
            LazyConnection { try DatabasePool(path: path, configuration: reading) }
        }
        otherWrites = SQLiteOtherWrites(connection: promptConnection)
    }

    private static func readingConfiguration(_ queue: DatabaseQueue) -> Configuration {
        var configuration = queue.configuration
        // A pool that can write would make writes less durable: GRDB's pools don't wait for the disk.
        configuration.readonly = true
        configuration.maximumReaderCount = ReadKind.connectionCount
        return configuration
    }

    private static func promptConfiguration(_ queue: DatabaseQueue) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        // SQLite might be recovering the store after a crash.
        configuration.busyMode = .timeout(busyTimeout)
        if queue.configuration.readonly { configuration.prepareDatabase { try $0.readLogAlone() } }
        return configuration
    }

    func remove() async throws {
        try await close()
        try StoreFolder(path: path).removeDatabase()
    }

    func close() async throws {
        try queue.close()
        for connections in readConnections.all { try await connections.close() }
        try await promptConnection.close()
    }

    private static func identity(in database: Database, path: String) throws -> [UInt8] {
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

    private static func connect(
        to folder: StoreFolder, _ turns: SQLiteTurns, _ surroundings: StoreSurroundings, busyTimeout: Double
    ) throws -> OpenConnection<DatabaseQueue> {
        var configuration = Configuration()
        configuration.busyMode = turns.busyMode(busyTimeout, isAskedToEnd: surroundings.isAskedToEnd)
        let unlockedPath = folder.unlockedPath
        configuration.readonly = unlockedPath != nil
        configuration.prepareDatabase { database in
            if unlockedPath != nil { try database.readLogAlone() }
            keepLog(true, in: database)
            // FULL makes every answered commit survive a power loss. The writer's cache has room for the
            // indices of a large push.
            let cacheSize = database.configuration.readonly ? readerCacheSize : writerCacheSize
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -\(cacheSize)")
        }
        return OpenConnection(
            try DatabaseQueue(path: unlockedPath ?? folder.databasePath, configuration: configuration),
            isFreed: !surroundings.isOfCommand)
    }

    /// Switches a new file to a write-ahead log.
    ///
    /// If several processes create the same store, SQLite fails at once instead of waiting, because they
    /// would wait for each other.
    private static func useLog(in database: Database) throws {
        var tries = 1
        while true {
            do {
                return try database.execute(sql: "PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && tries < 1000 {
                tries += 1
                sqlite3_sleep(10)
            }
        }
    }

    /// Sets whether the write-ahead log stays when the last connection is closed.
    ///
    /// If a connection can't be opened because the disk is full, SQLite 3.40 removes the log with its content
    /// when it closes that connection.
    private static func keepLog(_ keeps: Bool, in database: Database) {
        var value: CInt = keeps ? 1 : 0
        sqlite3_file_control(database.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &value)
    }
}

// MARK: - Transactions

extension SQLiteEngine {
    func read<Result: Sendable>(
        _ kind: ReadKind, _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try await translatingErrors {
            // GRDB's pools need the runtime's threads.
            let connection: any DatabaseReader =
                WorkThreads.current == nil
                ? try await readConnections[kind].opened() : try await promptConnection.opened()
            do {
                let result = try await connection.reading { database in
                    try database.reportingDiskErrors { try body(SQLiteRows(database: $0)) }
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
            try Self.keys(withDigests: digests, in: await promptConnection.opened())
        }
    }

    /// Looks up keys on the calling thread: changing to another one would take longer, for every request.
    private static func keys(
        withDigests digests: [[UInt8]], in connection: DatabaseQueue
    ) throws -> FoundKeys {
        try connection.read { try SQLiteRows(database: $0).keys(withDigests: digests) }
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
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await translatingErrors {
            try await queue.writing { database in
                var result: Result?
                try turns.take {
                    try database.reportingDiskErrors { database in
                        try database.inTransaction(.immediate) {
                            result = try body(database)
                            return .commit
                        }
                    }
                }
                guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return result
            }
        }
    }

    /// Writes the store's current state to the empty database of another folder.
    ///
    /// Other processes can write to the store meanwhile.
    func copyDatabase(to folder: StoreFolder) async throws {
        try await translatingErrors {
            try await queue.writing { database in
                try database.reportingDiskErrors {
                    try $0.execute(sql: "VACUUM INTO ?", arguments: [folder.databasePath])
                }
            }
            let copy = OpenConnection(
                try DatabaseQueue(path: folder.databasePath), isFreed: writer.isFreed)
            try await copy.connection.writing { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try copy.connection.close()
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
