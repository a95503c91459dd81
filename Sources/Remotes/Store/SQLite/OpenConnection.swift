internal import GRDB

/// A connection to a database, which is closed when its last reference goes away.
///
/// GRDB frees a connection on the runtime's threads. So for a command that ends soon, it is only closed.
final class OpenConnection<Connection: DatabaseReader>: Sendable {
    let connection: Connection
    let isFreed: Bool

    init(_ connection: Connection, isFreed: Bool) {
        self.connection = connection
        self.isFreed = isFreed
    }

    deinit {
        if isFreed { return }
        try? connection.close()
        _ = Unmanaged.passRetained(connection)
    }
}
