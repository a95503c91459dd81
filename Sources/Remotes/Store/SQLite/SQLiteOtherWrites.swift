internal import Platform
internal import SQLite

/// Finds the writes of other connections by SQLite's `data_version`, which is cheap to read.
actor SQLiteOtherWrites {
    private let reader: Pool<SQLSession>
    private var dataVersion: Int64?

    private static let interval = Duration.milliseconds(100)

    init(reader: Pool<SQLSession>) { self.reader = reader }

    /// Returns the sequences of tables after a pause; empty if nothing was written since the last call.
    func sequences(of names: @Sendable () -> [TableName]) async throws -> [TableName: Int64] {
        try await Task.sleep(for: Self.interval)
        let (known, names) = (dataVersion, names())
        let news: (dataVersion: Int64?, sequences: [TableName: Int64])? = try await reader.read { database in
            let dataVersion = try SQLStatement("PRAGMA data_version", in: database).first { $0.integer(0) }
            if dataVersion == known { return nil }
            return (dataVersion, try SQLiteRows(database: database).sequences(of: names))
        }
        guard let news else { return [:] }
        dataVersion = news.dataVersion
        return news.sequences
    }
}
