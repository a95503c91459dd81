internal import GRDB
internal import Platform

// GRDB's asynchronous functions need the runtime's threads. Tasks on `WorkThreads` may block, so they use the
// database themselves.

extension DatabaseReader {
    /// Reads from the database without blocking one of the runtime's threads.
    func reading<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        if WorkThreads.current == nil { return try await read(body) }
        try Task.checkCancellation()
        return try { try read(body) }()
    }
}

extension DatabaseWriter {
    /// Writes to the database without blocking one of the runtime's threads; each statement is a transaction
    /// unless the body begins one.
    func writing<Result: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        if WorkThreads.current == nil { return try await writeWithoutTransaction(body) }
        try Task.checkCancellation()
        return try { try writeWithoutTransaction(body) }()
    }
}
