internal import SQLite
internal import Synchronization
package import TodoModel
internal import Values

#if PostgreSQL
    internal import CLibPQ
#endif

/// The tables of a local remote or a server, in an SQLite database in a folder or in a PostgreSQL database.
///
/// Several processes can use a store at the same time. A write is durable once it is answered.
package struct Store: Sendable {
    /// The folder; the URL of a database, without its user.
    package var path: String { engine.path }
    /// The identity of this store: 32 hexadecimal digits, created at random with the store.
    package var identity: String { engine.identity }

    /// Warnings about the connection to a database, which might not be safe.
    package var warnings: [String] { engine.warnings }

    let engine: any StoreEngine
    let readShares = ByReadKind { ReadShares($0) }
    let surroundings: StoreSurroundings
    /// The limits of each table for writes by this process.
    package var quota = TableQuota()
    package let tableWatch: TableWatch
    let writeCombiner = WriteCombiner()
    let sharedReads = SharedReads()
    package let writeHealth = WriteHealth()

    /// Creates a store in a folder that is empty or doesn't exist, or opens the existing store.
    ///
    /// - Throws: ``StoreError/folderNotEmpty(path:)`` if the folder has other files.
    package static func create(
        at path: String, surroundings: StoreSurroundings
    ) throws(StoreError) -> Store {
        try Store(readable: SQLiteEngine.create(at: path, surroundings: surroundings), surroundings)
    }

    /// Opens a store.
    ///
    /// - Throws: ``StoreError/notFound(path:)``, ``StoreError/notAStore(path:)``,
    ///   ``StoreError/unsupportedFormat(path:found:supported:)``, ``StoreError/moved(path:to:)`` or
    ///   ``StoreError/unfinishedCopy(path:)`` if there is no usable store.
    package static func open(
        at path: String, surroundings: StoreSurroundings
    ) throws(StoreError) -> Store {
        try open(at: path, surroundings: surroundings, busyTimeout: SQLiteEngine.busyTimeout)
    }

    /// Opens a store whose writes wait for other processes for at most the given number of seconds.
    static func open(
        at path: String, surroundings: StoreSurroundings, busyTimeout: Double
    ) throws(StoreError) -> Store {
        try Store(
            readable: SQLiteEngine.open(at: path, surroundings: surroundings, busyTimeout: busyTimeout),
            surroundings)
    }

    /// Creates a store in a database, or opens the existing store.
    package static func create(
        in database: DatabaseAddress, surroundings: StoreSurroundings
    ) async throws -> Store {
        let engine = try await StoreLocation.database(database).createEngine(surroundings: surroundings)
        return try Store(readable: engine, surroundings)
    }

    /// Opens the store of a database.
    package static func open(
        _ database: DatabaseAddress, surroundings: StoreSurroundings
    ) async throws -> Store {
        let engine = try await StoreLocation.database(database).openEngine(surroundings)
        return try Store(readable: engine, surroundings)
    }

    /// Creates a store with an engine; throws if the store was moved or isn't complete.
    private init(
        readable engine: any StoreEngine, _ surroundings: StoreSurroundings
    ) throws(StoreError) {
        try engine.stateAtOpening.checkIsReadable(at: engine.path)
        self.init(engine, surroundings)
    }

    /// Creates a store with an engine, whatever its state is.
    init(_ engine: any StoreEngine, _ surroundings: StoreSurroundings) {
        self.engine = engine
        self.surroundings = surroundings
        tableWatch = TableWatch(engine: engine)
    }

    /// Returns the remote for one table; the first write creates the table.
    package func table(_ name: TableName) -> StoreTable { StoreTable(store: self, name: name) }

    /// Closes the connections; the store can't be used afterward.
    func close() async throws { try await engine.close() }
}

// MARK: - Transactions

extension Store {
    /// The formats of stores, and the versions of the libraries that read them, with their names.
    package static var versions: [(name: String, value: String)] {
        var versions = [
            (name: "store in a folder", value: "format \(StoreSchema.format)"),
            (name: "SQLite", value: SQLConnection.libraryVersion),
        ]
        #if PostgreSQL
            versions.append((name: "store in PostgreSQL", value: "format \(PostgresSchema.format)"))
            let libpq = PQlibVersion()
            versions.append((name: "libpq", value: "\(libpq / 10_000).\(libpq % 10_000)"))
        #endif
        return versions
    }
}

extension Store {
    /// Checks that the store can be used at the moment; doesn't wait for a database that comes back later.
    ///
    /// - Throws: `RemoteError.store`.
    package func check() async throws {
        try await reportingProblems { try await engine.stateAtOnce().checkIsReadable(at: path) }
    }

