import CSystemCalls
import Platform

/// The operating system's file system.
package struct POSIXFileSystem: FileSystem {
    package init() {}

    package func openFolder(at path: String) throws(FileError) -> OpenFile? {
        let descriptor = repeating { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        return try opened(descriptor, .open, path)
    }

    package func openFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> OpenFile? {
        let descriptor = descriptor(name, in: folder, O_RDONLY | O_DIRECTORY)
        return try opened(
            descriptor, .open, name.description, owner: FileError.Owner(of: name, in: folder))
    }

    package func open(_ name: FileName, in folder: OpenFile, for use: FileUse) throws(FileError) -> OpenFile?
    {
        let flags: Int32
        switch use {
        case .creating: return try create(name, in: folder, O_WRONLY)
        case .creatingPrivately: return try create(name, in: folder, O_WRONLY, permissions: 0o600)
        case .reading: flags = O_RDONLY
        case .updating: flags = O_RDWR
        case .appending: flags = O_RDWR | O_APPEND
        }
        while true {
            let file = try opened(
                descriptor(name, in: folder, flags), .open, name.description,
                owner: FileError.Owner(of: name, in: folder))
            if file != nil || use == .reading { return file }
            // Another process might create the file first, and this one must not give that file away.
            if let file = try create(name, in: folder, flags) { return file }
        }
    }

    /// Creates a file; returns nil if the name is taken.
    private func create(
        _ name: FileName, in folder: OpenFile, _ flags: Int32, permissions: mode_t = 0o666
    ) throws(FileError) -> OpenFile? {
        let descriptor = descriptor(name, in: folder, flags | O_CREAT | O_EXCL, permissions)
        if descriptor < 0 {
            if errno == EEXIST { return nil }
            throw failure(.create, name.description, owner: FileError.Owner(of: folder))
        }
        let file = OpenFile(descriptor: descriptor, close: Self.close)
        OwnerOfNewFiles(in: folder)?.take(file)
        return file
    }

    private func descriptor(
        _ name: FileName, in folder: OpenFile, _ flags: Int32, _ permissions: mode_t = 0
    ) -> Int32 {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer.
        let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        return name.withCString { name in repeating { openat(folder.descriptor, name, flags, permissions) } }
    }

    private func opened(
        _ descriptor: Int32, _ operation: FileError.Operation, _ path: String,
        owner: @autoclosure () -> FileError.Owner? = nil
    ) throws(FileError) -> OpenFile? {
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw failure(operation, path, owner: owner())
        }
        return OpenFile(descriptor: descriptor, close: Self.close)
    }

    private static let close: @Sendable (Int32) -> Void = { descriptor in _ = systemClose(descriptor) }

    package func status(of name: FileName, in folder: OpenFile) throws(FileError) -> FileStatus? {
        var result = stat()
        let code = name.withCString { name in
            repeating { fstatat(folder.descriptor, name, &result, AT_SYMLINK_NOFOLLOW) }
        }
        if code < 0 {
            if errno == ENOENT { return nil }
            throw failure(.inspect, name.description)
        }
        return FileStatus(result)
    }

    package func status(of file: OpenFile) throws(FileError) -> FileStatus {
        var result = stat()
        if repeating({ fstat(file.descriptor, &result) }) < 0 { throw failure(.inspect, "") }
        return FileStatus(result)
    }

    package func read(_ file: OpenFile, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let part = pread(
                    file.descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
                    off_t(offset + filled))
                if part == 0 { return }
                if part > 0 { filled += part } else if errno != EINTR { code = errno }
                if code != 0 { return }
            }
        }
        if code != 0 { throw FileError(.read, "", code: code) }
        return bytes
    }

    package func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError) {
        let code = bytes.withUnsafeBytes { buffer -> Int32 in
            var written = 0
            while written < buffer.count {
                let part = systemWrite(
                    file.descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                if part >= 0 { written += part } else if errno != EINTR { return errno }
            }
            return 0
        }
        if code != 0 { throw FileError(.write, "", code: code) }
    }

    package func truncate(_ file: OpenFile, to size: Int) throws(FileError) {
        if repeating({ ftruncate(file.descriptor, off_t(size)) }) < 0 { throw failure(.truncate, "") }
    }

    package func setPermissions(_ permissions: UInt16, of file: OpenFile) throws(FileError) {
        if repeating({ fchmod(file.descriptor, mode_t(permissions)) }) < 0 {
            throw failure(.setPermissions, "")
        }
    }

    package func setModified(_ time: FileTime, of file: OpenFile) throws(FileError) {
        let time = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
        if repeating({ futimens(file.descriptor, [time, time]) }) < 0 {
            throw failure(.setModified, "")
        }
    }

    package func setOwner(user: UInt32, group: UInt32, of file: OpenFile) throws(FileError) {
        if repeating({ fchown(file.descriptor, user, group) }) < 0 { throw failure(.setOwner, "") }
    }

    package func hasDefaultAccessList(_ folder: OpenFile) -> Bool {
        csystem_has_default_access_list(folder.descriptor) != 0
    }

    package func synchronize(_ file: OpenFile, _ extent: SynchronizationExtent) throws(FileError) {
        let code =
            switch extent {
            case .file: repeating { fsync(file.descriptor) }
            case .content: repeating { csystem_sync_content(file.descriptor) }
            case .fileSystem: repeating { csystem_sync_file_system(file.descriptor) }
            }
        if code < 0 { throw failure(.synchronize, "") }
    }

    package func lock(_ file: OpenFile) throws(FileError) -> Bool {
        if repeating({ flock(file.descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        throw failure(.lock, "")
    }

    package func unlock(_ file: OpenFile) {
        _ = repeating { flock(file.descriptor, LOCK_UN) }
    }

    package func time() throws(FileError) -> FileTime {
        // The kernel stamps files with its coarse clock, which can be a tick behind the precise one.
        #if os(Linux)
            let clock = CLOCK_REALTIME_COARSE
        #else
            let clock = CLOCK_REALTIME
        #endif
        var time = timespec()
        if clock_gettime(clock, &time) < 0 { throw failure(.readClock, "") }
        return FileTime(time)
    }
}

// Inside the type, its methods shadow the global functions with these names.
private let systemWrite = write(_:_:_:)
private let systemClose = close(_:)

/// The owner and the group that root's new files in a folder should have.
///
/// Otherwise, the folder's owner couldn't use them.
struct OwnerOfNewFiles {
    private let user: UInt32
    private let group: UInt32
    private let fileSystem = POSIXFileSystem()

    /// Takes the owner and the group of a folder; nil if new files there have them anyway, or if the user
    /// isn't root.
    init?(in folder: OpenFile) {
        guard geteuid() == 0, let status = try? fileSystem.status(of: folder),
            status.user != 0 || status.group != getegid()
        else { return nil }
        (user, group) = (status.user, status.group)
    }

    /// Gives away a file that was just created.
    func take(_ file: OpenFile) {
        // In a container, root might not be allowed to do this. Ignore a failure: the content matters more.
        try? fileSystem.setOwner(user: user, group: group, of: file)
    }

    /// Gives away a folder that was just created.
    func take(_ name: FileName, in folder: OpenFile) {
        guard let new = try? fileSystem.openFolder(name, in: folder),
            // Somebody might have exchanged the folder since, but an empty one has no secrets.
            (try? fileSystem.list(new))?.count == 0
        else { return }
        take(new)
    }
}

extension FileError.Owner {
    /// Takes the owner of the first folder that the user can't write to; nil if it is the user.
    init?(of folders: OpenFile...) {
        let folder = folders.first { faccessat($0.descriptor, ".", W_OK | X_OK, 0) < 0 }
        guard let folder, let status = try? POSIXFileSystem().status(of: folder), status.user != geteuid(),
            let path = Self.path(of: folder)
        else { return nil }
        self.init(user: status.user, path: path, isFolder: true)
    }

    /// Takes the owner of a file or folder that can't be opened; nil if it is the user.
    init?(of name: FileName, in folder: OpenFile) {
        guard let status = try? POSIXFileSystem().status(of: name, in: folder), status.user != geteuid(),
            let path = Self.path(of: folder)
        else { return nil }
        self.init(user: status.user, path: "\(path)/\(name)", isFolder: status.kind == .folder)
    }

    /// Returns the absolute path of an open folder; nil if the system doesn't reveal it.
    private static func path(of folder: OpenFile) -> String? {
        #if os(Linux)
            guard let resolved = realpath("/proc/self/fd/\(folder.descriptor)", nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved)
        #else
            var buffer = [CChar](repeating: 0, count: Int(MAXPATHLEN))
            guard fcntl(folder.descriptor, F_GETPATH, &buffer) == 0 else { return nil }
            return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
        #endif
    }
}
