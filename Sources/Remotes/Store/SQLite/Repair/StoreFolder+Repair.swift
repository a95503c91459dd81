internal import Platform
internal import TodoModel

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
