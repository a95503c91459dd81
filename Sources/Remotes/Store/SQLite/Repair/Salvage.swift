internal import GRDB
internal import LosslessYAML
internal import TodoModel
internal import Values

/// Copies the readable parts of a damaged store into a new database.
struct Salvage {
    let pages: PageFile
    let database: Database

    /// The parts of the store that were found.
    struct Findings {
        var identity: [UInt8]?
        var recordCount = 0
        var tableCount = 0
        var keyCount = 0
    }

    private struct Table {
        var name: String?
        var updatedAt: Int64 = 0
    }

    /// Copies the readable parts, and returns what was found.
    ///
    /// - Parameter randomBytes: Returns eight bytes for each table's mark. New marks keep clients from
    ///   continuing the old history, because some of its records can be missing.
    func run(randomBytes: (Int) -> [UInt8]) throws -> Findings {
        var findings = Findings()
        var tables: [Int64: Table] = [:]
        var access: Int?
        try pages.forEachRow { row in
            if let record = SalvagedRecord(row) {
                let last = tables[record.table, default: Table()].updatedAt
                tables[record.table, default: Table()].updatedAt = max(last, record.updatedAt)
                try insert(record)
            } else if let name = row.tableName {
                tables[row.key, default: Table()].name = name.string
            } else if let identity = row.identity {
                findings.identity = identity
            } else if let root = row.root(ofTable: "access_key") {
                access = root
            }
        }
        try insert(tables, randomBytes)
        for key in access.map(pages.rows(belowIndex:)) ?? [] where try insert(key: key) {
            findings.keyCount += 1
        }
        try database.execute(sql: StoreSchema.countUsage)
        findings.recordCount = try count("record")
        findings.tableCount = try count("todo_table")
        return findings
    }

    /// Inserts a record, or keeps the newer of two versions: unused pages can contain old versions.
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
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // The version is damaged: two records never have the same version.
        }
    }

    private func insert(_ tables: [Int64: Table], _ randomBytes: (Int) -> [UInt8]) throws {
        var names: Set<String> = []
        for (key, table) in tables.sorted(by: { $0.key < $1.key }) {
            var name = table.name ?? (tables.count == 1 ? TableName.standard.string : "recovered_\(key)")
            if !names.insert(name.lowercased()).inserted { name = "recovered_\(key)" }
            names.insert(name)
            let sequence = try renumber(key, randomBytes)
            try SQLStatement(
                "INSERT INTO todo_table (key, name, sequence, updated_at) VALUES (?, ?, ?, ?)", in: database
            ).run(.integer(key), .string(name), .integer(sequence), .integer(table.updatedAt))
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

    private func insert(key: [RawValue]) throws -> Bool {
        guard key.count >= 5, let name = key[0].string, key[1].isNull || key[1].blob != nil,
            key[2].isNull || key[2].string != nil, let access = key[3].string, let createdAt = key[4].integer
        else { return false }
        try SQLStatement(
            """
            INSERT INTO access_key (name, digest, table_name, access, created_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, in: database
        ).run(
            .string(name), key[1].blob.map { .blob($0) } ?? .null, key[2].string.map { .string($0) } ?? .null,
            .string(access), .integer(createdAt))
        return true
    }

    private func count(_ table: String) throws -> Int {
        try SQLStatement("SELECT count(*) FROM \(table)", in: database).first { Int($0.integer(0)) } ?? 0
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

    init?(_ row: RawRow) {
        let values = row.values
        guard row.key > 0, values.count >= 10, values[0].isNull, let table = values[1].integer, table > 0,
            let id = values[2].string, TodoID.problem(with: id) == nil,
            let version = values[4].integer.map(RecordVersion.init(bits:)), version.sequence > 0,
            let deleted = values[5].integer, (0...1).contains(deleted),
            let createdAt = values[6].integer, Self.times.contains(createdAt),
            let updatedAt = values[7].integer, Self.times.contains(updatedAt), let fields = values[8].bytes,
            case .mapping? = RecordRow.value(of: fields)
        else { return nil }
        (key, self.table, self.id, self.version) = (row.key, table, id, version)
        (isDeleted, self.createdAt, self.updatedAt) = (deleted == 1, createdAt, updatedAt)
        self.fields = fields
        layout = values[9].bytes.flatMap { RecordRow.value(of: $0) == nil ? nil : $0 }
    }

    /// The times up to the year 9999, in milliseconds since 1970-01-01T00:00:00Z.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension RawRow {
    fileprivate var tableName: TableName? {
        // The number of columns depends on the format.
        guard key > 0, [4, 6, 7].contains(values.count), values[0].isNull, values[2].integer != nil,
            values[3].integer != nil
        else { return nil }
        return values[1].string.flatMap(TableName.init)
    }

    fileprivate var identity: [UInt8]? {
        // Stores of older formats have only this column.
        guard values.count == 1 || values.count == 3, let identity = values[0].blob,
            identity.count == StoreSchema.identitySize
        else { return nil }
        return identity
    }

    /// Returns the root page of the named table; nil if this isn't its row in SQLite's schema.
    fileprivate func root(ofTable name: String) -> Int? {
        guard values.count == 5, values[0].string == "table", values[1].string == name,
            let root = values[3].integer, root > 1
        else { return nil }
        return Int(root)
    }
}
