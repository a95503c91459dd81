internal import LosslessYAML
internal import SQLite
internal import TodoModel
internal import Values

/// Copies the readable rows of a damaged store into a new database.
struct Salvage {
    let damaged: SQLConnection
    let database: SQLConnection

    /// The parts of the store that were found.
    struct Findings {
        var identity: [UInt8]?
        var recordCount = 0
        var tableCount = 0
        var keyCount = 0
    }

    /// Copies the readable rows, and returns what was found.
    ///
    /// - Parameter randomBytes: Returns eight bytes for each table's mark. New marks keep clients from
    ///   continuing the old history, because some of its records can be missing.
    func run(randomBytes: (Int) -> [UInt8]) throws -> Findings {
        var findings = Findings()
        findings.identity = try rows("SELECT identity FROM store") { $0.bytes(0) }.first {
            $0.count == StoreSchema.identitySize
        }
        var names: [Int64: String] = [:]
        // An index can have lost rows. A row with other types is another table's, from a misplaced page.
        let tables = """
            SELECT key, name FROM todo_table NOT INDEXED
            WHERE key > 0 AND typeof(name) = 'text' AND typeof(sequence) = 'integer'
            """
        for (key, name) in try rows(tables, { ($0.integer(0), $0.string(1)) }) {
            if let name = TableName(name) { names[key] = name.string }
        }
        let lastUpdates = try copyRecords()
        try insertTables(Set(names.keys).union(lastUpdates.keys).sorted(), names, lastUpdates, randomBytes)
        findings.keyCount = try copyKeys()
        try database.execute(StoreSchema.countUsage)
        findings.recordCount = try count("record")
        findings.tableCount = try count("todo_table")
        return findings
    }

    /// Returns the results of `read` for the rows before the first damage.
    private func rows<Result>(_ sql: String, _ read: (SQLRow) -> Result) throws -> [Result] {
        var results: [Result] = []
        try ignoringDamage {
            try SQLStatement(sql, in: damaged).forEach([]) { row in
                results.append(read(row))
                return true
            }
        }
        return results
    }

    private func ignoringDamage(_ body: () throws -> Void) throws {
        do { try body() } catch let error as SQLError where error.isOfDamage {}
    }

    /// Copies the readable records, and returns the last time that a record of each table was updated.
    ///
    /// It looks for each key on its own, so that damage hides only the records in a damaged page or below it.
    /// Records aren't removed, so the keys have no gaps, and the file's size limits them.
    private func copyRecords() throws -> [Int64: Int64] {
        var lastUpdates: [Int64: Int64] = [:]
        let size = try rows("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") {
            $0.integer(0)
        }
        try ignoringDamage {
            let statement = try SQLStatement(
                """
                SELECT todo_table, id, version, deleted, created_at, updated_at, fields, layout
                FROM record NOT INDEXED WHERE key = ?
                """, in: damaged)
            for key in 0..<(size.first ?? 0) / Self.smallestRecord {
                try ignoringDamage {
                    let record = try statement.first(.integer(key + 1)) { SalvagedRecord(key: key + 1, $0) }
                    guard let record = record.flatMap(\.self) else { return }
                    lastUpdates[record.table] = max(lastUpdates[record.table] ?? 0, record.updatedAt)
                    try insert(record)
                }
            }
        }
        return lastUpdates
    }

    /// The minimum size of a record's row in bytes.
    private static let smallestRecord: Int64 = 32

    /// Inserts a record, or keeps the newer of two with the same id.
    private func insert(_ record: SalvagedRecord) throws {
        let statement = try SQLStatement(
            """
            INSERT INTO record
            (key, todo_table, id, folded_id, version, deleted, created_at, updated_at, fields, layout)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (todo_table, id) DO UPDATE SET version = excluded.version, deleted = excluded.deleted,
                created_at = excluded.created_at, updated_at = excluded.updated_at, fields = excluded.fields,
                layout = excluded.layout
            WHERE excluded.version > version
            """, in: database)
        let folded = record.id.lowercased()
        do {
            try statement.run(
                .integer(record.key), .integer(record.table), .string(record.id),
                folded.isSameBytes(as: record.id) ? .null : .string(folded), .integer(record.version.bits),
                .integer(record.isDeleted ? 1 : 0), .integer(record.createdAt), .integer(record.updatedAt),
                .text(record.fields), record.layout.map { .text($0) } ?? .null)
        } catch let error as SQLError where error.code == .constraint {
            // The version is damaged: two records never have the same version.
        }
    }

