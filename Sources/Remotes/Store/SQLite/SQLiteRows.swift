internal import LosslessYAML
internal import SQLite
internal import Values

/// The rows of a store in a transaction of SQLite.
struct SQLiteRows: StoreReader, StoreWriter {
    let database: SQLConnection
}

// MARK: - Reading

extension SQLiteRows {
    func state() throws -> StoreState { try StoreSchema.state(in: database) }

    func table(named name: TableName) throws -> TableRow? {
        try SQLStatement(
            """
            SELECT key, sequence, updated_at, records, bytes, forgotten_sequence FROM todo_table WHERE name = ?
            """, in: database
        ).first(.string(name.string)) {
            TableRow(
                key: $0.integer(0), sequence: $0.integer(1), updatedAt: $0.integer(2),
                usage: TableUsage(records: $0.integer(3), bytes: $0.integer(4)),
                forgottenSequence: $0.integer(5))
        }
    }

    func tableNames() throws -> [TableName] {
        try SQLStatement("SELECT name FROM todo_table", in: database).all { $0.string(0) }
            .compactMap(TableName.init)
    }

    func sequences(of names: [TableName]) throws -> [TableName: Int64] {
        let rows = try names.compactMap { name in try table(named: name).map { (name, $0.sequence) } }
        return Dictionary(rows) { first, _ in first }
    }

    func record(id: String, in table: TableRow) throws -> RecordRow? {
        try record(where: "id = ?", .string(id), in: table)
    }

    func record(foldedID: String, in table: TableRow) throws -> RecordRow? {
        try record(where: "folded_id = ?", .string(foldedID), in: table)
    }

    private func record(
        where condition: String, _ parameter: SQLParameter, in table: TableRow
    ) throws -> RecordRow? {
        try SQLStatement(
            "SELECT \(RecordColumn.list) FROM record WHERE todo_table = ? AND \(condition)", in: database
        ).first(.integer(table.key), parameter) { RecordRow($0) }
    }

    func hasFoldedIDs(in table: TableRow) throws -> Bool {
        try SQLStatement(
            "SELECT 1 FROM record WHERE todo_table = ? AND folded_id IS NOT NULL LIMIT 1", in: database
        ).first(.integer(table.key)) { _ in true } ?? false
    }

    func forEachRecord(
        in table: TableRow, within bounds: ColumnBounds, by order: RowOrder?, expecting count: Int?,
        _ body: (any RecordColumns) throws -> Bool
    ) throws {
        let condition = SQLCondition(bounds, in: table)
        let order = order.map { " ORDER BY " + $0.sql } ?? ""
        try SQLStatement(
            "SELECT \(RecordColumn.list) FROM record WHERE \(condition.sql)\(order)", in: database
        ).forEach(condition.parameters, body: body)
    }

    func recordCount(in table: TableRow, within bounds: ColumnBounds) throws -> Int {
        let condition = SQLCondition(bounds, in: table)
        return try SQLStatement("SELECT count(*) FROM record WHERE \(condition.sql)", in: database)
            .first(condition.parameters) { Int($0.integer(0)) } ?? 0
    }

    func operation(id: String, in table: TableRow) throws -> AppliedOperation? {
        try SQLStatement(
            "SELECT digest, version FROM operation WHERE todo_table = ? AND id = ?", in: database
        )
        .first(.integer(table.key), .string(id)) {
            AppliedOperation(digest: $0.bytes(0), version: RecordVersion(bits: $0.integer(1)))
        }
    }

    func operations(after id: ByteKey?, limit: Int, in table: TableRow) throws -> [OperationRow] {
        try SQLStatement(
            """
            SELECT id, digest, version FROM operation WHERE todo_table = ? AND id > ?
            ORDER BY id LIMIT ?
            """, in: database
        ).all(.integer(table.key), .string(id?.string ?? ""), .integer(Int64(limit))) {
            let operation = AppliedOperation(
                digest: $0.bytes(1), version: RecordVersion(bits: $0.integer(2)))
            return OperationRow(id: ByteKey($0.string(0)), operation: operation)
        }
    }

