#if PostgreSQL
    internal import NIOCore
    internal import NIOPosix
    internal import Synchronization

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
        private struct State {
            var idle: [PostgresSession]
            var waiting: [CheckedContinuation<PostgresSession, Never>] = []
        }

        private let group: MultiThreadedEventLoopGroup
        private let sessions: [PostgresSession]
        private let state: Mutex<State>

        /// Creates a pool; its connections are opened when they are needed.
        init(connectionString: String, role: PostgresRole = .primary, size: Int) {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: size)
            self.group = group
            sessions = group.makeIterator().map {
                PostgresSession(connectionString: connectionString, role: role, eventLoop: $0)
            }
            state = Mutex(State(idle: sessions))
        }

        deinit { group.shutdownGracefully { _ in } }

        /// Runs work with a session, once one is free; callers are served in order.
        func run<Result: Sendable>(
            _ work: @escaping @Sendable (PostgresConnection) throws -> Result
        ) async throws -> Result {
            let session = await session()
            defer { giveBack(session) }
            try Task.checkCancellation()
            return try await session.run(work)
        }

        var connections: ConnectionCounts {
            state.withLock {
                ConnectionCounts(
                    total: sessions.count, busy: sessions.count - $0.idle.count, waiting: $0.waiting.count)
            }
        }

        /// Closes the connections; the pool can't be used afterward.
        func close() async throws {
            for session in sessions { await session.close() }
            try await group.shutdownGracefully()
        }

        private func session() async -> PostgresSession {
            await withCheckedContinuation { continuation in
                let session = state.withLock { state in
                    let session = state.idle.popLast()
                    if session == nil { state.waiting.append(continuation) }
                    return session
                }
                if let session { continuation.resume(returning: session) }
            }
        }

        private func giveBack(_ session: PostgresSession) {
            let next = state.withLock { state in
                let next = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
                if next == nil { state.idle.append(session) }
                return next
            }
            next?.resume(returning: session)
        }
    }
#endif