    private func insertTables(
        _ keys: [Int64], _ tableNames: [Int64: String], _ lastUpdates: [Int64: Int64],
        _ randomBytes: (Int) -> [UInt8]
    ) throws {
        var names: Set<String> = []
        for key in keys {
            var name = tableNames[key] ?? (keys.count == 1 ? TableName.standard.string : "recovered_\(key)")
            if !names.insert(name.lowercased()).inserted { name = "recovered_\(key)" }
            names.insert(name)
            let sequence = try renumber(key, randomBytes)
            try SQLStatement(
                "INSERT INTO todo_table (key, name, sequence, updated_at) VALUES (?, ?, ?, ?)", in: database
            ).run(.integer(key), .string(name), .integer(sequence), .integer(lastUpdates[key] ?? 0))
            guard sequence > 0 else { continue }
            let mark = randomBytes(8).reduce(0) { $0 << 8 | Int64($1) }
            try SQLStatement(
                "INSERT INTO history (todo_table, sequence, mark) VALUES (?, ?, ?)", in: database
            ).run(.integer(key), .integer(sequence), .integer(mark))
        }
    }

    /// Assigns new versions to a table's records in order, and returns the last sequence.
    ///
    /// Damaged records can share a version, or have a version that leaves no room for later versions.
    private func renumber(_ table: Int64, _ randomBytes: (Int) -> [UInt8]) throws -> Int64 {
        let keys = try SQLStatement(
            "SELECT key FROM record WHERE todo_table = ? ORDER BY version", in: database
        ).all(.integer(table)) { $0.integer(0) }
        // Negative versions don't collide with the new versions.
        try SQLStatement("UPDATE record SET version = -version WHERE todo_table = ?", in: database)
            .run(.integer(table))
        let update = try SQLStatement("UPDATE record SET version = ? WHERE key = ?", in: database)
        for (index, key) in keys.enumerated() {
            let version = RecordVersion(sequence: Int64(index + 1), random: randomBytes(3))
            try update.run(.integer(version.bits), .integer(key))
        }
        return Int64(keys.count)
    }

    /// Copies the readable keys, and returns their number.
    private func copyKeys() throws -> Int {
        let stored = """
            SELECT name, digest, table_name, access, created_at FROM access_key
            WHERE typeof(name) = 'text' AND typeof(digest) IN ('blob', 'null') AND typeof(access) = 'text'
            """
        let keys = try rows(stored) { row in
            [
                SQLParameter.string(row.string(0)), row.isNull(1) ? .null : .blob(row.bytes(1)),
                row.isNull(2) ? .null : .string(row.string(2)), .string(row.string(3)),
                .integer(row.integer(4)),
            ]
        }
        let statement = try SQLStatement(
            """
            INSERT INTO access_key (name, digest, table_name, access, created_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, in: database)
        for key in keys { try statement.forEach(key) { _ in true } }
        return try count("access_key")
    }

    private func count(_ table: String) throws -> Int {
        try SQLStatement("SELECT count(*) FROM \(table)", in: database).first { Int($0.integer(0)) } ?? 0
    }
}

extension SQLError {
    /// Whether damage to the file or to the disk is the reason.
    fileprivate var isOfDamage: Bool {
        switch code {
        case .damaged, .notADatabase, .inputOutput: true
        // The schema lacks the table or the column, or can't be read.
        case .error: true
        default: false
        }
    }
}

/// A row that appears to be a record.
private struct SalvagedRecord {
    var key: Int64
    var table: Int64
    var id: String
    var version: RecordVersion
    var isDeleted: Bool
    var createdAt: Int64
    var updatedAt: Int64
    var fields: [UInt8]
    /// The layout; nil if there isn't one, or if it is damaged.
    var layout: [UInt8]?

    init?(key: Int64, _ row: SQLRow) {
        let version = RecordVersion(bits: row.integer(2))
        let (createdAt, updatedAt, fields) = (row.integer(4), row.integer(5), row.bytes(6))
        guard row.integer(0) > 0, let id = String(validating: row.bytes(1), as: UTF8.self),
            TodoID.problem(with: id) == nil, version.sequence > 0, (0...1).contains(row.integer(3)),
            Self.times.contains(createdAt), Self.times.contains(updatedAt),
            case .mapping? = RecordRow.value(of: fields)
        else { return nil }
        (self.key, table, self.id, self.version) = (key, row.integer(0), id, version)
        (isDeleted, self.createdAt, self.updatedAt) = (row.integer(3) == 1, createdAt, updatedAt)
        self.fields = fields
        let layout = row.isNull(7) ? nil : row.bytes(7)
        self.layout = layout.flatMap { RecordRow.value(of: $0) == nil ? nil : $0 }
    }

    /// The times up to the year 9999, in milliseconds since 1970-01-01T00:00:00Z.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999
}
