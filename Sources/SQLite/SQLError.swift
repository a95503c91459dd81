internal import CSQLite

/// An error of SQLite, with its message.
package struct SQLError: Error, Hashable, CustomStringConvertible {
    /// The kind of the error: the lowest byte of SQLite's extended result code.
    package let code: Code
    /// SQLite's extended result code.
    package let extendedCode: Code
    package let message: String

    /// The result codes that callers distinguish.
    package struct Code: Hashable, Sendable {
        let rawValue: CInt

        package static let error = Code(rawValue: SQLITE_ERROR)
        package static let notPermitted = Code(rawValue: SQLITE_PERM)
        package static let busy = Code(rawValue: SQLITE_BUSY)
        package static let locked = Code(rawValue: SQLITE_LOCKED)
        package static let readOnly = Code(rawValue: SQLITE_READONLY)
        package static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        package static let inputOutput = Code(rawValue: SQLITE_IOERR)
        package static let damaged = Code(rawValue: SQLITE_CORRUPT)
        package static let full = Code(rawValue: SQLITE_FULL)
        package static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        package static let lockProtocol = Code(rawValue: SQLITE_PROTOCOL)
        package static let schemaChanged = Code(rawValue: SQLITE_SCHEMA)
        package static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        package static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        package static let notAuthorized = Code(rawValue: SQLITE_AUTH)
        package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// An extended code: the file was moved away while it was open.
        package static let moved = Code(rawValue: SQLITE_READONLY | 4 << 8)
    }

    /// Creates the error of a connection's last call.
    init(of connection: OpaquePointer?) {
        self.init(
            extendedCode: sqlite3_extended_errcode(connection),
            message: String(cString: sqlite3_errmsg(connection)))
    }

    init(extendedCode: CInt) {
        self.init(extendedCode: extendedCode, message: String(cString: sqlite3_errstr(extendedCode)))
    }

    private init(extendedCode: CInt, message: String) {
        code = Code(rawValue: extendedCode & 0xFF)
        self.extendedCode = Code(rawValue: extendedCode)
        self.message = message
    }

    package var description: String { "SQLite: \(message) (\(extendedCode.rawValue))" }
}
