internal import GRDB

/// The connections that read a store while another one writes, so that nobody who reads waits for the disk.
///
/// They are opened by the first read.
actor ReadConnections {
    private let configuration: Configuration
    private let databasePath: String
    private var pool: DatabasePool?

    /// The connections that read at the same time at most.
    private static let count = 4

    init(databasePath: String, configuration: Configuration) {
        self.databasePath = databasePath
        var configuration = configuration
        // A pool that may write would change how the store is written: GRDB's do not wait for the disk.
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
