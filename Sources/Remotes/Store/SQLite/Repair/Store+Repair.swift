internal import Platform
internal import SQLite
package import TodoModel

/// The result of a repair: the parts of the store that were saved.
package struct StoreRepair: Sendable {
    package var recordCount: Int
    package var tableCount: Int
    package var keyCount: Int
    /// The path of the damaged database, which is kept.
    package var keptPath: String
}

extension Store {
    /// Opens a store and returns the result of ``problems()``.
    ///
    /// If the store is too damaged to be opened, that is its only problem.
    ///
    /// - Throws: `StoreError` or `RemoteError` for errors other than damage.
    package static func problems(
        at path: String, surroundings: StoreSurroundings, reporting progress: Progress.Reporter? = nil
    ) async throws -> [String] {
        do {
            // A database that an interrupted repair moved away is still damaged.
            if try StoreFolder(path: path).isMovedAway() { return ["an interrupted repair"] }
            let store = try open(at: path, surroundings: surroundings)
            let problems = try await store.problems(reporting: progress)
            try await store.close()
            return problems
        } catch StoreError.damaged(_, let detail) {
            return ["SQLite: \(detail)"]
        } catch StoreError.notAStore where StoreFolder(path: path).hasDatabase {
            return ["SQLite: the file's header is not that of a store"]
        }
    }

    /// Creates a new database from the readable parts of a damaged one, and keeps the damaged one beside it.
    ///
    /// Each table gets a new history, so that a working directory notices the repair and doesn't treat
    /// missing records as deleted.
    /// - Parameter timeout: The maximum time to wait for other processes that use the store.
    /// - Throws: ``StoreError/busy(path:)`` if another process uses the store, and ``StoreError/lost(path:)``
    ///   if nothing can be read, which leaves the store unchanged.
    package static func repair(
        at path: String, surroundings: StoreSurroundings, timeout: Duration
    ) throws -> StoreRepair {
        let folder = StoreFolder(path: path)
        let isMoved = try folder.isMovedAway()
        let source = isMoved ? folder.lastKeptPath : folder.databasePath
        if isMoved { try folder.move(filesOf: folder.databasePath, to: source) }
        let damaged: SQLConnection
        do {
            damaged = try lockedDatabase(at: source, timeout, surroundings)
            // Another process is repairing the database.
            guard try folder.isMovedAway() == isMoved else { throw StoreError.busy(path: path) }
        } catch let error as SQLError where error.code == .notADatabase {
            throw StoreError.lost(path: path)
        } catch {
            throw StoreError(error, path: path)
        }
        // Moved away at once, so that a process that waits for the lock doesn't open it again.
        let kept = isMoved ? source : try folder.moveAway()
        do {
            // SQLite would treat a log beside the new database as part of it.
            try folder.move(filesOf: folder.databasePath, to: kept)
            folder.removeRepaired()
            let findings = try build(at: folder.repairedPath, from: damaged, surroundings)
            guard findings.identity != nil || findings.tableCount > 0 else {
                throw StoreError.lost(path: path)
            }
            // SQLite removes the log when it closes the database, by its old name.
            damaged.close()
            try folder.installRepaired()
            return StoreRepair(
                recordCount: findings.recordCount, tableCount: findings.tableCount,
                keyCount: findings.keyCount, keptPath: kept)
        } catch {
            damaged.close()
            try folder.putBack(kept)
            throw StoreError(error, path: path)
        }
    }

    /// Opens a damaged database, and locks it exclusively until it is closed.
    private static func lockedDatabase(
        at path: String, _ timeout: Duration, _ surroundings: StoreSurroundings
    ) throws -> SQLConnection {
        let database = try SQLConnection(path)
        SQLTurns().share(
            database, seconds: timeout / .seconds(1), isAskedToEnd: surroundings.isAskedToEnd)
        try database.readLogAlone()
        // SQLite then ignores damaged parts of the schema.
        try database.execute("PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON")
        // SQLite locks the file when it first reads it.
        try database.execute("PRAGMA user_version")
        return database
    }

    private static func build(
        at path: String, from damaged: SQLConnection, _ surroundings: StoreSurroundings
    ) throws -> Salvage.Findings {
        let database = try SQLConnection(path, for: .creating)
        try database.execute("PRAGMA foreign_keys = OFF")
        let findings = try database.transaction(.writing) {
            try StoreSchema.create(
                identity: surroundings.randomBytes(StoreSchema.identitySize), in: database)
            let findings = try Salvage(damaged: damaged, database: database)
                .run(randomBytes: surroundings.randomBytes)
            if let identity = findings.identity {
                try SQLStatement("UPDATE store SET identity = ?", in: database).run(.blob(identity))
            }
            return findings
        }
        try database.useLog()
        return findings
    }
}

// The paths of the new database, and of the damaged one that a repair keeps.
extension StoreFolder {
    var repairedPath: String { databasePath + ".repaired" }

    var hasDatabase: Bool { access(databasePath, F_OK) == 0 }

    /// Returns whether an interrupted repair has moved the database away.
    func isMovedAway() throws(StoreError) -> Bool {
        if !hasDatabase, access(keptPath(1), F_OK) == 0 { return true }
        try checkExists()
        return false
    }

    /// The path of the database that was moved away most recently.
    var lastKeptPath: String { keptPath(freeNumber - 1) }

    /// Moves the database away, and returns its new path.
    func moveAway() throws(StoreError) -> String {
        let kept = keptPath(freeNumber)
        try rename(databasePath, to: kept)
        return kept
    }

    /// Moves the other files of a database that was moved.
    ///
    /// SQLite creates its shared memory again.
    func move(filesOf database: String, to other: String) throws(StoreError) {
        unlink(database + "-shm")
        if access(database + "-wal", F_OK) == 0 { try rename(database + "-wal", to: other + "-wal") }
    }

    /// Removes the files that an interrupted repair left.
    func removeRepaired() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(repairedPath + suffix) }
    }

    /// Moves the database and its log back.
    func putBack(_ kept: String) throws(StoreError) {
        removeRepaired()
        try move(filesOf: kept, to: databasePath)
        try rename(kept, to: databasePath)
    }

    /// Moves the new database to its path, with the permissions and the owner of the damaged one.
    func installRepaired() throws(StoreError) {
        let descriptor = open(repairedPath, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError() }
        defer { close(descriptor) }
        var status = stat()
        guard stat(lastKeptPath, &status) == 0 else { throw systemError() }
        // Only the administrator may change a file's owner. For other users, the content matters more.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        guard fchmod(descriptor, status.st_mode & 0o777) == 0, fsync(descriptor) == 0 else {
            throw systemError()
        }
        try rename(repairedPath, to: databasePath)
        try synchronize(path)
    }

    private func keptPath(_ number: Int) -> String { "\(databasePath).damaged-\(number)" }

    private var freeNumber: Int {
        var number = 1
        while access(keptPath(number), F_OK) == 0 { number += 1 }
        return number
    }

    private func rename(_ path: String, to other: String) throws(StoreError) {
        guard systemRename(path, other) == 0 else { throw systemError() }
    }
}

// Inside the type, its own method would hide this function.
private let systemRename = rename(_:_:)
