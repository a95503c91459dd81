import Platform

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
