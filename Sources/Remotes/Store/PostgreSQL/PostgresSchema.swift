#if PostgreSQL
    internal import TodoModel
    internal import Values

    /// The tables of a store in PostgreSQL.
    enum PostgresSchema {
        /// The name of the schema; a database has one store.
        static let name = "todosync"
        /// The number of the current format.
        static let format = oldestFormat + Int64(upgrades.count)
        /// The oldest format that can be upgraded to the current one.
        private static let oldestFormat: Int64 = 2
        /// The oldest server version, as PostgreSQL's `server_version_num`.
        static let oldestServer = 130_000

        /// The tables. They have the columns of ``StoreSchema``, with these differences:
        ///
        /// - A table's key is a part of the SHA-256 of its name, so it needs no lookup and can distribute
        ///   rows over several databases. For the same reason, every key begins with it.
        /// - Ids are bytes, because the order of text depends on the database's collation.
        /// - Fields and layouts are `text`: `jsonb` changes numbers and refuses some characters.
        /// - There are no foreign keys, because each check would lock a table's row in another mode.
        ///
        /// Updates of a table's row stay in its page, so the row that all writes of a table lock doesn't
        /// grow.
        private static let tables = [
            """
            CREATE TABLE \(name).store (
                identity bytea NOT NULL,
                format bigint NOT NULL,
                oldest_reader bigint NOT NULL,
                state text NOT NULL,
                moved_to text
            )
            """,
            """
            CREATE TABLE \(name).todo_table (
                key bigint PRIMARY KEY,
                name text NOT NULL,
                sequence bigint NOT NULL,
                updated_at bigint NOT NULL,
                records bigint NOT NULL,
                bytes bigint NOT NULL,
                has_folded_ids boolean NOT NULL,
                forgotten_sequence bigint NOT NULL DEFAULT 0
            ) WITH (fillfactor = 50)
            """,
            """
            CREATE TABLE \(name).record (
                todo_table bigint NOT NULL,
                id bytea NOT NULL,
                folded_id bytea,
                version bigint NOT NULL,
                deleted boolean NOT NULL,
                created_at bigint NOT NULL,
                updated_at bigint NOT NULL,
                fields text NOT NULL,
                layout text,
                PRIMARY KEY (todo_table, id)
            )
            """,
            "CREATE UNIQUE INDEX record_version ON \(name).record (todo_table, version)",
            "CREATE INDEX record_updated_at ON \(name).record (todo_table, updated_at)",
            """
            CREATE UNIQUE INDEX record_folded_id ON \(name).record (todo_table, folded_id)
            WHERE folded_id IS NOT NULL
            """,
            """
            CREATE TABLE \(name).operation (
                todo_table bigint NOT NULL,
                id bytea NOT NULL,
                digest bytea NOT NULL,
                version bigint NOT NULL,
                PRIMARY KEY (todo_table, id)
            )
            """,
            """
            CREATE TABLE \(name).history (
                todo_table bigint NOT NULL,
                sequence bigint NOT NULL,
                mark bigint NOT NULL,
                PRIMARY KEY (todo_table, sequence)
            )
            """,
            """
            CREATE TABLE \(name).access_key (
                name text PRIMARY KEY,
                digest bytea UNIQUE,
                table_name text,
                access text NOT NULL,
                created_at bigint NOT NULL
            )
            """,
            """
            CREATE TABLE \(name).day_end (
                todo_table bigint NOT NULL,
                day bigint NOT NULL,
                sequence bigint NOT NULL,
                PRIMARY KEY (todo_table, day)
            )
            """,
            """
            CREATE TABLE \(name).mark_pack (
                todo_table bigint NOT NULL,
                sequence bigint NOT NULL,
                marks bytea NOT NULL,
                PRIMARY KEY (todo_table, sequence)
            )
            """,
        ]

        /// The statements that upgrade a store: for each format from ``oldestFormat`` on, those that make it
        /// the next one.
        private static let upgrades: [[String]] = []

        /// The privileges that a server needs.
        private static let rights: [(table: String, privileges: String)] = [
            ("store", "SELECT"), ("todo_table", "SELECT, INSERT, UPDATE"),
            ("record", "SELECT, INSERT, UPDATE"),
            ("operation", "SELECT, INSERT, DELETE"), ("history", "SELECT, INSERT, DELETE"),
            ("day_end", "SELECT, INSERT, DELETE"), ("mark_pack", "SELECT, INSERT"),
            ("access_key", "SELECT, INSERT, DELETE"),
        ]

        private static let rightsToStore = rights.filter { $0.table == "store" }

        /// The content of a store's own row.
        struct Row: Sendable {
            /// The identity: 32 hexadecimal digits.
            var identity: String
            var format: Int64
            var state: StoreState
        }

        /// Creates the tables, unless the database has a store, and returns the store's row.
        ///
        /// - Parameters:
        ///   - identity: The identity of a new store.
        ///   - isCopy: Whether a new store is an unfinished copy, which needs a database without other
        ///     tables.
        static func create(
            identity: [UInt8], isCopy: Bool, on connection: PostgresConnection, path: String
        ) throws -> Row {
            let state: StoreState = isCopy ? .unfinished : .open
            try checkServer(of: connection, path: path)
            return try connection.transaction("BEGIN") {
                // The lock lets only one process create the tables; its number is SQLite's application id.
                let lock = PostgresCommand(
                    sql: "SELECT pg_advisory_xact_lock($1)",
                    parameters: [.integer(StoreSchema.applicationID)])
                _ = try connection.run(lock)
                if try !exists(on: connection) {
                    if isCopy, try hasOtherTables(on: connection) {
                        throw StoreError.database(path: path, .otherTables)
                    }
                    let hasSchema = try hasSchema(on: connection)
                    let missing = try missingCreationRights(hasSchema: hasSchema, on: connection)
                    if !missing.isEmpty { throw StoreError.database(path: path, .missingRights(missing)) }
                    let commands = (hasSchema ? [] : ["CREATE SCHEMA \(name)"]) + tables
                    _ = try connection.run(commands.map { PostgresCommand(sql: $0) })
                    _ = try connection.run(
                        PostgresCommand(
                            sql:
                                "INSERT INTO \(name).store (identity, format, oldest_reader, state) VALUES ($1, $2, $2, $3)",
                            parameters: [
                                .bytes(identity), .integer(format), .text(state.columns.state),
                            ]))
                }
                try check(rightsToStore, on: connection, path: path)
                return try currentRow(on: connection, path: path)
            }
        }

        /// Returns a store's row, after checking that this version of todosync can use the store.
        ///
        /// - Throws: `StoreError`, ``PostgresError``.
        static func open(on connection: PostgresConnection, path: String) throws -> Row {
            try checkServer(of: connection, path: path)
            guard try exists(on: connection) else { throw StoreError.database(path: path, .missing) }
            try check(rights, on: connection, path: path)
            return try currentRow(on: connection, path: path)
        }

        /// Upgrades a store of an older format to the current one, and returns the format that it had.
        ///
        /// - Parameter upgrades: The statements for each format; a test passes its own.
        /// - Throws: `StoreError.busy` if another todosync uses the database, because it doesn't support the
        ///   current format. `StoreError`, ``PostgresError``.
        static func upgrade(
            on connection: PostgresConnection, path: String, with upgrades: [[String]] = upgrades
        ) throws -> Int64 {
            let format = oldestFormat + Int64(upgrades.count)
            try checkServer(of: connection, path: path)
            guard try exists(on: connection) else { throw StoreError.database(path: path, .missing) }
            try check(rightsToStore, on: connection, path: path)
            if try row(on: connection, path: path, upTo: format).format == format { return format }
            // A pooler's idle sessions look like those of a server.
            if connection.isPooled { throw StoreError.database(path: path, .pooled) }
            // The sessions of a server that has just ended stay visible for a moment.
            for _ in 0..<20 where try hasOtherSessions(on: connection) {
                _ = try connection.run(PostgresCommand(sql: "SELECT pg_sleep(0.1)::text"))
            }
            return try connection.transaction("BEGIN") {
                _ = try connection.run(
                    PostgresCommand(sql: "LOCK TABLE \(name).store IN ACCESS EXCLUSIVE MODE"))
                let found = try row(on: connection, path: path, upTo: format).format
                guard found < format else { return found }
                if try hasOtherSessions(on: connection) { throw StoreError.busy(path: path) }
                let commands = upgrades.dropFirst(Int(found - oldestFormat)).joined().map {
                    PostgresCommand(sql: $0)
                }
                _ = try connection.run(
                    commands + [
                        PostgresCommand(
                            sql: "UPDATE \(name).store SET format = $1, oldest_reader = $1",
                            parameters: [.integer(format)])
                    ])
                return found
            }
        }

        /// Returns whether another todosync is connected to the database, as far as the user can see.
        private static func hasOtherSessions(on connection: PostgresConnection) throws -> Bool {
            try !connection.run(
                PostgresCommand(
                    sql: """
                        SELECT 1::bigint FROM pg_stat_activity WHERE datname = current_database()
                            AND pid <> pg_backend_pid() AND application_name = 'todosync' LIMIT 1
                        """)
            ).isEmpty
        }

        private static func checkServer(of connection: PostgresConnection, path: String) throws {
            if connection.serverVersion < oldestServer {
                let version = "\(connection.serverVersion / 10_000)"
                throw StoreError.database(path: path, .tooOld(version))
            }
            let encoding = try connection.run(
                PostgresCommand(sql: "SELECT current_setting('server_encoding')")
            ).first?.string(0)
            if let encoding, encoding != "UTF8" {
                throw StoreError.database(path: path, .encoding(encoding))
            }
        }

        private static func exists(on connection: PostgresConnection) throws -> Bool {
            try hasRelation("nspname = '\(name)' AND relname = 'store'", on: connection)
        }

        /// Returns whether the database has any table, view or sequence of a user.
        private static func hasOtherTables(on connection: PostgresConnection) throws -> Bool {
            try hasRelation(
                """
                relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
                    AND nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'
                """, on: connection)
        }

        private static func hasRelation(
            _ condition: String, on connection: PostgresConnection
        ) throws -> Bool {
            try !connection.run(
                PostgresCommand(
                    sql: """
                        SELECT 1::bigint FROM pg_catalog.pg_class
                        JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
                        WHERE \(condition) LIMIT 1
                        """)
            ).isEmpty
        }

        private static func hasSchema(on connection: PostgresConnection) throws -> Bool {
            let command = "SELECT 1::bigint FROM pg_catalog.pg_namespace WHERE nspname = '\(name)'"
            return try !connection.run(PostgresCommand(sql: command)).isEmpty
        }

        /// Returns the statement that grants the privileges to create the schema or its tables, if the user
        /// lacks one.
        private static func missingCreationRights(
            hasSchema: Bool, on connection: PostgresConnection
        ) throws -> [String] {
            let privilege =
                hasSchema
                ? "has_schema_privilege('\(name)', 'CREATE') AND has_schema_privilege('\(name)', 'USAGE')"
                : "has_database_privilege(current_database(), 'CREATE')"
            let row = try connection.run(
                PostgresCommand(
                    sql: """
                        SELECT \(privilege), quote_ident(current_database()), quote_ident(current_user)
                        """)
            ).first
            guard let row, !row.bool(0) else { return [] }
            let right = hasSchema ? "USAGE, CREATE ON SCHEMA \(name)" : "CREATE ON DATABASE \(row.string(1))"
            return ["GRANT \(right) TO \(row.string(2))"]
        }

        /// Checks that the user has privileges on those tables that exist; a store of an older format doesn't
        /// have all of them.
        ///
        /// - Throws: `StoreError.database` with the statements that grant the missing privileges.
        static func check(
            _ rights: [(table: String, privileges: String)], on connection: PostgresConnection, path: String
        ) throws {
            let missing = try missing(rights, on: connection)
            if !missing.isEmpty { throw StoreError.database(path: path, .missingRights(missing)) }
        }

        private static func missing(
            _ rights: [(table: String, privileges: String)], on connection: PostgresConnection
        ) throws -> [String] {
            let user = try connection.run(PostgresCommand(sql: "SELECT quote_ident(current_user)")).first?
                .string(0)
            guard let user else { return [] }
            let usage = try connection.run(
                PostgresCommand(sql: "SELECT has_schema_privilege('\(name)', 'USAGE')"))
            let missingUsage =
                usage.first?.bool(0) == false ? ["GRANT USAGE ON SCHEMA \(name) TO \(user)"] : []
            let wanted = rights.flatMap { table, privileges in
                privileges.split(separator: ", ").map { (table, String($0)) }
            }
            // Without USAGE, only the catalog can be asked about a table.
            let held = try connection.run(
                wanted.map { table, privilege in
                    PostgresCommand(
                        sql: """
                            SELECT has_table_privilege(pg_class.oid, $2) FROM pg_catalog.pg_class
                            JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
                            WHERE nspname = '\(name)' AND relname = $1
                            """,
                        parameters: [.text(table), .text(privilege)])
                })
            let missing = zip(wanted, held).filter { $1.first?.bool(0) == false }.map(\.0)
            return missingUsage
                + Dictionary(grouping: missing, by: \.0).map { table, privileges in
                    "GRANT \(privileges.map(\.1).joined(separator: ", ")) ON \(name).\(table) TO \(user)"
                }.sorted()
        }

        /// Returns a store's row, after checking that the store has the current format.
        private static func currentRow(on connection: PostgresConnection, path: String) throws -> Row {
            let row = try row(on: connection, path: path)
            if row.format < format { throw StoreError.database(path: path, .olderFormat(Int(row.format))) }
            return row
        }

        /// Returns a store's row, after checking that the store has the current format or can be upgraded.
        private static func row(
            on connection: PostgresConnection, path: String, upTo format: Int64 = format
        ) throws -> Row {
            let rows = try connection.run(
                PostgresCommand(
                    sql: "SELECT identity, format, oldest_reader, state, moved_to FROM \(name).store"))
            guard rows.count == 1, let row = rows.first, row.bytes(0).count == StoreSchema.identitySize else {
                throw StoreError.damaged(path: path, detail: "it has no valid identity")
            }
            if row.integer(2) > format || row.integer(1) < oldestFormat {
                throw StoreError.unsupportedFormat(
                    path: path, found: Int(row.integer(1)), supported: Int(format))
            }
            return Row(
                identity: row.bytes(0).hexadecimal, format: row.integer(1), state: StoreState(row, at: 3))
        }
    }
#endif
