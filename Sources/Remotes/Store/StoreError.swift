/// Why a store can't be made, opened or used; every case names the store's folder, or a
/// file in it.
package enum StoreError: Error, Sendable, Hashable {
    case notFound(path: String)
    /// There is a file, or a folder that holds no store.
    case notAStore(path: String)
    /// A store can't be made in a folder that holds something else.
    case folderNotEmpty(path: String)
    /// The store was made by a newer todosync.
    case newerFormat(path: String, found: Int, known: Int)
    /// Another process kept the store locked for as long as one waits.
    case busy(path: String)
    case diskFull(path: String)
    case readOnly(path: String)
    case notPermitted(path: String)
    /// The store can't be written here, hence not be locked, and somebody else may be writing to it.
    case cannotLock(path: String)
    case damaged(path: String, detail: String)
    /// So damaged that nothing in it can be saved.
    case lost(path: String)
    /// A file can't be read or written, for the reason that the system gives.
    case inputOutput(path: String, detail: String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFound(let path): "\(path): no such store"
        case .notAStore(let path): "\(path): not a todosync store"
        case .folderNotEmpty(let path): "\(path): the folder is not empty"
        case .newerFormat(let path, let found, let known):
            "\(path): the store has format \(found), this todosync knows formats up to \(known)"
        case .busy(let path): "\(path): another process keeps the store locked"
        case .diskFull(let path): "\(path): the disk is full"
        case .readOnly(let path): "\(path): the store can't be written"
        case .notPermitted(let path): "\(path): permission denied"
        case .cannotLock(let path):
            "\(path): the store is read-only here, so it can't be locked, and somebody may be writing to it"
        case .damaged(let path, let detail): "\(path): the store is damaged (\(detail))"
        case .lost(let path): "\(path): nothing in the store can be read"
        case .inputOutput(let path, let detail): "\(path): \(detail)"
        }
    }
}