    func operationCount(in table: TableRow) throws -> Int {
        try SQLStatement(
            "SELECT count(*) FROM operation WHERE todo_table = ? AND version > ?", in: database
        ).first(.integer(table.key), .integer(table.lastForgotten.bits)) { Int($0.integer(0)) } ?? 0
    }

    func markRows(from sequence: Int64, limit: Int, in table: TableRow) throws -> [HistoryMark] {
        try SQLStatement(
            """
            SELECT sequence, mark FROM history WHERE todo_table = ? AND sequence >= ?
            ORDER BY sequence LIMIT ?
            """, in: database
        ).all(.integer(table.key), .integer(sequence), .integer(Int64(limit))) {
            HistoryMark(sequence: $0.integer(0), random: $0.integer(1))
        }
    }

    func packs(from sequence: Int64, limit: Int, in table: TableRow) throws -> [MarkPack] {
        try SQLStatement(
            """
            SELECT sequence, marks FROM mark_pack WHERE todo_table = ? AND sequence >= ?
            ORDER BY sequence LIMIT ?
            """, in: database
        ).all(.integer(table.key), .integer(sequence), .integer(Int64(limit))) {
            MarkPack(sequence: $0.integer(0), content: $0.bytes(1))
        }
    }

    func keys() throws -> [KeyRow] { try keys(where: "true") }

    func keys(after name: String?, limit: Int) throws -> [KeyRow] {
        try keys(where: "name > ? ORDER BY name LIMIT ?", .string(name ?? ""), .integer(Int64(limit)))
    }

    func keys(named names: [String]) throws -> [KeyRow] {
        try names.flatMap { try keys(where: "name = ?", .string($0)) }
    }

    /// Returns the keys with the given digests, and the anonymous keys.
    func keys(withDigests digests: [[UInt8]]) throws -> FoundKeys {
        let rows = try digests.flatMap { try keys(where: "digest = ?", .blob($0)) }
        let hasKeys = try SQLStatement("SELECT 1 FROM access_key LIMIT 1", in: database).first { _ in true }
        return FoundKeys(
            rows: rows + (try keys(where: "digest IS NULL")), storeHasKeys: hasKeys ?? false,
            state: try state())
    }

    private func keys(where condition: String, _ parameters: SQLParameter...) throws -> [KeyRow] {
        try SQLStatement(
            "SELECT name, table_name, access, digest, created_at FROM access_key WHERE \(condition)",
            in: database
        ).all(parameters) { row in
            KeyRow(
                name: row.string(0), table: row.isNull(1) ? nil : row.string(1), access: row.string(2),
                digest: row.isNull(3) ? nil : row.bytes(3), createdAt: row.integer(4))
        }
    }

    func problems() throws -> [String] {
        let lines = try SQLStatement("PRAGMA integrity_check(20)", in: database).all { $0.string(0) }
        let strays = try SQLStatement("PRAGMA foreign_key_check", in: database).all { $0.string(0) }
        return lines.filter { $0 != "ok" }.map { "SQLite: \($0)" }
            + strays.map { "a row of \($0) does not belong to a table" }
    }
}

/// A condition on records, with a parameter for each `?`.
private struct SQLCondition {
    let sql: String
    let parameters: [SQLParameter]

    init(_ bounds: ColumnBounds, in table: TableRow) {
        var conditions = ["todo_table = ?1"]
        var parameters = [SQLParameter.integer(table.key)]
        for column in ColumnBounds.Column.allCases {
            guard let range = bounds.ranges[column] else { continue }
            parameters += [.integer(range.least), .integer(range.greatest)]
            let count = parameters.count
            conditions.append("\(column.rawValue) BETWEEN ?\(count - 1) AND ?\(count)")
        }
        if let ids = bounds.ids {
            parameters.append(.text(JSON.write(.list(ids.map { .string($0) }))))
            let values = "SELECT value FROM json_each(?\(parameters.count))"
            // In this form, SQLite uses the indices of both columns.
            conditions.append(
                """
                id IN (\(values) UNION ALL \
                SELECT id FROM record WHERE todo_table = ?1 AND folded_id IN (\(values)))
                """)
        }
        sql = conditions.joined(separator: " AND ")
        self.parameters = parameters
    }
}

