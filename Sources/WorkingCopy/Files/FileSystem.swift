/// The system calls that the working copy uses.
///
/// Every call is relative to an open folder, so no path is resolved twice and no symbolic link is followed.
/// Expected results, such as a missing or an existing file, are returned as values; unexpected results are
/// thrown. Interrupted calls are retried. Tests wrap this protocol to make the nth call fail, or to change
/// files before it.
package protocol FileSystem: Sendable {
    /// Opens the folder at a path, absolute or relative to the current directory; nil if it doesn't exist.
    func openFolder(at path: String) throws(FileError) -> OpenFile?

    /// Opens a subfolder of a folder; nil if it doesn't exist. A symbolic link or a file is an error.
    func openFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> OpenFile?

    /// Opens a file in a folder; nil if it doesn't exist, or if the use requires a new file and the name is
    /// taken.
    ///
    /// A symbolic link is an error. The result isn't necessarily a regular file, so check its status.
    func open(_ name: FileName, in folder: OpenFile, for use: FileUse) throws(FileError) -> OpenFile?

    /// Returns the contents of a folder in no particular order, without `.` and `..`. Two threads mustn't
    /// list the same open folder at once.
    func list(_ folder: OpenFile) throws(FileError) -> FolderListing

    /// Returns the status of a name without following a symbolic link; nil if the name doesn't exist.
    func status(of name: FileName, in folder: OpenFile) throws(FileError) -> FileStatus?

    func status(of file: OpenFile) throws(FileError) -> FileStatus

    /// Returns the bytes from an offset; fewer than `count` only at the end of the file.
    func read(_ file: OpenFile, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]

    /// Writes all bytes: at the end of a file opened for appending, otherwise after the previous write.
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError)

    func truncate(_ file: OpenFile, to size: Int) throws(FileError)

    func setPermissions(_ permissions: UInt16, of file: OpenFile) throws(FileError)

    /// Sets a file's access and modification times, as precisely as its file system stores them.
    func setModified(_ time: FileTime, of file: OpenFile) throws(FileError)

    func setOwner(user: UInt32, group: UInt32, of file: OpenFile) throws(FileError)

    /// Copies another file's extended attributes and access control list, as far as the file system and the
    /// user's permissions allow it.
    ///
    /// - Parameters:
    ///   - permissions: The other file's permissions.
    ///   - hasSameGroup: Whether both files have the same group.
    /// - Returns: The permissions to set: as many of the other file's permissions as possible, without giving
    ///   anybody more access than the other file does.
    func copyAttributes(
        of model: OpenFile, to file: OpenFile, permissions: UInt16, hasSameGroup: Bool
    ) throws(FileError) -> UInt16

    /// Returns whether new files and folders in a folder inherit an access control list; false if the
    /// operating system doesn't report this.
    func hasDefaultAccessList(_ folder: OpenFile) -> Bool

    /// Throws an error if no names can be added to a folder.
    func checkWritable(_ folder: OpenFile) throws(FileError)

    /// Creates a folder; returns false if the name is taken.
    func makeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    /// Removes an empty folder; returns false if it isn't empty, doesn't exist or isn't a folder.
    func removeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    func rename(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile,
        _ manner: RenameManner
    ) throws(FileError) -> RenameOutcome

    /// Gives a file a second name, if that name is free.
    func link(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile
    ) throws(FileError) -> RenameOutcome

    /// Removes a file; returns false if it doesn't exist.
    func remove(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    /// Synchronizes written data to disk.
    func synchronize(_ file: OpenFile, _ extent: SynchronizationExtent) throws(FileError)

    /// Locks a file exclusively until it is unlocked or closed; returns false if another process has locked
    /// it.
    func lock(_ file: OpenFile) throws(FileError) -> Bool

    /// Unlocks a file; has no effect on a file that isn't locked.
    func unlock(_ file: OpenFile)

    /// Returns the time that a file would be stamped with if it changed now.
    func time() throws(FileError) -> FileTime
}

/// The purpose that a file is opened for.
package enum FileUse: Sendable, Hashable {
    case reading
    /// Reading, and writing from the start. A missing file is created.
    case updating
    /// Reading, and writing at the end. A missing file is created.
    case appending
    /// Writing a new file with permissions 0666 minus the process's mask; nil if the name is taken.
    case creating
    /// Writing a new file that only its owner can read or write; nil if the name is taken.
    case creatingPrivately
}

/// The treatment of an existing file at the new name of a rename.
package enum RenameManner: Sendable, Hashable {
    /// Replaces the existing file.
    case replacing
    /// Gives the existing file the old name.
    case exchanging
    /// Cancels the rename.
    case keeping
}

/// The outcome of a rename.
package enum RenameOutcome: Sendable, Hashable {
    case done
    /// The old name doesn't exist; or, in an exchange, the new name doesn't.
    case missing
    /// The new name is taken.
    case occupied
    /// The file system doesn't support the call.
    case unsupported
    /// The names are on two file systems.
    case otherFileSystem
}

/// The extent of a synchronization to disk.
package enum SynchronizationExtent: Sendable, Hashable {
    /// The file's content and status; for a folder, its names.
    case file
    /// The file's content and length.
    case content
    /// Everything that was written to the file's file system.
    case fileSystem
}

/// An open file or folder, which closes when its last reference goes away.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    private let close: @Sendable (Int32) -> Void

    package init(descriptor: Int32, close: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.close = close
    }

    deinit { close(descriptor) }
}
