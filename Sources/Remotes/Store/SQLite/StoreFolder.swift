internal import Platform
internal import SQLite
internal import TodoModel

/// The folder of a store, checked without opening the database.
struct StoreFolder {
    let path: String

    var databasePath: String {
        // SQLite would treat a path that begins with `file:` as a URI.
        (path.utf8.first == UInt8(ascii: "/") ? path : "./" + path) + "/" + StoreSchema.fileName
    }

    /// Checks that the store's file exists, without creating it as SQLite would.
    func checkExists() throws(StoreError) {
        if try kind(of: databasePath) == .file { return try checkFilesBeside() }
        // Look at the folder last, because it can be moved away at any time.
        throw isGone ? .notFound(path: path) : .notAStore(path: path)
    }

    /// Whether there is nothing at the path.
    var isGone: Bool { (try? kind(of: path)) == .absent }

    /// Checks that the database's other files aren't pipes or devices, because SQLite would wait for those
    /// forever.
    private func checkFilesBeside() throws(StoreError) {
        for suffix in ["-wal", "-shm", "-journal"] where try kind(of: databasePath + suffix) == .other {
            throw .inputOutput(path: databasePath + suffix, detail: "not a regular file")
        }
    }

    /// Creates the folder with its parents, and an empty file in it; both can already exist.
    func create() throws(StoreError) {
        try makeFolders()
        // Another process might have created the file meanwhile.
        if try kind(of: databasePath) == .absent, try !isEmpty(), try kind(of: databasePath) == .absent {
            throw .folderNotEmpty(path: path)
        }
        try checkFilesBeside()
        // Without this, SQLite would let all users read the file, even users without a key. Its other files
        // get the same permissions.
        let descriptor = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemError() }
        close(descriptor)
    }

    private func makeFolders() throws(StoreError) {
        switch try kind(of: path) {
        case .folder: return
        case .file, .other: throw .notAStore(path: path)
        case .absent: break
        }
        var end = path.utf8.startIndex
        while end < path.utf8.endIndex {
            end =
                path.utf8[path.utf8.index(after: end)...].firstIndex(of: UInt8(ascii: "/"))
                ?? path.utf8.endIndex
            let folder = String(path[..<end])
            if mkdir(folder, 0o777) != 0, errno != EEXIST { throw systemError() }
        }
        guard try kind(of: path) == .folder else { throw .notAStore(path: path) }
    }

    var exists: Bool { get throws(StoreError) { try kind(of: path) != .absent } }

    func isEmpty() throws(StoreError) -> Bool {
        guard let stream = opendir(path) else { throw systemError() }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno == 0 { return true }
                throw systemError()
            }
            let isEntryOfItsOwn = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                name.starts(with: [UInt8(ascii: "."), 0])
                    || name.starts(with: [UInt8(ascii: "."), UInt8(ascii: "."), 0])
            }
            if !isEntryOfItsOwn { return false }
        }
    }

    /// Removes the database's files; they need not exist.
    func removeDatabase() throws(StoreError) {
        for suffix in ["", "-wal", "-shm", "-journal"] where unlink(databasePath + suffix) != 0 {
            guard errno == ENOENT || errno == ENOTDIR else { throw systemError() }
        }
    }

    /// Waits until a file, or the entries of a folder, are on disk.
    func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError() }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw systemError() }
    }

    private enum Kind { case absent, folder, file, other }

    private func kind(of path: String) throws(StoreError) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return .absent }
            throw systemError()
        }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: .folder
        case S_IFREG: .file
        default: .other
        }
    }

    /// Returns the error of the system call that just failed.
    func systemError() -> StoreError {
        switch errno {
        case EACCES, EPERM: .notPermitted(path: path)
        case EROFS: .readOnly(path: path)
        case ENOSPC, EDQUOT: .diskFull(path: path)
        case let code: .inputOutput(path: path, detail: String(cString: strerror(code)).lowercased())
        }
    }
}

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

/// Returns the folder of the store that is at a path or contains it; nil if there isn't one.
package func storeFolder(around path: String) -> String? {
    var folder = path[...]
    while !folder.isEmpty {
        var status = stat()
        if stat("\(folder)/\(StoreSchema.fileName)", &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            return String(folder)
        }
        folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    }
    return nil
}
