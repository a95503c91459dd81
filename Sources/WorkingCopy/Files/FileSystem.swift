/// The calls to the operating system that the working copy needs.
///
/// Every call is relative to an open folder, so that no path is resolved twice and no symbolic link is
/// followed. Expected results, such as a missing or an existing file, are returned as values; only unexpected
/// ones are thrown. Interrupted calls are repeated. Tests wrap this protocol to fail, or to change files, at
/// the n-th call.
package protocol FileSystem: Sendable {
    /// Opens the folder at a path, absolute or relative to the current directory; nil if nothing is there.
    func openFolder(at path: String) throws(FileError) -> OpenFile?

    /// Opens a folder in a folder; nil if nothing is there. A symbolic link or a file is an error.
    func openFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> OpenFile?

    /// Opens a file in a folder; nil if nothing is there, or if the use requires that nothing is there and
    /// something is.
    ///
    /// A symbolic link is an error. The result may not be a regular file: check its status.
    func open(_ name: FileName, in folder: OpenFile, for use: FileUse) throws(FileError) -> OpenFile?

    /// Returns the contents of a folder, in no particular order, without `.` and `..`; not concurrently for
    /// the same open folder.
    func list(_ folder: OpenFile) throws(FileError) -> FolderListing

    /// Returns the status of a name, without following a symbolic link; nil if nothing is there.
    func status(of name: FileName, in folder: OpenFile) throws(FileError) -> FileStatus?

    func status(of file: OpenFile) throws(FileError) -> FileStatus

    /// Returns the bytes from an offset on; fewer than `count` only at the file's end.
    func read(_ file: OpenFile, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]

    /// Writes all the bytes: at the end of a file opened for appending, otherwise where the last write ended.
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError)

    func truncate(_ file: OpenFile, to size: Int) throws(FileError)

    func setPermissions(_ permissions: UInt16, of file: OpenFile) throws(FileError)

    func setOwner(user: UInt32, group: UInt32, of file: OpenFile) throws(FileError)

    /// Copies another file's extended attributes and access control list, as far as the file system supports
    /// them and lets this user set them.
    ///
    /// - Parameters:
    ///   - permissions: the other file's permissions.
    ///   - hasSameGroup: whether both files have the same group.
    /// - Returns: the permissions to set: as many of the other file's as possible without allowing anybody
    ///   more than the other file does.
    func copyAttributes(
        of model: OpenFile, to file: OpenFile, permissions: UInt16, hasSameGroup: Bool
    ) throws(FileError) -> UInt16

    /// Whether new files and folders in a folder get an access control list from it; false if the operating
    /// system doesn't report it.
    func hasDefaultAccessList(_ folder: OpenFile) -> Bool

    /// Throws if no names can be added to a folder.
    func checkWritable(_ folder: OpenFile) throws(FileError)

    /// Creates a folder and returns true, or returns false if something is already there.
    func makeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    /// Removes an empty folder and returns true, or returns false if it isn't empty, isn't there or isn't a
    /// folder.
    func removeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    func rename(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile,
        _ manner: RenameManner
    ) throws(FileError) -> RenameOutcome

    /// Gives a file a second name, if that name is free.
    func link(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile
    ) throws(FileError) -> RenameOutcome

    /// Removes a file and returns true, or returns false if nothing is there.
    func remove(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    /// Synchronizes what was written to the disk.
    func synchronize(_ file: OpenFile, _ extent: SynchronizationExtent) throws(FileError)

    /// Locks a file exclusively until it is unlocked or closed, and returns true; false if another process
    /// has locked it.
    func lock(_ file: OpenFile) throws(FileError) -> Bool

    /// Unlocks a file; a file that isn't locked stays so.
    func unlock(_ file: OpenFile)

    /// Returns the time that a file changed now would get.
    func time() throws(FileError) -> FileTime
}

/// The use that a file is opened for.
package enum FileUse: Sendable, Hashable {
    case reading
    /// Reading and writing from the start; a missing file is created.
    case updating
    /// Reading, and writing at the end; a missing file is created.
    case appending
    /// Writing a new file, with permissions 0666 without the process's mask; nil if something is there.
    case creating
    /// Writing a new file that only its owner can read or write; nil if something is there.
    case creatingPrivately
}

/// What a rename does with an existing file at the new name.
package enum RenameManner: Sendable, Hashable {
    /// The existing file is replaced.
    case replacing
    /// The existing file gets the old name.
    case exchanging
    /// The existing file stays, and nothing is renamed.
    case keeping
}

/// The outcome of a rename.
package enum RenameOutcome: Sendable, Hashable {
    case done
    /// Nothing has the old name, or, when exchanging, the new one.
    case missing
    /// Something has the new name.
    case occupied
    /// The file system doesn't support this.
    case unsupported
    /// The names are on two file systems.
    case otherFileSystem
}

/// The extent of a synchronization to the disk.
package enum SynchronizationExtent: Sendable, Hashable {
    /// The file's content and status; for a folder, its names.
    case file
    /// The file's content and length.
    case content
    /// Everything that was written to the file's file system.
    case fileSystem
}

/// An open file or folder, which is closed with its last reference.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    private let close: @Sendable (Int32) -> Void

    package init(descriptor: Int32, close: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.close = close
    }

    deinit { close(descriptor) }
}
