internal import GRDB
internal import GRDBSQLite
internal import Platform

extension Database {
    /// Runs work, and reports damage as an I/O error if the disk failed, because SQLite doesn't distinguish
    /// the two.
    func reportingDiskErrors<Result>(_ work: (Database) throws -> Result) throws -> Result {
        do {
            return try work(self)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT && hasDiskError {
            throw DatabaseError(resultCode: .SQLITE_IOERR)
        }
    }

    /// Whether the last system error for the file or its log was a disk error.
    private var hasDiskError: Bool {
        var code: CInt = 0
        sqlite3_file_control(sqliteConnection, nil, SQLITE_FCNTL_LAST_ERRNO, &code)
        var log: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(sqliteConnection, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log)
        var logCode: CInt = 0
        _ = log?.pointee.pMethods?.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &logCode)
        return code == EIO || logCode == EIO
    }
}
