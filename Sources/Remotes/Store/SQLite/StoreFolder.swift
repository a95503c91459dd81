internal import Platform
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
