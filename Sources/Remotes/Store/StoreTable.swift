package import TodoModel

/// A table of a ``Store``, as a remote.
package struct StoreTable: Remote {
    package let store: Store
    package let name: TableName
    /// The maximum number of records in a page of changes.
    package var pageSize = 1000
    /// The size of the records' JSON, in bytes, that ends a page early.
    package var pageByteSize = 32 << 20
    /// The maximum size in bytes that a query sorts at once; a larger result takes more passes over the rows.
    package var sortByteSize = 8 << 20
    /// Who reads the table, so that no client takes all connections; nil for the process itself.
    package var client: String?
    /// The maximum duration of a query.
    package var queryTime: Duration

    package init(store: Store, name: TableName) {
        self.store = store
        self.name = name
        queryTime = store.surroundings.queryTime
    }

    /// Returns the store's identity with the table's name; it stays the same when the first write creates
    /// the table.
    package func identity() async throws -> RemoteIdentity { storedIdentity }

    /// The same as ``identity()``, which a store knows without asking.
    package var storedIdentity: RemoteIdentity { RemoteIdentity("\(store.identity)/\(name.folded)") }

    package func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        let identity = try await identity()
        if let recorded, recorded.identity == identity {
            if let cursor = recorded.cursor { try await verify(cursor) }
            if let accepted = recorded.accepted { try await verify(accepted) }
        }
        return identity
    }

    /// Runs a read of the table that sees a single state, possibly on a replica of the database.
    ///
    /// A query has its client's turn already; see ``Store/querying(for:_:)``.
    func read<Result: Sendable>(
        _ kind: ReadKind, _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try await store.reportingProblems {
            guard let client, kind != .query else { return try await store.engine.read(kind, of: name, body) }
            return try await store.readShares[kind].run(for: client) {
                try await store.engine.read(kind, of: name, body)
            }
        }
    }

    /// Returns a record or tombstone; nil if the table never had one with this id.
    package func record(id: String) async throws -> StoredRecord? {
        try await read(.lookup) { [name] reader in
            guard let table = try reader.table(named: name) else { return nil }
            return try reader.record(id: id, in: table).map { StoredRecord($0) }
        }
    }

    /// Checks that an operation was applied in this table's history and created a version.
    ///
    /// An operation that is old enough to be forgotten can't be checked; the client's cursor can.
    /// - Throws: ``RemoteError/otherHistory``.
    package func verify(_ accepted: AcceptedOperation) async throws {
        try await read(.lookup) { [name] reader in
            guard let table = try reader.table(named: name), let version = RecordVersion(accepted.version)
            else { throw RemoteError.otherHistory }
            let stored = try reader.operation(id: accepted.operationID, in: table)?.version
            guard stored == version || stored == nil && version.sequence <= table.forgottenSequence else {
                throw RemoteError.otherHistory
            }
        }
    }

    package func push(_ operations: [PushOperation]) async throws -> PushReply {
        let result = try await results(
            of: operations.map { RecordWrite($0) }, asksForPart: true, answerSize: .max)
        return PushReply(
            answers: zip(operations, result.outcomes).map { PushAnswer($1, id: $0.id) },
            parts: result.part.map { [$0] } ?? [])
    }

    /// Applies writes in one transaction, in order, and returns an answer for each.
    ///
    /// A failed write doesn't affect the others.
    ///
    /// A write that was already applied (same ``RecordWrite/operationID`` and same content) is not
    /// applied again. The first write that needs the table creates it.
    package func write(_ writes: [RecordWrite]) async throws -> [WriteAnswer] {
        try await write(writes, asksForPart: false, answerSize: .max) { $1 }.answers
    }

    /// Applies writes as ``write(_:)`` does, and returns the result of `answer` for each write's index and
    /// answer.
    ///
    /// Only one record at a time is in memory as values.
    ///
    /// - Parameters:
    ///   - asksForPart: Whether to return the part of the table's history that the writes create.
    ///   - answerSize: The maximum total size, in bytes, of the returned records; once it is reached, writes
    ///     are refused with 503, and clients can retry them.
    /// - Returns: The answers, and the part of the history, if it was requested; nil if the writes didn't
    ///   create any.
    package func write<Answer>(
        _ writes: [RecordWrite], asksForPart: Bool, answerSize: Int, answer: (Int, WriteAnswer) -> Answer
    ) async throws -> (answers: [Answer], part: HistoryPart?) {
        let result = try await results(of: writes, asksForPart: asksForPart, answerSize: answerSize)
        let answers = result.outcomes.enumerated().map { answer($0.offset, WriteAnswer($0.element)) }
        return (answers, result.part)
    }

    private func results(
        of writes: [RecordWrite], asksForPart: Bool, answerSize: Int
    ) async throws -> WriteResults {
        if writes.isEmpty { return WriteResults(outcomes: []) }
        try Task.checkCancellation()
        // Prepare everything that doesn't need the store before other writers have to wait.
        let prepared = writes.map { PreparedWrite($0) }
        return try await store.writeCombiner.results(
            of: WriteJob(
                table: name, writes: prepared, asksForPart: asksForPart, answerSize: answerSize), store: store
        )
    }
}
