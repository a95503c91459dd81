#if PostgreSQL
    internal import NIOCore
    internal import NIOPosix
    internal import Platform

    /// A connection with a thread of its own, which waits for the database's answers.
    ///
    /// The connection is opened when it is first needed, and again after it was lost.
    actor PostgresSession {
        private let connectionString: String
        private let role: PostgresRole
        private let eventLoop: any EventLoop
        private var connection: PostgresConnection?

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            eventLoop.executor.asUnownedSerialExecutor()
        }

        init(connectionString: String, role: PostgresRole, eventLoop: any EventLoop) {
            self.connectionString = connectionString
            self.role = role
            self.eventLoop = eventLoop
        }

        /// Runs work with the connection.
        ///
        /// - Throws: ``PostgresError``, and the work's errors.
        func run<Result: Sendable>(_ work: @Sendable (PostgresConnection) throws -> Result) throws -> Result {
            let connection = try self.connection ?? PostgresConnection(to: connectionString, role: role)
            self.connection = connection
            // A transaction that didn't end would keep its locks.
            defer { if !connection.isUsable { self.connection = nil } }
            return try work(connection)
        }

        func close() { connection = nil }
    }

    /// A pool of sessions, each used by one caller at a time.
    final class PostgresPool: Sendable {
        private let group: MultiThreadedEventLoopGroup
        private let sessions: Pool<PostgresSession>

        /// Creates a pool; its connections are opened when they are needed.
        init(connectionString: String, role: PostgresRole = .primary, size: Int) {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: size)
            self.group = group
            sessions = Pool(
                group.makeIterator().map {
                    PostgresSession(connectionString: connectionString, role: role, eventLoop: $0)
                })
        }

        deinit { group.shutdownGracefully { _ in } }

        /// Runs work with a session, once one is free; callers are served in order.
        func run<Result: Sendable>(
            _ work: @escaping @Sendable (PostgresConnection) throws -> Result
        ) async throws -> Result {
            try await sessions.use { try await $0.run(work) }
        }

        var connections: ConnectionCounts {
            let counts = sessions.counts
            return ConnectionCounts(
                total: sessions.elements.count, busy: counts.busy, waiting: counts.waiting)
        }

        /// Closes the connections; the pool can't be used afterward.
        func close() async throws {
            for session in sessions.elements { await session.close() }
            try await group.shutdownGracefully()
        }
    }
#endif
