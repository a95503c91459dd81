internal import GRDB
internal import GRDBSQLite

/// A prepared statement that passes text as bytes.
///
/// A push of many records spends its time in these calls, so they use SQLite directly: GRDB would create a
/// string or a `Data` for every text.
struct SQLStatement {
    private let statement: Statement
    private let database: Database

    /// Prepares a statement, or takes it from the connection's cache.
    init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
        self.database = database
    }

    /// Prepares a statement that is probably run only once.
    init(uncached sql: String, in database: Database) throws {
        statement = try database.makeStatement(sql: sql)
        self.database = database
    }

    /// Runs a statement that returns no rows.
    func run(_ parameters: SQLParameter...) throws {
        defer { sqlite3_reset(statement.sqliteStatement) }
        try bind(parameters)
        while try step() {}
    }

    /// Returns the result of `read` for the first row; nil if there isn't one.
    func first<Result>(_ parameters: SQLParameter..., read: (SQLRow) throws -> Result) throws -> Result? {
        try first(parameters, read: read)
    }

    func first<Result>(_ parameters: [SQLParameter], read: (SQLRow) throws -> Result) throws -> Result? {
        defer { sqlite3_reset(statement.sqliteStatement) }
        try bind(parameters)
        return try step() ? read(SQLRow(statement: statement.sqliteStatement)) : nil
    }

    /// Returns the results of `read` for all rows.
    func all<Result>(_ parameters: SQLParameter..., read: (SQLRow) throws -> Result) throws -> [Result] {
        try all(parameters, read: read)
    }

    func all<Result>(_ parameters: [SQLParameter], read: (SQLRow) throws -> Result) throws -> [Result] {
        var results: [Result] = []
        try forEach(parameters) { row in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// Calls `body` with each row, until `body` returns false.
    func forEach(_ parameters: [SQLParameter], body: (SQLRow) throws -> Bool) throws {
        defer { sqlite3_reset(statement.sqliteStatement) }
        try bind(parameters)
        while try step() {
            guard try body(SQLRow(statement: statement.sqliteStatement)) else { return }
        }
    }

    private func bind(_ parameters: [SQLParameter]) throws {
        for (index, parameter) in parameters.enumerated() {
            try check(parameter.bind(to: statement.sqliteStatement, at: CInt(index + 1)))
        }
    }

    /// Moves to the next row; returns false at the end.
    private func step() throws -> Bool {
        let code = sqlite3_step(statement.sqliteStatement)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage, sql: statement.sql)
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
        }
    }
}

/// A value for a statement's `?`.
enum SQLParameter {
    case null
    case integer(Int64)
    case real(Double)
    case string(String)
    /// Text as its UTF-8 bytes.
    case text([UInt8])
    case blob([UInt8])

    /// Makes SQLite copy the bytes, because they are valid only during the call.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        switch self {
        case .null:
            return sqlite3_bind_null(statement, index)
        case .integer(let integer):
            return sqlite3_bind_int64(statement, index, integer)
        case .real(let real):
            return sqlite3_bind_double(statement, index, real)
        case .string(var string):
            return string.withUTF8 { bindText($0, to: statement, at: index) }
        case .text(let bytes):
            return bytes.withUnsafeBufferPointer { bindText($0, to: statement, at: index) }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), Self.copied)
            }
        }
    }

    private func bindText(
        _ bytes: UnsafeBufferPointer<UInt8>, to statement: SQLiteStatement, at index: CInt
    ) -> CInt {
        // SQLite treats a null pointer as null, not as an empty text.
        guard !bytes.isEmpty else { return sqlite3_bind_text(statement, index, "", 0, Self.copied) }
        return bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text64(
                statement, index, $0.baseAddress, UInt64($0.count), Self.copied, UInt8(SQLITE_UTF8))
        }
    }
}

/// The current row of a statement.
struct SQLRow {
    fileprivate let statement: SQLiteStatement

    func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func string(_ column: CInt) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(_ column: CInt) -> [UInt8] { withBytes(column) { Array($0) } }

    /// Calls `body` with the bytes of a text or blob value, which are valid only during the call.
    func withBytes<Result, Failure: Error>(
        _ column: CInt, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return try body(
            UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count))
    }
}
