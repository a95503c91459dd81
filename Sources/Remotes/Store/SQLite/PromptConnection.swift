internal import GRDB

/// A connection for short reads, which don't wait for writes and long queries.
///
/// The first read opens it, because most users of a store don't need it.
actor PromptConnection {
    private let databasePath: String
    private let isUnlocked: Bool
    private var queue: DatabaseQueue?

    /// The number of seconds that a read waits while SQLite recovers the store after a crash.
    private static let busyTimeout = 10.0

    /// - Parameter isUnlocked: whether to open the database without locks.
    init(databasePath: String, isUnlocked: Bool) {
        self.databasePath = databasePath
        self.isUnlocked = isUnlocked
    }

    func close() throws {
        try queue?.close()
        queue = nil
    }

    func opened() throws -> DatabaseQueue {
        if let queue { return queue }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.busyTimeout)
        if isUnlocked { configuration.prepareDatabase { try $0.readLogAlone() } }
        let queue = try DatabaseQueue(path: databasePath, configuration: configuration)
        self.queue = queue
        return queue
    }
}
