internal import TodoModel

extension StoreLocation {
    /// Opens the engine of the store at this place.
    func openEngine(_ surroundings: StoreSurroundings) async throws -> any StoreEngine {
        switch self {
        case .folder(let path):
            return try SQLiteEngine.open(
                at: path, surroundings: surroundings, busyTimeout: SQLiteEngine.busyTimeout)
        case .database(let address):
            #if PostgreSQL
                return try await PostgresEngine.open(address, surroundings: surroundings)
            #else
                throw StoreError.database(path: address.description, .unsupported)
            #endif
        }
    }

    /// Creates a store at this place, or opens the one that is there.
    ///
    /// - Parameter original: the identity of the store that a new one is an unfinished copy of; nil for a
    ///   store of its own.
    func createEngine(
        copying original: [UInt8]? = nil, surroundings: StoreSurroundings
    ) async throws -> any StoreEngine {
        switch self {
        case .folder(let path):
            return try SQLiteEngine.create(at: path, copying: original, surroundings: surroundings)
        case .database(let address):
            #if PostgreSQL
                return try await PostgresEngine.create(
                    in: address, copying: original, surroundings: surroundings)
            #else
                throw StoreError.database(path: address.description, .unsupported)
            #endif
        }
    }
}
