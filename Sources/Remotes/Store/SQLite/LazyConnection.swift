internal import GRDB

/// A connection to a database, or a pool of connections, which the first read opens.
///
/// Most users of a store don't need all of its connections.
actor LazyConnection<Connection: DatabaseReader> {
    private let open: @Sendable () throws -> Connection
    private var connection: Connection?

    init(_ open: @escaping @Sendable () throws -> Connection) { self.open = open }

    func opened() throws -> Connection {
        let connection = try self.connection ?? open()
        self.connection = connection
        return connection
    }

    func close() throws {
        try connection?.close()
        connection = nil
    }
}
