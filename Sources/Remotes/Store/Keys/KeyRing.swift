internal import GRDB

/// The current keys of a store, read again only after another connection has written to the store.
///
/// The key ring has its own connection: SQLite's `data_version` shows whether other connections have written,
/// and reading it doesn't wait for writes.
actor KeyRing {
    private let databasePath: String
    private let isUnlocked: Bool
    /// The connection, which the first request opens, because most users of a store don't need its keys.
    private var connection: DatabaseQueue?
    private var dataVersion: Int64?
    private var snapshot = Snapshot()

    /// Creates the keys of a store; the first request opens the database.
    ///
    /// - Parameter isUnlocked: whether to open the database without locks.
    init(databasePath: String, isUnlocked: Bool) {
        self.databasePath = databasePath
        self.isUnlocked = isUnlocked
    }

    struct Snapshot: Sendable {
        /// The keys sorted by name.
        ///
        /// Keys that this format doesn't define are left out, because their permissions are unknown.
        var keys: [StoredKey] = []
        /// Whether there is any key, including those that are left out.
        var hasKeys = false
    }

    func current() async throws -> Snapshot {
        let connection = try self.connection ?? .reading(databasePath, isUnlocked: isUnlocked)
        self.connection = connection
        let known = dataVersion
        let news: (dataVersion: Int64, snapshot: Snapshot)? = try await connection.read { database in
            let dataVersion = try database.dataVersion()
            return dataVersion == known ? nil : (dataVersion, try Snapshot(in: database))
        }
        guard let news else { return snapshot }
        (dataVersion, snapshot) = news
        return news.snapshot
    }
}

/// A stored key.
struct StoredKey: Sendable {
    var key: AccessKey
    /// The digest of the key's secret; nil for an anonymous key.
    var digest: [UInt8]?
}

extension KeyRing.Snapshot {
    fileprivate init(in database: Database) throws {
        let statement = try SQLStatement(
            "SELECT name, digest, table_name, access, created_at FROM access_key ORDER BY name", in: database)
        try statement.forEach { row in
            hasKeys = true
            let table = row.isNull(2) ? nil : TableName(row.string(2))
            guard let access = AccessKey.Access(rawValue: row.string(3)), row.isNull(2) || table != nil else {
                return true
            }
            let digest = row.isNull(1) ? nil : row.bytes(1)
            let key = AccessKey(
                name: row.string(0), table: table, access: access, isAnonymous: digest == nil,
                createdAt: row.integer(4))
            keys.append(StoredKey(key: key, digest: digest))
            return true
        }
    }
}
