internal import TodoModel

extension StoreLocation {
    /// Opens the engine of the store at this location.
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

    /// Upgrades the store at this location to the current format, and returns its old format; nil if it
    /// already had the current format.
    ///
    /// - Throws: `StoreError.unsupportedFormat` if the store can't be upgraded.
    package func upgrade(surroundings: StoreSurroundings) async throws -> Int? {
        switch self {
        case .folder(let path):
            _ = try Store.open(at: path, surroundings: surroundings)
            return nil
        case .database(let address):
            #if PostgreSQL
                let found = try await PostgresEngine.upgrade(address)
                return found < PostgresSchema.format ? Int(found) : nil
            #else
                throw StoreError.database(path: address.description, .unsupported)
            #endif
        }
    }

    /// Creates a store at this location, or opens the existing store.
    ///
    /// - Parameter original: The identity of the store to create an unfinished copy of; nil for a store with
    ///   a new identity.
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
