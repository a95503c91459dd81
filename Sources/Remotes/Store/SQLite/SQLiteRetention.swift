internal import LosslessYAML
internal import SQLite

/// Removes old rows of a table in a transaction of SQLite.
struct SQLiteRetention: StoreRetention {
    let database: SQLConnection

    func lastEnd(before day: Int64, in table: TableRow) throws -> DayEnd? {
        try SQLStatement(
            "SELECT day, sequence FROM day_end WHERE todo_table = ? AND day < ? ORDER BY day DESC LIMIT 1",
            in: database
        ).first(.integer(table.key), .integer(day)) { DayEnd(day: $0.integer(0), sequence: $0.integer(1)) }
    }

    func forget(through sequence: Int64, in table: TableRow) throws {
        try SQLStatement(
            "UPDATE todo_table SET forgotten_sequence = max(forgotten_sequence, ?) WHERE key = ?",
            in: database
        ).run(.integer(sequence), .integer(table.key))
    }

    func deleteEnds(through sequence: Int64, in table: TableRow) throws {
        try SQLStatement("DELETE FROM day_end WHERE todo_table = ? AND sequence <= ?", in: database)
            .run(.integer(table.key), .integer(sequence))
    }

    func insert(_ pack: MarkPack, in table: TableRow) throws {
        try SQLStatement("INSERT INTO mark_pack (todo_table, sequence, marks) VALUES (?, ?, ?)", in: database)
            .run(.integer(table.key), .integer(pack.sequence), .blob(pack.content))
        try SQLStatement("DELETE FROM history WHERE todo_table = ? AND sequence <= ?", in: database)
            .run(.integer(table.key), .integer(pack.sequence))
    }

    func deleteOperations(_ ids: [ByteKey], in table: TableRow) throws {
        let statement = try SQLStatement(
            "DELETE FROM operation WHERE todo_table = ? AND id = ?", in: database)
        for id in ids { try statement.run(.integer(table.key), .string(id.string)) }
    }

    func deleteOperations(through sequence: Int64, in table: TableRow) throws {
        try SQLStatement("DELETE FROM operation WHERE todo_table = ? AND version <= ?", in: database)
            .run(.integer(table.key), .integer(RecordVersion.last(ofSequence: sequence).bits))
    }
}
