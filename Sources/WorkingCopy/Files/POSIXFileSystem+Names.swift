import CSystemCalls
import Platform

// The calls that create, change and remove names in folders.
extension POSIXFileSystem {
    package func checkWritable(_ folder: OpenFile) throws(FileError) {
        if repeating({ faccessat(folder.descriptor, ".", W_OK | X_OK, 0) }) < 0 {
            throw failure(.writeInFolder, "", owner: FileError.Owner(of: folder))
        }
    }

    package func makeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        if name.withCString({ name in repeating { mkdirat(folder.descriptor, name, 0o777) } }) == 0 {
            OwnerOfNewFiles(in: folder)?.take(name, in: folder)
            return true
        }
        if errno == EEXIST { return false }
        throw failure(.makeFolder, name.description, owner: FileError.Owner(of: folder))
    }

    package func removeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        let code = name.withCString { name in repeating { unlinkat(folder.descriptor, name, AT_REMOVEDIR) } }
        if code == 0 { return true }
        switch errno {
        // A mount point or a process's working directory stays, too.
        case ENOTEMPTY, EEXIST, ENOENT, ENOTDIR, EBUSY: return false
        default: throw failure(.removeFolder, name.description, owner: FileError.Owner(of: folder))
        }
    }

    package func rename(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile,
        _ manner: RenameManner
    ) throws(FileError) -> RenameOutcome {
        let code = name.withCString { name in
            newName.withCString { newName in
                repeating { () -> Int32 in
                    switch manner {
                    case .replacing: renameat(folder.descriptor, name, newFolder.descriptor, newName)
                    case .exchanging:
                        csystem_rename_exchange(folder.descriptor, name, newFolder.descriptor, newName)
                    case .keeping:
                        csystem_rename_no_replace(folder.descriptor, name, newFolder.descriptor, newName)
                    }
                }
            }
        }
        if code < 0, errno == EXDEV, manner != .replacing, isSame(folder, newFolder) { return .unsupported }
        return try outcome(
            code, .rename, name, isPlain: manner == .replacing, owner: FileError.Owner(of: folder, newFolder))
    }

    /// Returns whether two folders are the same, and leaves `errno` unchanged.
    private func isSame(_ folder: OpenFile, _ other: OpenFile) -> Bool {
        let code = errno
        defer { errno = code }
        guard let (status, otherStatus) = try? (status(of: folder), status(of: other)) else { return false }
        return status.stamp.device == otherStatus.stamp.device
            && status.stamp.inode == otherStatus.stamp.inode
    }

    package func link(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile
    ) throws(FileError) -> RenameOutcome {
        let code = name.withCString { name in
            newName.withCString { newName in
                repeating { linkat(folder.descriptor, name, newFolder.descriptor, newName, 0) }
            }
        }
        // Linux reports EPERM if a file system doesn't support hard links.
        if code < 0, errno == EPERM || errno == EMLINK { return .unsupported }
        return try outcome(code, .link, name, isPlain: false, owner: FileError.Owner(of: newFolder))
    }

    private func outcome(
        _ code: Int32, _ operation: FileError.Operation, _ name: FileName, isPlain: Bool,
        owner: @autoclosure () -> FileError.Owner?
    ) throws(FileError) -> RenameOutcome {
        if code == 0 { return .done }
        switch errno {
        case ENOENT: return .missing
        case EEXIST, ENOTEMPTY: return .occupied
        case EXDEV: return .otherFileSystem
        case EINVAL, ENOSYS, ENOTSUP:
            if !isPlain { return .unsupported }
        default: break
        }
        throw failure(operation, name.description, owner: owner())
    }

    package func remove(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool {
        if name.withCString({ name in repeating { unlinkat(folder.descriptor, name, 0) } }) == 0 {
            return true
        }
        if errno == ENOENT { return false }
        throw failure(.remove, name.description, owner: FileError.Owner(of: folder))
    }

    /// Retries a call that a signal interrupted.
    func repeating(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Returns the error of the system call that just failed.
    ///
    /// - Parameter owner: The other user whose file or folder it is about, for a lack of permission.
    func failure(
        _ operation: FileError.Operation, _ path: String, owner: @autoclosure () -> FileError.Owner? = nil
    ) -> FileError {
        var error = FileError(operation, path, code: errno)
        if error.isNotPermitted { error.owner = owner() }
        return error
    }
}

extension FileKind {
    fileprivate init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .symbolicLink
        default: self = .other
        }
    }
}

