internal import TodoModel

/// The address of a store in a PostgreSQL database, in one of the forms that libpq understands.
package struct DatabaseAddress: Sendable, Hashable, CustomStringConvertible {
    /// The connection string, which can have a password.
    package let connectionString: String
    /// The address without the user, the password and the parameters, for messages and logs.
    package let description: String
    /// Whether the connection string has a password.
    package let hasPassword: Bool

    /// The names of the parameters whose values are secret.
    private static let passwordNames = ["password", "sslpassword"]

    /// Creates an address from a URL, or from a connection string that begins with `service=`; nil for other
    /// text, such as the path of a folder.
    ///
    /// The forms are described in PostgreSQL's documentation, under "Connection Strings".
    package init?(_ string: String) {
        connectionString = string
        if let scheme = ["postgresql://", "postgres://"].first(where: string.hasPrefix) {
            let rest = string.dropFirst(scheme.count)
            let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let authority = parts[0]
            let end = authority.lastIndex(of: "@")
            let user = end.map { authority[..<$0] }
            description =
                "postgresql://" + (end.map { authority[authority.index(after: $0)...] } ?? authority)
            let parameters = parts.count > 1 ? parts[1].split(separator: "&") : []
            // libpq decodes the names, too.
            let names = parameters.map { PercentEncoding.decoded($0.prefix { $0 != "=" }) }
            hasPassword =
                user?.contains(":") == true
                || names.contains { $0.map(Self.passwordNames.contains) ?? false }
        } else if string.hasPrefix("service=") {
            let words = string.split(separator: " ")
            description = String(words[0])
            hasPassword = words.contains { Self.passwordNames.contains(where: $0.hasPrefix) }
        } else {
            return nil
        }
    }
}

/// The location of a store.
package enum StoreLocation: Sendable, Hashable, CustomStringConvertible {
    case folder(String)
    case database(DatabaseAddress)

    init(remembered: String) {
        self = DatabaseAddress(remembered).map { .database($0) } ?? .folder(remembered)
    }

    /// The location as text, as another store records it.
    var remembered: String {
        switch self {
        case .folder(let path): path
        // Passwords are never recorded.
        case .database(let address): address.hasPassword ? address.description : address.connectionString
        }
    }

    package var description: String {
        switch self {
        case .folder(let path): path
        case .database(let address): address.description
        }
    }
}

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