extension RowOrder {
    fileprivate var sql: String {
        switch self {
        case .id: "id"
        case .version(let isDescending): isDescending ? "version DESC" : "version"
        case .updatedAt(let isDescending): isDescending ? "updated_at DESC" : "updated_at"
        }
    }
}

extension SQLRow: RecordColumns {
    func integer(_ column: RecordColumn) -> Int64 { integer(column.rawValue) }

    func isNull(_ column: RecordColumn) -> Bool { isNull(column.rawValue) }

    func withBytes<Result>(_ column: RecordColumn, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withBytes(column.rawValue, body)
    }
}

// MARK: - Writing

extension SQLiteRows {
    /// SQLite has locked the whole database.
    func lock(_ jobs: [WriteJob], waits: Bool) -> Set<TableName> { Set(jobs.map(\.table)) }

    func insertTable(named name: TableName) throws -> TableRow {
        try SQLStatement("INSERT INTO todo_table (name, sequence, updated_at) VALUES (?, 0, 0)", in: database)
            .run(.string(name.string))
        return TableRow(key: database.lastInsertedKey)
    }

    var retention: any StoreRetention { SQLiteRetention(database: database) }

    func update(_ table: TableRow, after end: DayEnd?) throws {
        if let end {
            try SQLStatement("INSERT INTO day_end (todo_table, day, sequence) VALUES (?, ?, ?)", in: database)
                .run(.integer(table.key), .integer(end.day), .integer(end.sequence))
        }
        try SQLStatement(
            "UPDATE todo_table SET sequence = ?, updated_at = ?, records = ?, bytes = ? WHERE key = ?",
            in: database
        ).run(
            .integer(table.sequence), .integer(table.updatedAt), .integer(table.usage.records),
            .integer(table.usage.bytes), .integer(table.key))
    }

    func insert(_ record: RecordRow, in table: TableRow) throws {
        try SQLStatement(
            """
            INSERT INTO record
            (todo_table, id, folded_id, version, deleted, created_at, updated_at, fields, layout)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, in: database
        ).run(
            .integer(table.key), .string(record.id), record.foldedID.map { .string($0) } ?? .null,
            .integer(record.version.bits), .integer(record.isDeleted ? 1 : 0), .integer(record.createdAt),
            .integer(record.updatedAt), .text(record.fields), record.layout.map { .text($0) } ?? .null)
    }

    func update(_ record: RecordRow, in table: TableRow) throws {
        try SQLStatement(
            "UPDATE record SET version = ?, deleted = ?, updated_at = ?, fields = ?, layout = ? WHERE key = ?",
            in: database
        ).run(
            .integer(record.version.bits), .integer(record.isDeleted ? 1 : 0), .integer(record.updatedAt),
            .text(record.fields), record.layout.map { .text($0) } ?? .null, .integer(record.key))
    }

    func insert(_ operation: AppliedOperation, id: String, in table: TableRow) throws -> Bool {
        try SQLStatement(
            """
            INSERT INTO operation (todo_table, id, digest, version) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, in: database
        ).run(
            .integer(table.key), .string(id), .blob(operation.digest), .integer(operation.version.bits))
        return database.changeCount == 1
    }

    func insert(_ mark: HistoryMark, in table: TableRow) throws {
        try SQLStatement("INSERT INTO history (todo_table, sequence, mark) VALUES (?, ?, ?)", in: database)
            .run(.integer(table.key), .integer(mark.sequence), .integer(mark.random))
    }

    func insert(_ key: KeyRow) throws -> Bool {
        try SQLStatement(
            """
            INSERT INTO access_key (name, digest, table_name, access, created_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, in: database
        ).run(
            .string(key.name), key.digest.map { .blob($0) } ?? .null,
            key.table.map { .string($0) } ?? .null, .string(key.access), .integer(key.createdAt))
        return database.changeCount == 1
    }

    func deleteKey(named name: String) throws -> Bool {
        try SQLStatement("DELETE FROM access_key WHERE name = ?", in: database).run(.string(name))
        return database.changeCount == 1
    }
}

// MARK: - Retention

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
