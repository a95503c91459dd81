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
