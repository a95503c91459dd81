/// The reason why a store can't be created, opened or used.
///
/// Every case has the path of the store's folder, or of a file in it.
package enum StoreError: Error, Sendable, Hashable {
    case notFound(path: String)
    /// The path is a file, or a folder without a store.
    case notAStore(path: String)
    /// A store can't be created in a folder that has other files.
    case folderNotEmpty(path: String)
    /// A newer or an older todosync created the store.
    case unsupportedFormat(path: String, found: Int, supported: Int)
    /// Another process kept the store locked until the timeout.
    case busy(path: String)
    case diskFull(path: String)
    case readOnly(path: String)
    case notPermitted(path: String)
    /// The store can't be locked because it is read-only here, and another process might be writing to it.
    case cannotLock(path: String)
    case damaged(path: String, detail: String)
    /// The store is so damaged that nothing can be recovered.
    case lost(path: String)
    /// A file can't be read or written. `detail` is the operating system's reason.
    case inputOutput(path: String, detail: String)
    /// The store is read-only while it is copied to another location.
    case moving(path: String, to: String)
    /// The store was copied to another location and is no longer used.
    case moved(path: String, to: String)
    /// The store is a copy that isn't complete.
    case unfinishedCopy(path: String)
    /// A database with a store can't be used. `path` is its URL.
    case database(path: String, DatabaseProblem)

    /// The reason why a database can't be used.
    package enum DatabaseProblem: Sendable, Hashable {
        /// The database can't be reached, or doesn't answer. The value is its client library's reason.
        case unreachable(String)
        /// The database refuses a statement, for example because of its configuration. The value is the
        /// reason.
        case refused(String)
        /// The address is a pooler's, which can't be used for this work.
        case pooled
        /// The database's address can't be used. The value is the client library's reason.
        case badAddress(String)
        /// The database has no store.
        case missing
        /// The database has tables that don't belong to a store.
        case otherTables
        /// The user lacks rights. The values are the SQL statements that grant them.
        case missingRights([String])
        /// The database's version is too old. The value is that version.
        case tooOld(String)
        /// The database has an encoding other than UTF-8.
        case encoding(String)
        /// The store has an older format, which can be upgraded. The value is its number.
        case olderFormat(Int)
        /// This program was built without PostgreSQL.
        case unsupported
    }
}

extension StoreError {
    /// Whether a later retry might succeed.
    package var isTemporary: Bool {
        switch self {
        case .notFound, .busy, .cannotLock, .moving, .database(_, .unreachable): true
        case .notAStore, .folderNotEmpty, .unsupportedFormat, .diskFull, .readOnly, .notPermitted, .damaged,
            .lost,
            .inputOutput, .moved, .unfinishedCopy, .database:
            false
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFound(let path): "\(path): no such store"
        case .notAStore(let path): "\(path): not a todosync store"
        case .folderNotEmpty(let path): "\(path): the folder is not empty"
        case .unsupportedFormat(let path, let found, let supported):
            "\(path): the store has format \(found); this todosync supports format \(supported)"
        case .busy(let path): "\(path): another process keeps the store locked"
        case .diskFull(let path): "\(path): the disk is full"
        case .readOnly(let path): "\(path): the store can't be written"
        case .notPermitted(let path): "\(path): permission denied"
        case .cannotLock(let path):
            "\(path): the store is read-only here, so it can't be locked, and another process may be writing to it"
        case .damaged(let path, let detail): "\(path): the store is damaged (\(detail))"
        case .lost(let path): "\(path): nothing in the store can be read"
        case .inputOutput(let path, let detail): "\(path): \(detail)"
        case .moving(let path, let location):
            "\(path): the store is read-only while it is copied to \(location)"
        case .moved(let path, let location): "\(path): the store was moved to \(location)"
        case .unfinishedCopy(let path): "\(path): the store is an incomplete copy"
        case .database(let path, let problem): "\(path): \(problem)"
        }
    }
}

extension StoreError.DatabaseProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let detail): "the database can't be used at the moment (\(detail))"
        case .refused(let detail): "the database refuses a statement (\(detail))"
        case .pooled: "the address is that of a connection pooler"
        case .badAddress(let detail): "the database's address can't be used (\(detail))"
        case .missing: "the database has no store"
        case .otherTables: "the database has other tables"
        case .missingRights: "the database's user lacks privileges"
        case .tooOld(let version): "the server runs PostgreSQL \(version); version 13 or newer is required"
        case .encoding(let encoding): "the database's encoding is \(encoding); UTF8 is required"
        case .olderFormat(let format): "the store has the older format \(format)"
        case .unsupported: "this todosync was built without PostgreSQL support"
        }
    }
}
