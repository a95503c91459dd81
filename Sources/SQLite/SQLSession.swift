internal import Dispatch
package import Platform

/// A connection that tasks share; it is opened when it is first needed.
package actor SQLSession {
    private let open: @Sendable () throws -> SQLConnection
    private var connection: SQLConnection?
    private nonisolated let thread = BlockingThread()

    /// Creates a session with a connection that isn't open yet; if that fails, the next use tries again.
    package init(_ open: @escaping @Sendable () throws -> SQLConnection) { self.open = open }

    package init(_ connection: sending SQLConnection) {
        self.connection = connection
        open = { preconditionFailure("the connection is open") }
    }

    /// Runs work with the connection, without blocking one of the runtime's threads.
    ///
    /// Tasks on `WorkThreads` may block, so they don't change to another thread.
    package nonisolated func run<Result: Sendable>(
        _ work: @escaping @Sendable (SQLConnection) throws -> Result
    ) async throws -> Result {
        if WorkThreads.current != nil { return try await runAtOnce(work) }
        return try await withTaskExecutorPreference(thread) { try await self.runAtOnce(work) }
    }

    /// Runs short work with the connection on the current thread, because to change to another one would take
    /// longer.
    package func runAtOnce<Result: Sendable>(
        _ work: @Sendable (SQLConnection) throws -> Result
    ) throws -> Result {
        try Task.checkCancellation()
        let connection = try self.connection ?? open()
        self.connection = connection
        return try work(connection)
    }

    /// Closes the connection, if it is open; it can't be used afterward.
    package func close() { connection?.close() }
}

/// Connections that each run the work of one task at a time.
extension Pool<SQLSession> {
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable (SQLConnection) throws -> Result
    ) async throws -> Result {
        try await use { try await $0.run(work) }
    }

    /// Runs a read that sees a single state of the database.
    package func read<Result: Sendable>(
        _ work: @escaping @Sendable (SQLConnection) throws -> Result
    ) async throws -> Result {
        try await run { connection in try connection.transaction(.reading) { try work(connection) } }
    }

    /// Closes the connections; the pool can't be used afterward.
    package func close() async {
        for session in elements { await session.close() }
    }
}

/// A thread of the system, which may wait for disks and locks.
private final class BlockingThread: TaskExecutor {
    private let queue = DispatchQueue(label: "SQLite")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
