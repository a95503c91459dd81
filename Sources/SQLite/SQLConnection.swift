internal import CSQLite
internal import Platform

/// A connection to a SQLite database, used by one caller at a time.
///
///     let connection = try SQLConnection("notes.sqlite", for: .creating)
///     try connection.execute("CREATE TABLE note (text TEXT)")
///     try connection.transaction(.writing) {
///         try SQLStatement("INSERT INTO note VALUES (?)", in: connection).run(.string("milk"))
///     }
///
/// If the current task is cancelled, a long statement ends with ``SQLError/Code/interrupted``, and no write
/// transaction is committed.
package final class SQLConnection {
    /// The version of the SQLite library, such as `3.40.1`.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Nil once the connection is closed; statements then fail.
    private(set) var handle: OpaquePointer?
    package let path: String
    package let isReadOnly: Bool
    /// The prepared statements, by their SQL.
    private var statements: [String: PreparedStatement] = [:]
    private var retriesLock: (@Sendable (Int) -> Bool)?

    /// What a connection is used for.
    package enum Access: Sendable {
        case reading
        case writing
        /// Writing to a file that might not exist.
        case creating

        fileprivate var flags: CInt {
            switch self {
            case .reading: SQLITE_OPEN_READONLY
            case .writing: SQLITE_OPEN_READWRITE
            case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        }
    }

    /// The number of steps of SQLite's virtual machine between two checks for cancellation: less than a
    /// millisecond.
    private static let stepsBetweenChecks: CInt = 1_000

    /// Opens a database, without reading it.
    ///
    /// - Parameter path: The path of the file, or a `file:` URI.
    package init(_ path: String, for access: Access = .writing) throws(SQLError) {
        (self.path, isReadOnly) = (path, access == .reading)
        var handle: OpaquePointer?
        // Only one thread uses a connection at a time, so SQLite doesn't have to lock it.
        let code = sqlite3_open_v2(
            path, &handle, access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLError(of: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        // An interrupt from another thread would be lost if it came between two statements.
        sqlite3_progress_handler(handle, Self.stepsBetweenChecks, { _ in Task.isCancelled ? 1 : 0 }, nil)
        if !isReadOnly { try execute("PRAGMA foreign_keys = ON") }
    }

    deinit { close() }

    /// Closes the connection, which can't be used afterward.
    package func close() {
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Runs SQL of any number of statements, and ignores their rows.
    package func execute(_ sql: String) throws(SQLError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw SQLError(of: handle) }
    }

    /// Returns a prepared statement from the cache.
    func cachedStatement(_ sql: String) throws(SQLError) -> PreparedStatement {
        if let statement = statements[sql] { return statement }
        let statement = try PreparedStatement(sql, in: self, isReused: true)
        statements[sql] = statement
        return statement
    }

    /// The key of the last row that was inserted.
    package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement inserted, changed or deleted.
    package var changeCount: Int { Int(sqlite3_changes(handle)) }
}

// MARK: - Transactions

extension SQLConnection {
    package enum TransactionKind: Sendable {
        /// A read that sees a single state of the database.
        case reading
        /// A write that no other one interrupts: it locks the database when it begins.
        case writing

        fileprivate var begin: String {
            switch self {
            case .reading: "BEGIN"
            case .writing: "BEGIN IMMEDIATE"
            }
        }
    }

    /// Runs work in a transaction, and commits it; if the work throws, nothing is written.
    package func transaction<Result>(_ kind: TransactionKind, _ work: () throws -> Result) throws -> Result {
        try execute(kind.begin)
        do {
            let result = try work()
            if kind == .writing { try Task.checkCancellation() }
            // After some errors, SQLite ends the transaction itself, and would run the rest without one.
            guard isInTransaction else { throw SQLError(extendedCode: SQLITE_ABORT) }
            try execute("COMMIT")
            return result
        } catch {
            // If this fails, too, the first error still says more.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    private var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

// MARK: - Locks

extension SQLConnection {
    /// Waits for locks of other connections until a closure returns false.
    ///
    /// - Parameter retries: Called before each retry with the number of earlier ones; returns whether to try
    ///   again.
    package func retryLock(while retries: @escaping @Sendable (Int) -> Bool) {
        retriesLock = retries
        sqlite3_busy_handler(
            handle,
            { connection, count in
                guard let connection else { return 0 }
                let this = Unmanaged<SQLConnection>.fromOpaque(connection).takeUnretainedValue()
                return this.retriesLock?(Int(count)) == true ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Waits for locks of other connections, for at most the given number of seconds.
    package func retryLock(seconds: Double) {
        sqlite3_busy_timeout(handle, CInt(seconds * 1000))
    }
}

// MARK: - Files

extension SQLConnection {
    /// Switches a file to a write-ahead log.
    ///
    /// If several processes create the same database, SQLite fails at once instead of waiting, because they
    /// would wait for each other.
    package func useLog() throws(SQLError) {
        var tries = 1
        while true {
            do throws(SQLError) {
                return try execute("PRAGMA journal_mode = WAL")
            } catch  where error.code == .busy && tries < 1000 {
                tries += 1
                sqlite3_sleep(10)
            }
        }
    }

    /// Sets whether the write-ahead log stays when the last connection is closed.
    package func keepLog(_ keeps: Bool) {
        var value: CInt = keeps ? 1 : 0
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &value)
    }

    /// Writes the current state of the database to a new or empty file, which uses a write-ahead log, too.
    ///
    /// Other connections can write meanwhile.
    package func backUp(to path: String) throws {
        try reportingDiskErrors { try SQLStatement("VACUUM INTO ?", in: self).run(.string(path)) }
        try SQLConnection(path).useLog()
    }

    /// Runs work, and reports damage as an I/O error if the disk failed, because SQLite doesn't distinguish
    /// the two.
    package func reportingDiskErrors<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as SQLError where error.code == .damaged && hasDiskError {
            throw SQLError(extendedCode: SQLITE_IOERR)
        }
    }

    /// Whether the last system error for the file or its log was a disk error.
    private var hasDiskError: Bool {
        var code: CInt = 0
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_LAST_ERRNO, &code)
        var log: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log)
        var logCode: CInt = 0
        _ = log?.pointee.pMethods?.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &logCode)
        return code == EIO || logCode == EIO
    }
}
