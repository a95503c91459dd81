internal import GRDB

// Connections that notice the writes of all other connections without waiting for them.

extension DatabaseQueue {
    /// The number of seconds that a read waits while SQLite recovers the store after a crash.
    private static let busyTimeout = 10.0

    /// Opens a connection that only reads.
    ///
    /// - Parameter isUnlocked: whether to open the database without locks.
    static func reading(_ path: String, isUnlocked: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(busyTimeout)
        if isUnlocked { configuration.prepareDatabase { try $0.readLogAlone() } }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

extension Database {
    /// Returns a number that changes when another connection writes to the database.
    func dataVersion() throws -> Int64 {
        try SQLStatement("PRAGMA data_version", in: self).first { $0.integer(0) } ?? 0
    }
}
