internal import GRDB

/// A connection to a database, or a pool of connections, which the first read opens.
///
/// Most users of a store don't need all of its connections.
actor LazyConnection<Connection: DatabaseReader> {
    private let isFreed: Bool
    private let open: @Sendable () throws -> Connection
    private var connection: OpenConnection<Connection>?

    init(isFreed: Bool = true, _ open: @escaping @Sendable () throws -> Connection) {
        self.isFreed = isFreed
        self.open = open
    }

    func opened() throws -> Connection {
        let connection = try self.connection ?? OpenConnection(open(), isFreed: isFreed)
        self.connection = connection
        return connection.connection
    }

    func close() throws {
        try connection?.connection.close()
        connection = nil
    }
}
