#if PostgreSQL
    internal import LosslessYAML
    internal import Values

    /// Reads a store's rows from PostgreSQL.
    struct PostgresReader: StoreReader {
        let connection: PostgresConnection

        /// The number of records in the first batch and in the largest batch, and a batch's maximum size in
        /// bytes.
        private static let (firstBatch, largestBatch, batchByteSize) = (64, 4096, 8 << 20)

        private func run(_ sql: String, _ parameters: PostgresParameter...) throws -> PostgresResult {
            try connection.run(PostgresCommand(sql: sql, parameters: parameters))
        }
    }

    extension PostgresReader {
        /// Runs reads in a transaction that sees a single state.
        static func read<Result>(
            on connection: PostgresConnection, _ body: (PostgresReader) throws -> Result
        ) throws -> Result {
            try connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") {
                let result = try body(PostgresReader(connection: connection))
                try connection.endReading()
                return result
            }
        }
    }

    extension TableName {
        /// The key of the table: 63 bits of the SHA-256 of the name.
        var databaseKey: Int64 {
            Array(folded.utf8).sha256.prefix(8).reduce(0) { $0 << 8 | Int64($1) } & .max
        }
    }

    extension PostgresReader {
        func state() throws -> StoreState { try StoreState(connection.run(.readState)) }

        func table(named name: TableName) throws -> TableRow? {
            try run(
                "SELECT \(Self.tableColumns) FROM todo_table WHERE key = $1", .integer(name.databaseKey)
            ).first.flatMap { TableRow($0, named: name) }
        }

        func table(
            named name: TableName, markAt sequence: Int64
        ) throws -> (table: TableRow, mark: HistoryMark?)? {
            // One statement, because most polls need nothing else.
            let row = try run(
                """
                SELECT \(Self.tableColumns), last, mark FROM todo_table LEFT JOIN LATERAL (
                    SELECT sequence AS last, mark FROM history WHERE todo_table = key AND sequence >= $2
                    ORDER BY sequence LIMIT 1
                ) AS found ON true WHERE key = $1
                """, .integer(name.databaseKey), .integer(sequence)
            ).first
            guard let row, let table = TableRow(row, named: name) else { return nil }
            let mark =
                row.isNull(6) ? nil : HistoryMark(sequence: row.integer(6), random: row.integer(7))
            return (table, try packedMark(at: sequence, in: table) ?? mark)
        }

        private static let tableColumns =
            "todo_table.sequence, updated_at, name, records, bytes, forgotten_sequence"

        func tableNames() throws -> [TableName] {
            try run("SELECT name FROM todo_table").map { $0.string(0) }.compactMap(TableName.init)
        }

        func sequences(of names: [TableName]) throws -> [TableName: Int64] {
            let keys = Dictionary(names.map { ($0.databaseKey, $0) }) { first, _ in first }
            let rows = try run(
                "SELECT key, sequence FROM todo_table WHERE key = ANY($1)", .integers(Array(keys.keys))
            )
            .map { ($0.integer(0), $0.integer(1)) }
            return Dictionary(rows.compactMap { row in keys[row.0].map { ($0, row.1) } }) { first, _ in first
            }
        }

        func record(id: String, in table: TableRow) throws -> RecordRow? {
            try run(
                "SELECT \(Self.columns) FROM record WHERE todo_table = $1 AND id = $2", .integer(table.key),
                .bytes(Array(id.utf8))
            ).first.map { RecordRow($0) }
        }

        func record(foldedID: String, in table: TableRow) throws -> RecordRow? {
            try run(
                "SELECT \(Self.columns) FROM record WHERE todo_table = $1 AND folded_id = $2",
                .integer(table.key), .bytes(Array(foldedID.utf8))
            ).first.map { RecordRow($0) }
        }

        func hasFoldedIDs(in table: TableRow) throws -> Bool {
            try run("SELECT has_folded_ids FROM todo_table WHERE key = $1", .integer(table.key)).first?.bool(
                0)
                ?? false
        }

        /// The columns of ``RecordColumn``; PostgreSQL's rows have no key.
        static let columns = RecordColumn.allCases.map { $0 == .key ? "0::bigint AS key" : $0.name }
            .joined(separator: ", ")

        func forEachRecord(
            in table: TableRow, within bounds: ColumnBounds, by order: RowOrder?, expecting count: Int?,
            _ body: (any RecordColumns) throws -> Bool
        ) throws {
            var batch = RecordBatch(bounds, in: table, by: order ?? .id)
            batch.count = min(count ?? Self.firstBatch, Self.largestBatch)
            while true {
                let rows = try connection.run(batch.command(byteSize: Self.batchByteSize))
                for row in rows where try !body(row) { return }
                // The size can end a batch early.
                guard let last = rows.last else { return }
                batch.move(to: last)
                batch.count = min(batch.count * 4, Self.largestBatch)
            }
        }

        func recordCount(in table: TableRow, within bounds: ColumnBounds) throws -> Int {
            let batch = RecordBatch(bounds, in: table, by: .id)
            let row = try connection.run(
                PostgresCommand(
                    sql: "SELECT count(*) FROM record WHERE \(batch.condition)", parameters: batch.parameters)
            ).first
            return row.map { Int($0.integer(0)) } ?? 0
        }

        func operation(id: String, in table: TableRow) throws -> AppliedOperation? {
            try run(
                "SELECT digest, version FROM operation WHERE todo_table = $1 AND id = $2",
                .integer(table.key),
                .bytes(Array(id.utf8))
            ).first.map { AppliedOperation(digest: $0.bytes(0), version: RecordVersion(bits: $0.integer(1))) }
        }

        func operations(after id: ByteKey?, limit: Int, in table: TableRow) throws -> [OperationRow] {
            try run(
                """
                SELECT id, digest, version FROM operation WHERE todo_table = $1 AND id > $2
                ORDER BY id LIMIT $3
                """, .integer(table.key), .bytes(Array((id?.string ?? "").utf8)),
                .integer(Int64(limit))
            ).map {
                let operation = AppliedOperation(
                    digest: $0.bytes(1), version: RecordVersion(bits: $0.integer(2)))
                return OperationRow(id: ByteKey($0.string(0)), operation: operation)
            }
        }

        func operationCount(in table: TableRow) throws -> Int {
            try run(
                "SELECT count(*) FROM operation WHERE todo_table = $1 AND version > $2", .integer(table.key),
                .integer(table.lastForgotten.bits)
            ).first.map { Int($0.integer(0)) } ?? 0
        }

        func markRows(from sequence: Int64, limit: Int, in table: TableRow) throws -> [HistoryMark] {
            try run(
                """
                SELECT sequence, mark FROM history WHERE todo_table = $1 AND sequence >= $2
                ORDER BY sequence LIMIT $3
                """, .integer(table.key), .integer(sequence), .integer(Int64(limit))
            ).map { HistoryMark(sequence: $0.integer(0), random: $0.integer(1)) }
        }

        func packs(from sequence: Int64, limit: Int, in table: TableRow) throws -> [MarkPack] {
            try run(
                """
                SELECT sequence, marks FROM mark_pack WHERE todo_table = $1 AND sequence >= $2
                ORDER BY sequence LIMIT $3
                """, .integer(table.key), .integer(sequence), .integer(Int64(limit))
            ).map { MarkPack(sequence: $0.integer(0), content: $0.bytes(1)) }
        }

        private static let keyColumns = "name, table_name, access, digest, created_at"
        private static let selectKeys = "SELECT \(keyColumns) FROM access_key"

        func keys() throws -> [KeyRow] { try run(Self.selectKeys).map(Self.key) }

        func keys(after name: String?, limit: Int) throws -> [KeyRow] {
            try run(
                Self.selectKeys + " WHERE name > $1 ORDER BY name LIMIT $2", .text(name ?? ""),
                .integer(Int64(limit))
            ).map(Self.key)
        }

        func keys(named names: [String]) throws -> [KeyRow] {
            try run(Self.selectKeys + " WHERE name = ANY($1)", .texts(names.map { Array($0.utf8) }))
                .map(Self.key)
        }

        /// Returns the keys with the given digests, and the anonymous keys.
        func keys(withDigests digests: [[UInt8]]) throws -> FoundKeys {
            // One statement, because every request needs it.
            let result = try run(
                """
                SELECT \(Self.keyColumns), EXISTS (SELECT 1 FROM access_key), state, moved_to
                FROM store LEFT JOIN access_key ON digest = ANY($1) OR digest IS NULL
                """, .byteStrings(digests))
            return FoundKeys(
                rows: result.filter { !$0.isNull(0) }.map(Self.key),
                storeHasKeys: result.first?.bool(5) ?? false,
                state: result.first.map { StoreState($0, at: 6) } ?? .open)
        }

        private static func key(_ row: PostgresRow) -> KeyRow {
            KeyRow(
                name: row.string(0), table: row.isNull(1) ? nil : row.string(1), access: row.string(2),
                digest: row.isNull(3) ? nil : row.bytes(3), createdAt: row.integer(4))
        }

        func problems() throws -> [String] {
            // The tables have no foreign keys.
            try ["record", "operation", "history", "day_end", "mark_pack"].flatMap { name in
                try run(
                    """
                    SELECT 1::bigint FROM \(name)
                    WHERE todo_table NOT IN (SELECT key FROM todo_table) LIMIT 1
                    """
                ).map { _ in "a row of \(name) does not belong to a table" }
            }
        }
    }

    extension TableRow {
        /// Creates a table from its columns; nil if another table has the same key.
        fileprivate init?(_ row: PostgresRow, named name: TableName) {
            guard TableName(row.string(2)) == name else { return nil }
            self.init(
                key: name.databaseKey, sequence: row.integer(0), updatedAt: row.integer(1),
                usage: TableUsage(records: row.integer(3), bytes: row.integer(4)),
                forgottenSequence: row.integer(5))
        }
    }

    /// The next records of a table in a given order.
    private struct RecordBatch {
        var count = 0
        private let order: RowOrder
        private var last: PostgresParameter?
        private(set) var condition: String
        private(set) var parameters: [PostgresParameter]

        init(_ bounds: ColumnBounds, in table: TableRow, by order: RowOrder) {
            self.order = order
            var conditions = ["todo_table = $1"]
            var parameters = [PostgresParameter.integer(table.key)]
            for column in ColumnBounds.Column.allCases {
                guard let range = bounds.ranges[column] else { continue }
                parameters += [.integer(range.least), .integer(range.greatest)]
                let value = column == .deleted ? "deleted::integer" : column.rawValue
                conditions.append("\(value) BETWEEN $\(parameters.count - 1) AND $\(parameters.count)")
            }
            if let ids = bounds.ids {
                parameters.append(.byteStrings(ids.map { Array($0.utf8) }))
                let number = parameters.count
                conditions.append("(id = ANY($\(number)) OR folded_id = ANY($\(number)))")
            }
            condition = conditions.joined(separator: " AND ")
            self.parameters = parameters
        }

        /// Returns the command that reads the next records, at least one of them, up to a size in bytes.
        func command(byteSize: Int) -> PostgresCommand {
            let (column, isDescending) = order.column
            var parameters = parameters
            var condition = condition
            if let last {
                parameters.append(last)
                condition += " AND \(column) \(isDescending ? "<" : ">") $\(parameters.count)"
            }
            parameters += [.integer(Int64(count)), .integer(Int64(byteSize))]
            let order = "ORDER BY \(column)\(isDescending ? " DESC" : "")"
            // PostgreSQL knows the size of a text value without reading the text itself.
            return PostgresCommand(
                sql: """
                    SELECT * FROM (
                        SELECT \(PostgresReader.columns), sum(octet_length(fields) + coalesce(octet_length(layout), 0))
                            OVER (\(order) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS size_before
                        FROM (
                            SELECT * FROM record WHERE \(condition) \(order) LIMIT $\(parameters.count - 1)
                        ) AS next
                    ) AS sized
                    WHERE coalesce(size_before, 0) < $\(parameters.count) \(order)
                    """, parameters: parameters)
        }

        mutating func move(to row: PostgresRow) {
            last =
                switch order {
                case .id: .bytes(row.bytes(RecordColumn.id.rawValue))
                case .version: .integer(row.integer(RecordColumn.version))
                case .updatedAt: .integer(row.integer(RecordColumn.updatedAt))
                }
        }
    }

    extension RowOrder {
        fileprivate var column: (name: String, isDescending: Bool) {
            switch self {
            case .id: ("id", false)
            case .version(let isDescending): ("version", isDescending)
            case .updatedAt(let isDescending): ("updated_at", isDescending)
            }
        }
    }
#endif
