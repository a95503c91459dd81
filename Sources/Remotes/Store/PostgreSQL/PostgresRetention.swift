#if PostgreSQL
    internal import LosslessYAML

    /// Removes old rows of a table in a transaction of PostgreSQL.
    struct PostgresRetention: StoreRetention {
        let connection: PostgresConnection

        private func run(_ sql: String, _ parameters: PostgresParameter...) throws -> PostgresResult {
            try connection.run(PostgresCommand(sql: sql, parameters: parameters))
        }
    }

    extension PostgresRetention {
        func lastEnd(before day: Int64, in table: TableRow) throws -> DayEnd? {
            try run(
                "SELECT day, sequence FROM day_end WHERE todo_table = $1 AND day < $2 ORDER BY day DESC LIMIT 1",
                .integer(table.key), .integer(day)
            ).first.map { DayEnd(day: $0.integer(0), sequence: $0.integer(1)) }
        }

        func forget(through sequence: Int64, in table: TableRow) throws {
            _ = try run(
                "UPDATE todo_table SET forgotten_sequence = greatest(forgotten_sequence, $2) WHERE key = $1",
                .integer(table.key), .integer(sequence))
        }

        func deleteEnds(through sequence: Int64, in table: TableRow) throws {
            _ = try run(
                "DELETE FROM day_end WHERE todo_table = $1 AND sequence <= $2", .integer(table.key),
                .integer(sequence))
        }

        func insert(_ pack: MarkPack, in table: TableRow) throws {
            _ = try run(
                "INSERT INTO mark_pack (todo_table, sequence, marks) VALUES ($1, $2, $3)",
                .integer(table.key), .integer(pack.sequence), .bytes(pack.content))
            _ = try run(
                "DELETE FROM history WHERE todo_table = $1 AND sequence <= $2", .integer(table.key),
                .integer(pack.sequence))
        }

        func deleteOperations(_ ids: [ByteKey], in table: TableRow) throws {
            _ = try run(
                "DELETE FROM operation WHERE todo_table = $1 AND id = ANY($2)", .integer(table.key),
                .byteStrings(ids.map { Array($0.string.utf8) }))
        }

        func deleteOperations(through sequence: Int64, in table: TableRow) throws {
            _ = try run(
                "DELETE FROM operation WHERE todo_table = $1 AND version <= $2", .integer(table.key),
                .integer(RecordVersion.last(ofSequence: sequence).bits))
        }
    }
#endif
