internal import SQLite

/// The tables in a store's file, and the numbers that identify the file's format.
enum StoreSchema {
    static let fileName = "todosync-store.sqlite"
    /// SQLite's `application_id` of a store: the letters "todo".
    static let applicationID: Int64 = 0x746F_646F
    /// The number of the current format, kept as SQLite's `user_version`.
    static let format: Int64 = 4
    /// The size of a store's random identity in bytes.
    static let identitySize = 16

    /// The tables.
    ///
    /// Records have ascending keys, so that the rows of a push are stored together; an index contains the
    /// random ids. `record.version` is ``RecordVersion/bits``; its order is the order of the change feed.
    /// `folded_id` is the id in lowercase if that differs, and is used to refuse ids that differ only in
    /// case. The index on `updated_at` serves clients that page by `updatedAt`.
    ///
    /// A key without a digest applies to requests without a key. A key refers to its table by name, because
    /// the table can be created later.
    private static let tables = """
        CREATE TABLE store (
            identity BLOB NOT NULL,
            state TEXT NOT NULL,
            moved_to TEXT
        ) STRICT;
        CREATE TABLE todo_table (
            key INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            sequence INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            records INTEGER NOT NULL DEFAULT 0,
            bytes INTEGER NOT NULL DEFAULT 0,
            forgotten_sequence INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE record (
            key INTEGER PRIMARY KEY,
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            id TEXT NOT NULL,
            folded_id TEXT,
            version INTEGER NOT NULL,
            deleted INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            fields TEXT NOT NULL,
            layout TEXT
        ) STRICT;
        CREATE UNIQUE INDEX record_id ON record (todo_table, id);
        CREATE UNIQUE INDEX record_folded_id ON record (todo_table, folded_id) WHERE folded_id IS NOT NULL;
        CREATE UNIQUE INDEX record_version ON record (todo_table, version);
        CREATE INDEX record_updated_at ON record (todo_table, updated_at);
        CREATE TABLE operation (
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            id TEXT NOT NULL,
            digest BLOB NOT NULL,
            version INTEGER NOT NULL,
            PRIMARY KEY (todo_table, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE history (
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            sequence INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            PRIMARY KEY (todo_table, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mark_pack (
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            sequence INTEGER NOT NULL,
            marks BLOB NOT NULL,
            PRIMARY KEY (todo_table, sequence)
        ) STRICT;
        CREATE TABLE day_end (
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            day INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (todo_table, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE access_key (
            name TEXT PRIMARY KEY,
            digest BLOB,
            table_name TEXT,
            access TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX access_key_digest ON access_key (digest);
        """

    /// Counts each table's usage again.
    static let countUsage = """
        UPDATE todo_table SET (records, bytes) = (
            SELECT count(*), coalesce(sum(length(CAST(id AS BLOB)) + length(CAST(fields AS BLOB))
                + coalesce(length(CAST(layout AS BLOB)), 0)), 0)
            FROM record WHERE todo_table = todo_table.key AND NOT deleted)
        """

    /// Creates the tables in an empty file, inside the caller's transaction.
    static func create(identity: [UInt8], state: StoreState = .open, in database: SQLConnection) throws {
        try database.execute(tables)
        try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(format)")
        try SQLStatement("INSERT INTO store (identity, state) VALUES (?, ?)", in: database)
            .run(.blob(identity), .string(state.columns.state))
    }

    /// The kind of a file, according to its numbers.
    enum FileKind {
        /// A file without tables, left by an interrupted creation.
        case empty
        case store(format: Int64)
        case foreign
    }

    static func fileKind(in database: SQLConnection) throws -> FileKind {
        let applicationID = try integer("PRAGMA application_id", in: database)
        let format = try integer("PRAGMA user_version", in: database)
        switch (applicationID, format) {
        case (Self.applicationID, 1...): return .store(format: format)
        case (0, 0):
            return try integer("SELECT count(*) FROM sqlite_schema", in: database) == 0 ? .empty : .foreign
        default: return .foreign
        }
    }

    static func identity(in database: SQLConnection) throws -> [UInt8]? {
        try SQLStatement("SELECT identity FROM store", in: database).first { $0.bytes(0) }
    }

    static func state(in database: SQLConnection) throws -> StoreState {
        try SQLStatement("SELECT state, moved_to FROM store", in: database).first {
            StoreState(state: $0.string(0), movedTo: $0.isNull(1) ? nil : $0.string(1))
        } ?? .open
    }

    private static func integer(_ sql: String, in database: SQLConnection) throws -> Int64 {
        try SQLStatement(sql, in: database).first { $0.integer(0) } ?? 0
    }
}
