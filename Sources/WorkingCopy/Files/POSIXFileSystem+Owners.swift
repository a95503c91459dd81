import Platform

// The owners of files and folders: root gives away what it creates, and errors name the owner.
extension POSIXFileSystem {
    /// Gives a file that root just created to the owner and the group of the folder that it is in, because
    /// otherwise the folder's owner couldn't use it.
    func giveAway(_ file: OpenFile, in folder: OpenFile) {
        guard let owner = ownerOfNewFiles(in: folder) else { return }
        // In a container, root might not be allowed to do this. Ignore a failure: the content matters more.
        try? setOwner(user: owner.user, group: owner.group, of: file)
    }

    /// Gives away a folder that root just created, as ``giveAway(_:in:)`` does with a file.
    func giveAway(_ name: FileName, in folder: OpenFile) {
        guard ownerOfNewFiles(in: folder) != nil, let new = try? openFolder(name, in: folder),
            // Somebody might have exchanged the folder since, but an empty one has no secrets.
            (try? list(new))?.count == 0
        else { return }
        giveAway(new, in: folder)
    }

    /// Returns the status of a folder if root's new files in it would have another owner or group than it.
    private func ownerOfNewFiles(in folder: OpenFile) -> FileStatus? {
        guard geteuid() == 0, let status = try? status(of: folder) else { return nil }
        return status.user != 0 || status.group != getegid() ? status : nil
    }

    /// Returns the owner of the first folder that the user can't write to, if it is another user.
    func owner(of folders: OpenFile...) -> FileError.Owner? {
        for folder in folders where faccessat(folder.descriptor, ".", W_OK | X_OK, 0) < 0 {
            guard let status = try? status(of: folder), status.user != geteuid(),
                let path = path(of: folder)
            else { return nil }
            return FileError.Owner(user: status.user, path: path, isFolder: true)
        }
        return nil
    }

    /// Returns the owner of a file or folder that can't be opened, if it is another user.
    func owner(of name: FileName, in folder: OpenFile) -> FileError.Owner? {
        guard let status = try? status(of: name, in: folder), status.user != geteuid(),
            let path = path(of: folder)
        else { return nil }
        return FileError.Owner(
            user: status.user, path: "\(path)/\(name)", isFolder: status.kind == .folder)
    }

    /// Returns the absolute path of an open folder; nil if the system doesn't reveal it.
    private func path(of folder: OpenFile) -> String? {
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
