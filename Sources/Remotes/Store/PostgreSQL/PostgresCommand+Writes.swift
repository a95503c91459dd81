#if PostgreSQL
    internal import LosslessYAML

    /// The key of a row: a table's key and an id in the table.
    struct RowKey: Hashable {
        let table: Int64
        let id: ByteKey

        init(_ table: Int64, _ id: String) { (self.table, self.id) = (table, ByteKey(id)) }

        var bytes: [UInt8] { Array(id.string.utf8) }
    }

    /// A table that a transaction has locked.
    struct LockedTable {
        var row: TableRow
        var hasFoldedIDs: Bool
        var lastMark: HistoryMark?
        var isChanged = false
    }

    extension StoreState {
        /// Creates the state from the result of ``PostgresCommand/readState``.
        init(_ result: PostgresResult) { self = result.first.map { StoreState($0, at: 0) } ?? .open }

        /// Creates the state from a column of a row and the one after it.
        init(_ row: PostgresRow, at column: Int32) {
            self.init(
                state: row.string(column), movedTo: row.isNull(column + 1) ? nil : row.string(column + 1))
        }
    }

    /// A record's key, and its row after a transaction.
    typealias RecordChange = (key: RowKey, row: RecordRow)

    // The statements of writes, each for any number of rows.
    extension PostgresCommand {
        /// Reads the store's state, which then stays until the end of the transaction.
        static let readState = PostgresCommand(sql: "SELECT state, moved_to FROM store")

        static func readMarks(of keys: [Int64]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    SELECT key, history.sequence, mark FROM todo_table
                    LEFT JOIN history ON todo_table = key AND history.sequence = todo_table.sequence
                    WHERE key = ANY($1)
                    """, parameters: [.integers(keys)])
        }

        static func readRecords(_ ids: [RowKey], byteSize: Int64) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    SELECT 0::bigint, id, version, deleted, created_at, updated_at,
                        CASE WHEN coalesce(size_before, 0) < $3 THEN fields END,
                        CASE WHEN coalesce(size_before, 0) < $3 THEN layout END, folded_id, todo_table
                    FROM (
                        SELECT record.*, sum(octet_length(fields) + coalesce(octet_length(layout), 0))
                            OVER (ORDER BY number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                            AS size_before
                        FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS wanted (todo_table, id, number)
                        JOIN record USING (todo_table, id)
                    ) AS found
                    """,
                parameters: [
                    .integers(ids.map(\.table)), .byteStrings(ids.map(\.bytes)), .integer(byteSize),
                ])
        }

        static func readOperations(_ ids: [RowKey]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    SELECT todo_table, id, digest, version
                    FROM unnest($1::bigint[], $2::bytea[]) AS wanted (todo_table, id)
                    JOIN operation USING (todo_table, id)
                    """, parameters: [.integers(ids.map(\.table)), .byteStrings(ids.map(\.bytes))])
        }

        static func lock(_ keys: [Int64], waits: Bool) -> PostgresCommand {
            // The order of the keys prevents deadlocks.
            PostgresCommand(
                sql: """
                    SELECT key, sequence, updated_at, has_folded_ids, name, records, bytes, forgotten_sequence
                    FROM todo_table
                    WHERE key = ANY($1)
                    ORDER BY key FOR NO KEY UPDATE\(waits ? "" : " SKIP LOCKED")
                    """, parameters: [.integers(keys)])
        }

        static func insert(_ changes: [RecordChange]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    INSERT INTO record
                    (todo_table, id, folded_id, version, deleted, created_at, updated_at, fields, layout)
                    SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bigint[], $5::boolean[],
                        $6::bigint[], $7::bigint[], $8::text[], $9::text[])
                    """,
                parameters: [
                    .integers(changes.map(\.key.table)), .byteStrings(changes.map(\.key.bytes)),
                    .byteStrings(changes.map { $0.row.foldedID.map { Array($0.utf8) } }),
                    .integers(changes.map(\.row.version.bits)),
                    .booleans(changes.map(\.row.isDeleted)), .integers(changes.map(\.row.createdAt)),
                    .integers(changes.map(\.row.updatedAt)), .texts(changes.map(\.row.fields)),
                    .texts(changes.map(\.row.layout)),
                ])
        }

        static func update(_ changes: [RecordChange]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    UPDATE record SET version = new.version, deleted = new.deleted, updated_at = new.updated_at,
                        fields = new.fields, layout = new.layout
                    FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::boolean[], $5::bigint[], $6::text[],
                        $7::text[]) AS new (todo_table, id, version, deleted, updated_at, fields, layout)
                    WHERE record.todo_table = new.todo_table AND record.id = new.id
                    """,
                parameters: [
                    .integers(changes.map(\.key.table)), .byteStrings(changes.map(\.key.bytes)),
                    .integers(changes.map(\.row.version.bits)), .booleans(changes.map(\.row.isDeleted)),
                    .integers(changes.map(\.row.updatedAt)), .texts(changes.map(\.row.fields)),
                    .texts(changes.map(\.row.layout)),
                ])
        }

        static func insert(_ operations: [(key: RowKey, operation: AppliedOperation)]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    INSERT INTO operation (todo_table, id, digest, version)
                    SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::bigint[])
                    """,
                parameters: [
                    .integers(operations.map(\.key.table)), .byteStrings(operations.map(\.key.bytes)),
                    .byteStrings(operations.map(\.operation.digest)),
                    .integers(operations.map(\.operation.version.bits)),
                ])
        }

        static func insert(_ marks: [TableMark]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    INSERT INTO history (todo_table, sequence, mark)
                    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
                    """,
                parameters: [
                    .integers(marks.map(\.table)), .integers(marks.map(\.mark.sequence)),
                    .integers(marks.map(\.mark.random)),
                ])
        }

        static func insert(_ ends: [(table: Int64, end: DayEnd)]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    INSERT INTO day_end (todo_table, day, sequence)
                    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
                    """,
                parameters: [
                    .integers(ends.map(\.table)), .integers(ends.map(\.end.day)),
                    .integers(ends.map(\.end.sequence)),
                ])
        }

        static func update(_ tables: [LockedTable]) -> PostgresCommand {
            PostgresCommand(
                sql: """
                    UPDATE todo_table SET sequence = new.sequence, updated_at = new.updated_at,
                        has_folded_ids = new.has_folded_ids, records = new.records, bytes = new.bytes
                    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::bigint[], $6::bigint[])
                        AS new (key, sequence, updated_at, has_folded_ids, records, bytes)
                    WHERE todo_table.key = new.key
                    """,
                parameters: [
                    .integers(tables.map(\.row.key)), .integers(tables.map(\.row.sequence)),
                    .integers(tables.map(\.row.updatedAt)), .booleans(tables.map(\.hasFoldedIDs)),
                    .integers(tables.map(\.row.usage.records)), .integers(tables.map(\.row.usage.bytes)),
                ])
        }
    }
#endif
