internal import Dispatch
package import Platform
internal import Synchronization

/// A connection that tasks share; it is opened when it is first needed.
package final class SQLSession: Sendable {
    private let open: @Sendable () throws -> SQLConnection
    private let connection: Mutex<SQLConnection?>
    private let thread = BlockingThread()

    /// Creates a session with a connection that isn't open yet; if that fails, the next use tries again.
    package init(_ open: @escaping @Sendable () throws -> SQLConnection) {
        self.open = open
        connection = Mutex(nil)
    }

    package init(_ connection: sending SQLConnection) {
        self.connection = Mutex(connection)
        open = { preconditionFailure("the connection is open") }
    }

    /// Runs work with the connection, without blocking one of the runtime's threads.
    ///
    /// Tasks on `WorkThreads` may block, so they don't change to another thread.
    package func run<Result: Sendable>(
        _ work: @escaping @Sendable (SQLConnection) throws -> Result
    ) async throws -> Result {
        if WorkThreads.current != nil { return try runAtOnce(work) }
        return try await thread.run { try self.runAtOnce(work) }
    }

    /// Runs short work with the connection on the current thread, because to change to another one would take
    /// longer.
    package func runAtOnce<Result: Sendable>(
        _ work: @Sendable (SQLConnection) throws -> Result
    ) throws -> Result {
        try Task.checkCancellation()
        return try connection.withLock { connection in
            let opened = try connection ?? open()
            connection = opened
            return try work(opened)
        }
    }

    /// Closes the connection, if it is open; it can't be used afterward.
    package func close() { connection.withLock { $0?.close() } }
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
    package func close() {
        for session in elements { session.close() }
    }
}

/// A thread of the system, which may wait for disks and locks.
private actor BlockingThread {
    private let queue = Queue()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }

    private final class Queue: SerialExecutor {
        private let queue = DispatchQueue(label: "SQLite")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
}
