internal import GRDB
internal import TodoModel

extension StoreError {
    /// Creates the error for a SQLite error, and keeps SQLite's message only if it helps.
    init(_ error: DatabaseError, path: String) {
        let folder = StoreFolder(path: path)
        switch error.resultCode {
        // The store was moved away while it was used, and SQLite met that in one of many ways.
        case _ where folder.isGone || error.extendedResultCode == .SQLITE_READONLY_DBMOVED:
            self = .notFound(path: path)
        case _ where error.isOfLocks && folder.isReadOnly: self = .cannotLock(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_SCHEMA: self = .busy(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_READONLY: self = .readOnly(path: path)
        case .SQLITE_CANTOPEN where folder.forbiddenFile != nil:
            self = .notPermitted(path: folder.forbiddenFile ?? path)
        case .SQLITE_PERM, .SQLITE_AUTH: self = .notPermitted(path: path)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH,
            .SQLITE_ERROR:
            self = .damaged(path: path, detail: error.message ?? "\(error.resultCode)")
        default:
            self = .inputOutput(path: path, detail: error.message ?? "\(error.resultCode)")
        }
    }

    /// Creates a store error from any error that an operation on the store throws.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self = StoreError(error, path: path)
        default: self = .inputOutput(path: path, detail: "\(error)")
        }
    }
}

extension DatabaseError {
    /// Whether the error can mean that the store can't be locked because its folder is read-only.
    ///
    /// An attempt to write there fails with a different error, the plain `SQLITE_READONLY`.
    fileprivate var isOfLocks: Bool {
        switch resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_PROTOCOL: true
        case .SQLITE_READONLY: extendedResultCode != .SQLITE_READONLY
        default: false
        }
    }
}