    /// Runs a client's query as soon as its other queries and those of other clients leave a connection free.
    ///
    /// - Parameter query: The work, with everything that takes time: parsing the query, and writing the
    ///   response.
    /// - Throws: ``ReadRefusal`` if no connection is free for a moment, and the errors of the query.
    package func querying<Result>(
        for client: String?, _ query: () async throws -> Result
    ) async throws -> Result {
        guard let client else { return try await query() }
        return try await readShares[.query].run(for: client, query)
    }

    /// Runs a read that sees a single state of the store.
    func read<Result: Sendable>(
        _ kind: ReadKind = .query, _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try await reportingProblems { try await engine.read(kind, body) }
    }

    /// Runs a write in a transaction.
    ///
    /// - Parameters:
    ///   - jobs: The writes whose tables to lock; empty for a write that needs no tables.
    ///   - body: The work. Its second argument is the tables that are locked or don't exist.
    /// - Throws: `RemoteError.store` if the store is being moved or was moved.
    func write<Result: Sendable>(
        _ jobs: [WriteJob] = [],
        _ body: @escaping @Sendable (any StoreWriter, Set<TableName>) throws -> Result
    ) async throws -> Result {
        try await reportingProblems { [path] in
            try await writeHealth.noting {
                try await engine.write { writer in
                    let locked = try writer.lock(jobs, waits: Set(jobs.map(\.table)).count <= 1)
                    try writer.state().checkIsWritable(at: path)
                    return try body(writer, locked)
                }
            }
        }
    }

    func reportingProblems<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as StoreError {
            throw RemoteError.store(error)
        }
    }
}

extension Store {
    package var figures: StoreFigures {
        get async {
            var figures = await writeCombiner.figures()
            figures.connections = engine.connections
            figures.replicaReads = engine.replicaReads
            return figures
        }
    }

    /// Returns the names of the tables, sorted regardless of case.
    package func tableNames() async throws -> [TableName] {
        try await read { try $0.tableNames() }.sorted { $0.folded < $1.folded }
    }

    /// Creates a table without records; returns false if it already exists.
    package func addTable(_ name: TableName) async throws -> Bool {
        try await write { writer, _ in
            guard try writer.table(named: name) == nil else { return false }
            _ = try writer.insertTable(named: name)
            return true
        }
    }
}

extension Store {
    /// Returns a lowercase UUID for a record that is inserted without an id: the same UUID for each try of an
    /// operation, or a random UUID if there is no operation id.
    package func newID(table: TableName, operationID: String?) -> String {
        guard let operationID else { return BinaryUUID(random: surroundings.randomBytes(16)).string }
        let text = "\(identity)/\(table.folded)/\(operationID)"
        return BinaryUUID(random: Array(Array(text.utf8).sha256.prefix(16))).string
    }
}

/// The system services that a store uses.
///
/// `main` and tests create them.
package struct StoreSurroundings: Sendable {
    /// Returns the time in milliseconds since 1970-01-01T00:00:00Z; only retention depends on it.
    package var now: @Sendable () -> Int64
    /// Returns the given number of unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Whether to stop waiting for the locks of other processes.
    package var isAskedToEnd: @Sendable () -> Bool
    /// The maximum duration of a query.
    package var queryTime = Duration.seconds(5)

    package init(
        now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        isAskedToEnd: @escaping @Sendable () -> Bool = { false }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.isAskedToEnd = isAskedToEnd
    }
}

/// The reason why the last write of a store failed.
package final class WriteHealth: Sendable {
    /// The error of the last write; nil if the write was done, or another process only delayed it.
    private let failure = Mutex<StoreError?>(nil)

    /// The size in bytes of a write that shows whether there is room for an ordinary one.
    private static let trialSize = 64 << 10

    /// Runs a write, and remembers its error.
    func noting<Result>(_ write: () async throws -> Result) async throws -> Result {
        do {
            let result = try await write()
            failure.withLock { $0 = nil }
            return result
        } catch let error as StoreError {
            switch error {
            case .busy, .moving: break
            default: failure.withLock { $0 = error }
            }
            throw error
        }
    }

    /// Returns the reason why a store's writes fail; nil if the last one was done.
    ///
    /// After a failure, this tries another write, because clients might not send any.
    package func problem(of store: Store) async -> StoreError? {
        if failure.withLock({ $0 }) == nil { return nil }
        // No key has this name.
        let name = " "
        let content = store.surroundings.randomBytes(Self.trialSize / 2).hexadecimal
        _ = try? await store.write { writer, _ in
            let key = KeyRow(name: name, table: content, access: "", digest: nil, createdAt: 0)
            return try writer.insert(key) && writer.deleteKey(named: name)
        }
        return failure.withLock { $0 }
    }
}
