internal import GRDB
internal import Platform

// A store in a folder that can't be written: SQLite can't make the shared memory by which it locks a database
// with a write-ahead log. It is read without locks, where nobody else has it open.

/// What tells whether somebody has written to a store's files.
struct StoreFiles: Hashable {
    private let database: FileMark?
    private let log: FileMark?
    private let memory: FileMark?

    fileprivate struct FileMark: Hashable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int

        /// Nil for a file that is not there.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            #if os(Linux)
                let changed = status.st_ctim
            #else
                let changed = status.st_ctimespec
            #endif
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            (seconds, nanoseconds) = (changed.tv_sec, changed.tv_nsec)
        }
    }

    fileprivate init(_ databasePath: String) {
        database = FileMark(databasePath)
        log = FileMark(databasePath + "-wal")
        memory = FileMark(databasePath + "-shm")
    }

    fileprivate var hasLog: Bool { log.map { $0.size > 0 } ?? false }
    /// Whether somebody may have the database open: then there are both a log and shared memory.
    fileprivate var mayBeInUse: Bool { log != nil && memory != nil }
}

extension StoreFolder {
    var files: StoreFiles { StoreFiles(databasePath) }

    /// Whether the database can be read, but nothing can be made beside it.
    var isReadOnly: Bool { access(path, W_OK) != 0 && access(databasePath, R_OK) == 0 }

    /// The first of the database's files that is there and that the user must not read; nil for none.
    var forbiddenFile: String? {
        ["", "-wal", "-shm"].map { databasePath + $0 }.first { access($0, R_OK) != 0 && errno == EACCES }
    }

    /// By what SQLite opens the database without locks; nil if it is to lock it as usual.
    var unlockedPath: String? {
        guard isReadOnly else { return nil }
        let files = files
        if files.mayBeInUse { return nil }
        // A log is read as well; without one SQLite would want to make it.
        let way = files.hasLog ? "vfs=unix-none" : "immutable=1"
        return "file:\(PercentEncoding.ofPath(databasePath.replacing("%", with: "%25")))?\(way)"
    }
}

extension Database {
    /// Has SQLite read a write-ahead log that nobody else uses, without shared memory.
    func readLogAlone() throws { try execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
}
