internal import CSQLite

/// A statement that SQLite has compiled.
final class PreparedStatement {
    let handle: OpaquePointer

    /// - Parameter isReused: Whether the statement stays in the connection's cache.
    init(_ sql: String, in connection: SQLConnection, isReused: Bool) throws(SQLError) {
        var handle: OpaquePointer?
        let flags = isReused ? CUnsignedInt(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK else { throw SQLError(of: connection.handle) }
        guard let handle else { preconditionFailure("SQL without a statement") }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }
}

/// A prepared statement that passes text as bytes.
package struct SQLStatement {
    private let statement: PreparedStatement
    private let connection: SQLConnection

    /// Prepares a statement, or takes it from the connection's cache.
    package init(_ sql: String, in connection: SQLConnection) throws(SQLError) {
        statement = try connection.cachedStatement(sql)
        self.connection = connection
    }

    /// Prepares a statement that is probably run only once.
    package init(uncached sql: String, in connection: SQLConnection) throws(SQLError) {
        statement = try PreparedStatement(sql, in: connection, isReused: false)
        self.connection = connection
    }

    /// Runs a statement, and ignores its rows.
    package func run(_ parameters: SQLParameter...) throws {
        defer { reset() }
        try bind(parameters)
        while try step() {}
    }

    /// Returns the result of `read` for the first row; nil if there isn't one.
    @inlinable package func first<Result>(
        _ parameters: SQLParameter..., read: (SQLRow) throws -> Result
    ) throws -> Result? {
        try first(parameters, read: read)
    }

    @inlinable package func first<Result>(
        _ parameters: [SQLParameter], read: (SQLRow) throws -> Result
    ) throws -> Result? {
        defer { reset() }
        try bind(parameters)
        return try step() ? read(row) : nil
    }

    /// Returns the results of `read` for all rows.
    @inlinable package func all<Result>(
        _ parameters: SQLParameter..., read: (SQLRow) throws -> Result
    ) throws -> [Result] {
        try all(parameters, read: read)
    }

    @inlinable package func all<Result>(
        _ parameters: [SQLParameter], read: (SQLRow) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try forEach(parameters) { row in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// Calls `body` with each row, until `body` returns false.
    package func forEach(_ parameters: [SQLParameter], body: (SQLRow) throws -> Bool) throws {
        defer { reset() }
        try bind(parameters)
        while try step() {
            guard try body(row) else { return }
        }
    }

    @usableFromInline package var row: SQLRow { SQLRow(statement: statement.handle) }

    @usableFromInline package func bind(_ parameters: [SQLParameter]) throws(SQLError) {
        for (index, parameter) in parameters.enumerated() {
            let code = parameter.bind(to: statement.handle, at: CInt(index + 1))
            guard code == SQLITE_OK else { throw SQLError(of: connection.handle) }
        }
    }

    /// Moves to the next row; returns false at the end.
    @usableFromInline package func step() throws(SQLError) -> Bool {
        switch sqlite3_step(statement.handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLError(of: connection.handle)
        }
    }

    /// Ends the statement, so that it doesn't keep a lock.
    @usableFromInline package func reset() { sqlite3_reset(statement.handle) }
}

/// A value for a statement's `?`.
package enum SQLParameter {
    case null
    case integer(Int64)
    case real(Double)
    case string(String)
    /// Text as its UTF-8 bytes.
    case text([UInt8])
    case blob([UInt8])

    /// Makes SQLite copy the bytes, because they are valid only during the call.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate func bind(to statement: OpaquePointer, at index: CInt) -> CInt {
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
        _ bytes: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, at index: CInt
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
package struct SQLRow {
    fileprivate let statement: OpaquePointer

    package func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }

    package func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    package func string(_ column: CInt) -> String { String(decoding: content(column), as: UTF8.self) }

    package func bytes(_ column: CInt) -> [UInt8] { Array(content(column)) }

    /// Calls `body` with the bytes of a text or blob value, which are valid only during the call.
    @inlinable package func withBytes<Result, Failure: Error>(
        _ column: CInt, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(content(column))
    }

    @usableFromInline package func content(_ column: CInt) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    }
}