extension FileStatus {
    init(_ status: stat) {
        #if os(Linux)
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #else
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #endif
        self.init(
            kind: FileKind(mode: status.st_mode), permissions: UInt16(status.st_mode & 0o7777),
            user: status.st_uid, group: status.st_gid, names: UInt64(status.st_nlink),
            stamp: FileStamp(
                device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino),
                size: Int64(status.st_size), modified: FileTime(modified), changed: FileTime(changed)))
    }
}

extension FileTime {
    init(_ time: timespec) {
        self.init(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
    }
}

#if os(Linux)
    extension POSIXFileSystem {
        /// The buffer size for one call.
        ///
        /// Larger folders need several calls.
        private static let listingSize = 1 << 16

        package func list(_ folder: OpenFile) throws(FileError) -> FolderListing {
            // Start over, because the position is still where the previous listing ended.
            guard lseek(folder.descriptor, 0, SEEK_SET) == 0 else { throw failure(.list, ".") }
            var listing = FolderListing()
            let code = withUnsafeTemporaryAllocation(byteCount: Self.listingSize, alignment: 8) { buffer in
                while true {
                    let count = csystem_read_directory(folder.descriptor, buffer.baseAddress, buffer.count)
                    if count == 0 { return 0 as Int32 }
                    if count > 0 {
                        listing.append(entries: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    } else if errno != EINTR {
                        return errno
                    }
                }
            }
            if code != 0 { throw FileError(.list, ".", code: code) }
            return listing
        }
    }

    extension FolderListing {
        /// Appends entries in the format of `getdents64`: inode and offset in 8 bytes each, the entry's
        /// length in 2, the type in 1, and the NUL-terminated name.
        fileprivate mutating func append(entries: UnsafeRawBufferPointer) {
            let (lengthOffset, typeOffset, nameOffset) = (16, 18, 19)
            var rest = entries[...]
            while rest.count > nameOffset {
                let entry = UnsafeRawBufferPointer(rebasing: rest)
                let length = Int(entry.loadUnaligned(fromByteOffset: lengthOffset, as: UInt16.self))
                guard (nameOffset...rest.count).contains(length) else { return }
                append(field: entry[nameOffset..<length], FileKind(entryType: entry[typeOffset]))
                rest = rest.dropFirst(length)
            }
        }
    }
#else
    extension POSIXFileSystem {
        package func list(_ folder: OpenFile) throws(FileError) -> FolderListing {
            // Open the folder again, because the stream moves the position and closes the descriptor.
            let descriptor = repeating { openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
            guard descriptor >= 0 else { throw failure(.list, ".") }
            guard let stream = fdopendir(descriptor) else {
                let error = failure(.list, ".")
                close(descriptor)
                throw error
            }
            defer { closedir(stream) }
            var listing = FolderListing()
            while true {
                errno = 0
                guard let entry = readdir(stream) else {
                    if errno == 0 { return listing }
                    throw failure(.list, ".")
                }
                listing.append(entry)
            }
        }
    }

    extension FolderListing {
        fileprivate mutating func append(_ entry: UnsafeMutablePointer<dirent>) {
            let kind = FileKind(entryType: entry.pointee.d_type)
            withUnsafeBytes(of: &entry.pointee.d_name) { append(field: $0[...], kind) }
        }
    }
#endif

extension FolderListing {
    private static let dot = UInt8(ascii: ".")

    /// Appends an entry from the operating system, except `.` and `..`.
    ///
    /// - Parameter field: The name, followed by NUL and perhaps other bytes.
    fileprivate mutating func append(field: Slice<UnsafeRawBufferPointer>, _ kind: FileKind) {
        let name = UnsafeRawBufferPointer(rebasing: field[..<(field.firstIndex(of: 0) ?? field.endIndex)])
        if name.count <= 2, name.allSatisfy({ $0 == FolderListing.dot }) { return }
        append(name, kind)
    }
}

extension FileKind {
    fileprivate init(entryType: UInt8) {
        switch Int32(entryType) {
        case Int32(DT_REG): self = .file
        case Int32(DT_DIR): self = .folder
        case Int32(DT_LNK): self = .symbolicLink
        case Int32(DT_UNKNOWN): self = .unknown
        default: self = .other
        }
    }
}
