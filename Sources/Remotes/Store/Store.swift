package import TodoModel

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
