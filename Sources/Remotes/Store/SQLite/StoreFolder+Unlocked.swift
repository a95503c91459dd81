internal import Platform
internal import SQLite

// In a read-only folder, SQLite can't create the shared memory that it needs to lock a database with a
// write-ahead log. So a store there is read without locks, if no other process has it open.

/// The state of a store's files, which shows whether another process has written to them.
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

        /// Creates the mark of a file; nil if the file doesn't exist.
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
    /// Whether both a log and shared memory exist, as they do while a process has the database open.
    fileprivate var mayBeInUse: Bool { log != nil && memory != nil }
}

extension StoreFolder {
    var files: StoreFiles { StoreFiles(databasePath) }

    /// Whether the database can be read, but no file can be created beside it.
    var isReadOnly: Bool { access(path, W_OK) != 0 && access(databasePath, R_OK) == 0 }

    /// The first existing file of the database that the user isn't permitted to read; nil if there isn't one.
    var forbiddenFile: String? {
        ["", "-wal", "-shm"].map { databasePath + $0 }.first { access($0, R_OK) != 0 && errno == EACCES }
    }

    /// The URI that opens the database without locks; nil if SQLite locks it as usual.
    var unlockedPath: String? {
        guard isReadOnly else { return nil }
        let files = files
        if files.mayBeInUse { return nil }
        // A log is read as well; without a log, SQLite would try to create it.
        let way = files.hasLog ? "vfs=unix-none" : "immutable=1"
        return "file:\(PercentEncoding.ofPath(databasePath.replacing("%", with: "%25")))?\(way)"
    }
}

extension SQLConnection {
    /// Makes SQLite read a write-ahead log without shared memory, if no other process uses the log.
    func readLogAlone() throws { try execute("PRAGMA locking_mode = EXCLUSIVE") }
}
