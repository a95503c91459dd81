#if PostgreSQL
    internal import TodoModel

    /// Keeps a store's rows in a PostgreSQL database, which several servers can use at the same time.
    ///
    /// A write locks the rows of its tables in `todo_table` until it is committed. So the sequences of a
    /// table are assigned in the order of the commits, and a reader never misses a change.
    struct PostgresEngine: StoreEngine {
        /// The database's URL without the user and the parameters.
        let path: String
        /// The store's identity: 32 hexadecimal digits.
        let identity: String
        let warnings: [String]
        let name = "PostgreSQL"
        let stateAtOpening: StoreState
        private let readers: ByReadKind<PostgresPool>
        private let promptReaders: PostgresPool
        private let writers: PostgresPool
        private let notifications: PostgresNotifications
        /// The replicas; nil if the address has only one host.
        private let replicas: PostgresReplicas?
        private let keyLookup: CombinedLookup<[UInt8], FoundKeys>
        private let surroundings: StoreSurroundings

        private static let promptReaderCount = 1
        let writerCount = 3
        /// The maximum number of tries after connection errors or conflicts with other transactions; with the
        /// pauses, they take about ten seconds.
        private static let tryCount = 20
        private static let firstPause: Int64 = 20

        /// Creates a store in a database, or opens the existing store.
        ///
        /// - Parameter original: The identity of the store to create an unfinished copy of; nil for a store
        ///   with a new identity.
        static func create(
            in address: DatabaseAddress, copying original: [UInt8]? = nil, surroundings: StoreSurroundings
        ) async throws -> PostgresEngine {
            let identity = original ?? surroundings.randomBytes(StoreSchema.identitySize)
            return try await connect(to: address, surroundings) {
                try PostgresSchema.create(
                    identity: identity, isCopy: original != nil, on: $0, path: address.description)
            }
        }

        /// Opens the store of a database.
        static func open(
            _ address: DatabaseAddress, surroundings: StoreSurroundings
        ) async throws -> PostgresEngine {
            try await connect(to: address, surroundings) {
                try PostgresSchema.open(on: $0, path: address.description)
            }
        }

        /// Upgrades the store of a database to the current format, and returns the format that it had.
        static func upgrade(_ address: DatabaseAddress) async throws -> Int64 {
            let pool = PostgresPool(connectionString: address.connectionString, size: 1)
            do {
                let found = try await pool.run {
                    try PostgresSchema.upgrade(on: $0, path: address.description)
                }
                try await pool.close()
                return found
            } catch {
                try? await pool.close()
                throw translated(error, path: address.description)
            }
        }

        private static func connect(
            to address: DatabaseAddress, _ surroundings: StoreSurroundings,
            _ row: @escaping @Sendable (PostgresConnection) throws -> PostgresSchema.Row
        ) async throws -> PostgresEngine {
            let first = PostgresPool(connectionString: address.connectionString, size: promptReaderCount)
            do {
                let (row, warning, hasReplicas) = try await first.run {
                    (try row($0), $0.exposure, $0.hasSeveralHosts)
                }
                return PostgresEngine(
                    address, row, warnings: warning.map { [$0] } ?? [], hasReplicas: hasReplicas,
                    promptReaders: first, surroundings)
            } catch {
                try? await first.close()
                throw translated(error, path: address.description)
            }
        }

        private init(
            _ address: DatabaseAddress, _ row: PostgresSchema.Row, warnings: [String], hasReplicas: Bool,
            promptReaders: PostgresPool, _ surroundings: StoreSurroundings
        ) {
            self.warnings = warnings
            path = address.description
            identity = row.identity
            stateAtOpening = row.state
            self.promptReaders = promptReaders
            readers = ByReadKind { _ in
                PostgresPool(connectionString: address.connectionString, size: ReadKind.connectionCount)
            }
            writers = PostgresPool(connectionString: address.connectionString, size: writerCount)
            notifications = PostgresNotifications(
                connectionString: address.connectionString, senders: promptReaders)
            replicas =
                hasReplicas
                ? PostgresReplicas(
                    connectionString: address.connectionString, primary: promptReaders) : nil
            keyLookup = CombinedLookup { digests in
                try await promptReaders.run {
                    try PostgresReader(connection: $0).keys(withDigests: digests)
                }
            }
            self.surroundings = surroundings
        }

        var replicaReads: ReplicaReads { replicas?.reads ?? ReplicaReads() }

        var connections: ConnectionCounts {
            (readers.all + [promptReaders, writers]).reduce(replicas?.connections ?? ConnectionCounts()) {
                $0 + $1.connections
            }
        }

        func remove() async throws {
            try await retrying {
                try await writers.run { connection in
                    try connection.transaction("BEGIN") {
                        _ = try connection.run(
                            PostgresCommand(sql: "DROP SCHEMA IF EXISTS \(PostgresSchema.name) CASCADE"))
                    }
                }
            }
            try await close()
        }

        func close() async throws {
            try await notifications.close()
            try await replicas?.close()
            for pool in readers.all + [promptReaders, writers] { try await pool.close() }
        }
    }

    // MARK: - Transactions

    extension PostgresEngine {
        func stateAtOnce() async throws -> StoreState {
            do {
                do {
                    return try await readState()
                } catch let error as PostgresError where error.isLost {
                    // The pool's connection might be older than the last restart of the database.
                    return try await readState()
                }
            } catch {
                throw Self.translated(error, path: path)
            }
        }

        private func readState() async throws -> StoreState {
            try await promptReaders.run { try PostgresReader(connection: $0).state() }
        }

        func read<Result: Sendable>(
            _ kind: ReadKind, _ body: @escaping @Sendable (any StoreReader) throws -> Result
        ) async throws -> Result {
            try await retrying {
                try await readers[kind].run { connection in
                    try PostgresReader.read(on: connection, body)
                }
            }
        }

        func read<Result: Sendable>(
            _ kind: ReadKind, of name: TableName,
            _ body: @escaping @Sendable (any StoreReader) throws -> Result
        ) async throws -> Result {
            if let result = await replicas?.read(kind, of: name, body) { return result }
            return try await read(kind, body)
        }

        func keys(withDigests digests: [[UInt8]]) async throws -> FoundKeys {
            var found = try await retrying { try await keyLookup.answer(for: digests) }
            found.rows.removeAll { row in row.digest.map { !digests.contains($0) } ?? false }
            return found
        }

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StoreWriter) throws -> Result
        ) async throws -> Result {
            try await retrying {
                let attempt = try await writers.run { connection in
                    let writer = PostgresWriter(connection: connection)
                    return try connection.transaction("BEGIN ISOLATION LEVEL READ COMMITTED") {
                        let result = try body(writer)
                        do {
                            try writer.commit()
                        } catch let error as PostgresError where error.isLost && !writer.marks.isEmpty {
                            return Attempt(result: result, marks: writer.marks, isCommitted: false)
                        }
                        return Attempt(result: result, marks: writer.marks, isCommitted: true)
                    }
                }
                if !attempt.isCommitted, try await !isCommitted(attempt.marks) {
                    throw PostgresError(message: "the connection was lost before the commit")
                }
                await notifications.wrote(attempt.marks.map(\.table))
                return attempt.result
            }
        }

        func importing<Result: Sendable>(
            _ body: @escaping @Sendable (any StoreImporter) throws -> Result
        ) async throws -> Result {
            try await retrying { [path] in
                try await writers.run { connection in
                    try connection.transaction("BEGIN ISOLATION LEVEL READ COMMITTED") {
                        try body(PostgresImporter(connection: connection, path: path))
                    }
                }
            }
        }

        private struct Attempt<Result: Sendable>: Sendable {
            let result: Result
            let marks: [TableMark]
            /// Whether the transaction is known to be committed; if not, its marks show whether it was.
            let isCommitted: Bool
        }

        func otherWrites(to names: @Sendable () -> [TableName]) async throws -> [TableName: Int64] {
            do {
                return try await notifications.sequences(of: names)
            } catch {
                throw Self.translated(error, path: path)
            }
        }

        /// Returns whether a transaction was committed although its answer was lost.
        ///
        /// Locking the transaction's tables again waits for the transaction if it is still running. After
        /// that, its random marks either exist or never will.
        private func isCommitted(_ marks: [TableMark]) async throws -> Bool {
            try await retrying {
                try await writers.run { connection in
                    try connection.transaction("BEGIN ISOLATION LEVEL READ COMMITTED") {
                        try PostgresWriter(connection: connection).has(marks)
                    }
                }
            }
        }

        /// Runs work, and retries it after increasing random pauses as long as its error can be temporary.
        private func retrying<Result>(_ work: () async throws -> Result) async throws -> Result {
            var number = 1
            while true {
                do {
                    return try await work()
                } catch let error as PostgresError
                    where error.isRetryable && number < Self.tryCount && !surroundings.isAskedToEnd()
                {
                    try await Task.sleep(
                        for: RetryDelay.backoff(
                            afterTry: number, random: surroundings.randomBytes(2), upTo: Self.firstPause))
                    number += 1
                } catch {
                    throw Self.translated(error, path: path)
                }
            }
        }

        private static func translated(_ error: any Error, path: String) -> any Error {
            (error as? PostgresError).map { StoreError($0, path: path) } ?? error
        }
    }
#endif
