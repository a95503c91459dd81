internal import GRDB

/// The connections that read a store while another connection writes, so readers never wait for the disk.
///
/// The first read opens them.
actor ReadConnections {
    private let configuration: Configuration
    private let databasePath: String
    private var pool: DatabasePool?

    /// The maximum number of concurrent readers.
    private static let count = 4

    init(databasePath: String, configuration: Configuration) {
        self.databasePath = databasePath
        var configuration = configuration
        // A pool that can write would make writes less durable: GRDB's pools don't wait for the disk.
        configuration.readonly = true
        configuration.maximumReaderCount = Self.count
        self.configuration = configuration
    }

    func close() throws {
        try pool?.close()
        pool = nil
    }

    func opened() throws -> DatabasePool {
        let pool = try self.pool ?? DatabasePool(path: databasePath, configuration: configuration)
        self.pool = pool
        return pool
    }
}
