internal import SQLite
internal import TodoModel

extension StoreError {
    /// Creates the error for a SQLite error, and keeps SQLite's message only if it helps.
    init(_ error: SQLError, path: String) {
        let folder = StoreFolder(path: path)
        switch error.code {
        // The store was moved away while it was used, and SQLite met that in one of many ways.
        case _ where folder.isGone || error.extendedCode == .moved:
            self = .notFound(path: path)
        case _ where error.isOfLocks && folder.isReadOnly: self = .cannotLock(path: path)
        case .busy, .locked, .schemaChanged: self = .busy(path: path)
        case .full: self = .diskFull(path: path)
        case .readOnly: self = .readOnly(path: path)
        case .cannotOpen where folder.forbiddenFile != nil:
            self = .notPermitted(path: folder.forbiddenFile ?? path)
        case .notPermitted, .notAuthorized: self = .notPermitted(path: path)
        case .notADatabase, .damaged, .constraint, .mismatch, .error:
            self = .damaged(path: path, detail: error.message)
        default:
            self = .inputOutput(path: path, detail: error.message)
        }
    }

    /// Creates a store error from any error that an operation on the store throws.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLError: self = StoreError(error, path: path)
        default: self = .inputOutput(path: path, detail: "\(error)")
        }
    }
}

extension SQLError {
    /// Whether the error can mean that the store can't be locked because its folder is read-only.
    ///
    /// An attempt to write there fails with a different error, the plain `SQLITE_READONLY`.
    fileprivate var isOfLocks: Bool {
        switch code {
        case .cannotOpen, .lockProtocol: true
        case .readOnly: extendedCode != .readOnly
        default: false
        }
    }
}
