internal import GRDB
public import TodoModel

/// A table of a ``Store``, as a remote.
public struct StoreTable: Remote {
    public let store: Store
    public let name: TableName
    /// The records that a page of changes has at most.
    public var pageSize = 1000
    /// The bytes of JSON after which a page ends early, so that large records don't add up to any size.
    public var pageByteSize = 32 << 20

    public init(store: Store, name: TableName) {
        self.store = store
        self.name = name
    }

    /// Returns the store's identity with the table's name: the same before and after the first write makes
    /// it.
    public func identity() async throws -> RemoteIdentity {
        RemoteIdentity("\(store.identity)/\(name.folded)")
    }

    public func meet(_ known: KnownHistory?) async throws -> RemoteIdentity {
        let identity = try await identity()
        if let known, known.identity == identity {
            if let cursor = known.cursor { try await verify(cursor) }
            if let accepted = known.accepted { try await verify(accepted) }
        }
        return identity
    }

    /// Returns a record or tombstone, or nil if the table never had one with this id.
    public func record(id: String) async throws -> StoredRecord? {
        try await store.read { [name] database in
            guard let table = try TableRow.find(name, in: database) else { return nil }
            let row = try RecordRow.find(id: id, table: table.key, in: database)
            return row.map {
                StoredRecord(record: $0.record(), createdAt: $0.createdAt, updatedAt: $0.updatedAt)
            }
        }
    }

    /// Makes sure that an operation was carried out in this table's history and led to a version.
    /// - Throws: ``RemoteError/otherHistory``.
    public func verify(_ accepted: AcceptedOperation) async throws {
        try await store.read { [name] database in
            guard let table = try TableRow.find(name, in: database),
                try table.versionAccepted(of: accepted.operationID, in: database)?.version == accepted.version
            else { throw RemoteError.otherHistory }
        }
    }

    public func push(_ operations: [PushOperation]) async throws -> [PushAnswer] {
        if operations.isEmpty { return [] }
        // All that can be done without the store is done before other writers have to wait.
        let prepared = operations.map { PreparedOperation($0, digestKey: store.identityBytes) }
        let surroundings = store.surroundings
        return try await store.write { [name] database in
            var transaction = try PushTransaction(
                table: name, database: database, now: surroundings.now(),
                randomBytes: surroundings.randomBytes(PushTransaction.randomBytes(for: prepared.count)))
            let answers = try prepared.map { try transaction.answer(to: $0) }
            try transaction.finish()
            return answers
        }
    }
}
