#if PostgreSQL
    internal import LosslessYAML
    internal import TodoModel

    /// Writes the rows of another store to PostgreSQL.
    struct PostgresImporter: StoreImporter {
        let connection: PostgresConnection
        /// The database's URL without the user and the parameters.
        let path: String

        private func run(_ sql: String, _ parameters: PostgresParameter...) throws {
            _ = try connection.run(PostgresCommand(sql: sql, parameters: parameters))
        }
    }

    extension PostgresImporter {
        func state() throws -> StoreState { try StoreState(connection.run(.readState)) }

        func exchange(_ state: StoreState) throws -> StoreState {
            try PostgresSchema.check([("store", "UPDATE")], on: connection, path: path)
            let columns = state.columns
            // Each write reads the state, which locks the table in a different mode until the write's
            // transaction ends. So this lock waits for all writes that have read the old state.
            try run("LOCK TABLE store IN ACCESS EXCLUSIVE MODE")
            let previous = try self.state()
            try run(
                "UPDATE store SET state = $1, moved_to = $2", .text(columns.state), .text(columns.movedTo))
            return previous
        }

        func put(_ table: TableRow, named name: TableName) throws -> TableRow {
            let key = name.databaseKey
            let other = try connection.run(
                PostgresCommand(
                    sql: """
                        INSERT INTO todo_table
                        (key, name, sequence, updated_at, records, bytes, has_folded_ids, forgotten_sequence)
                        VALUES ($1, $2, $3, $4, $5, $6, false, 0)
                        ON CONFLICT (key) DO UPDATE SET sequence = excluded.sequence,
                            updated_at = excluded.updated_at, records = excluded.records,
                            bytes = excluded.bytes
                        RETURNING name
                        """,
                    parameters: [
                        .integer(key), .text(name.string), .integer(table.sequence),
                        .integer(table.updatedAt),
                        .integer(table.usage.records), .integer(table.usage.bytes),
                    ])
            ).first?.string(0)
            if let other, TableName(other) != name { throw PostgresError.sameKey(name, other) }
            var changed = table
            changed.key = key
            return changed
        }

        func put(_ records: [RecordRow], in table: TableRow) throws {
            if records.isEmpty { return }
            var command = PostgresCommand.insert(records.map { (RowKey(table.key, $0.id), $0) })
            command.sql += """
                 ON CONFLICT (todo_table, id) DO UPDATE SET folded_id = excluded.folded_id,
                    version = excluded.version, deleted = excluded.deleted, created_at = excluded.created_at,
                    updated_at = excluded.updated_at, fields = excluded.fields, layout = excluded.layout
                """
            _ = try connection.run(command)
            if records.contains(where: { $0.foldedID != nil }) {
                try run("UPDATE todo_table SET has_folded_ids = true WHERE key = $1", .integer(table.key))
            }
        }

        func put(_ operations: [OperationRow], in table: TableRow) throws {
            try add(.insert(operations.map { (RowKey(table.key, $0.id.string), $0.operation) }))
        }

        func put(_ marks: [HistoryMark], in table: TableRow) throws {
            try add(.insert(marks.map { TableMark(table: table.key, mark: $0) }))
        }

        func forget(through sequence: Int64, in table: TableRow) throws {
            let retention = PostgresRetention(connection: connection)
            try retention.forget(through: sequence, in: table)
            try retention.deleteOperations(through: sequence, in: table)
        }

        private func add(_ command: PostgresCommand) throws {
            var command = command
            command.sql += " ON CONFLICT DO NOTHING"
            _ = try connection.run(command)
        }

        func put(_ keys: [KeyRow]) throws {
            try deleteKeys(named: keys.map(\.name))
            for key in keys {
                try run(
                    """
                    INSERT INTO access_key (name, digest, table_name, access, created_at)
                    VALUES ($1, $2, $3, $4, $5)
                    """, .text(key.name), .bytes(key.digest), .text(key.table), .text(key.access),
                    .integer(key.createdAt))
            }
        }

        func deleteKeys(named names: [String]) throws {
            try run("DELETE FROM access_key WHERE name = ANY($1)", .texts(names.map { Array($0.utf8) }))
        }
    }
#endif
