internal import GRDB

/// A table's row in the store's list of tables.
struct TableRow {
    var key: Int64
    /// The last sequence that was used; 0 before the first write.
    var sequence: Int64
    /// The last `updatedAt` that was used, in milliseconds since 1970-01-01T00:00:00Z.
    var updatedAt: Int64

    static func find(_ name: TableName, in database: Database) throws -> TableRow? {
        try SQLStatement("SELECT key, sequence, updated_at FROM todo_table WHERE name = ?", in: database)
            .first(.string(name.string)) {
                TableRow(key: $0.integer(0), sequence: $0.integer(1), updatedAt: $0.integer(2))
            }
    }

    static func insert(_ name: TableName, in database: Database) throws -> TableRow {
        try SQLStatement("INSERT INTO todo_table (name, sequence, updated_at) VALUES (?, 0, 0)", in: database)
            .run(.string(name.string))
        return TableRow(key: database.lastInsertedRowID, sequence: 0, updatedAt: 0)
    }

    /// Returns the version that an operation created; nil if it was not applied.
    func versionAccepted(of operationID: String, in database: Database) throws -> RecordVersion? {
        try SQLStatement("SELECT version FROM operation WHERE todo_table = ? AND id = ?", in: database)
            .first(.integer(key), .string(operationID)) { RecordVersion(bits: $0.integer(0)) }
    }

    func save(in database: Database) throws {
        try SQLStatement("UPDATE todo_table SET sequence = ?, updated_at = ? WHERE key = ?", in: database)
            .run(.integer(sequence), .integer(updatedAt), .integer(key))
    }
}

extension RecordRow {
    static func find(id: String, table: Int64, in database: Database) throws -> RecordRow? {
        try SQLStatement(findSQL, in: database).first(.integer(table), .string(id), read: RecordRow.init)
    }

    static let findSQL = "SELECT \(columns) FROM record WHERE todo_table = ? AND id = ?"
}
