/// The calls to the operating system that the working copy needs.
///
/// Every call is relative to an open folder, so that no path is resolved twice and no symbolic link is
/// followed. What is foreseen (nothing is there, something is in the way) is a value; only the unforeseen is
/// thrown. Interrupted calls are repeated. Tests wrap this to fail or to change files at the n-th call.
package protocol FileSystem: Sendable {
    /// Opens the folder at an absolute path, or one relative to the process's; nil if nothing is there.
    func openFolder(at path: String) throws(FileError) -> OpenFile?

    /// Opens a folder in a folder; nil if nothing is there. A symbolic link is an error, as is a file.
    func openFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> OpenFile?

    /// Opens a file in a folder; nil if nothing is there, or if something is there that must not be.
    ///
    /// A symbolic link is an error. What is opened may be no regular file: ask for its status.
    func open(_ name: FileName, in folder: OpenFile, for use: FileUse) throws(FileError) -> OpenFile?

    /// Returns what is in a folder, in no order, without `.` and `..`; one at a time of the same open folder.
    func list(_ folder: OpenFile) throws(FileError) -> FolderListing

    /// Returns what a name stands for, a symbolic link itself, not what it leads to; nil if nothing is there.
    func status(of name: FileName, in folder: OpenFile) throws(FileError) -> FileStatus?

    func status(of file: OpenFile) throws(FileError) -> FileStatus

    /// Returns the bytes from an offset on, fewer than `count` only at the file's end.
    func read(_ file: OpenFile, from offset: Int, atMost count: Int) throws(FileError) -> [UInt8]

    /// Writes all the bytes: at the end of a file opened for appending, else where the last write ended.
    func write(_ bytes: [UInt8], to file: OpenFile) throws(FileError)

    func truncate(_ file: OpenFile, to size: Int) throws(FileError)

    func setPermissions(_ permissions: UInt16, of file: OpenFile) throws(FileError)

    func setOwner(user: UInt32, group: UInt32, of file: OpenFile) throws(FileError)

    /// Gives a file another one's extended attributes and access control list, as far as the file system has
    /// them and lets this user set them.
    ///
    /// - Parameters:
    ///   - permissions: the other file's.
    ///   - hasSameGroup: whether the file has the other one's group.
    /// - Returns: the permissions to give the file: as many of the other one's as let nobody do more with the
    ///   file than with the other one.
    func copyAttributes(
        of model: OpenFile, to file: OpenFile, permissions: UInt16, hasSameGroup: Bool
    ) throws(FileError) -> UInt16

    /// Whether files and folders made in a folder get an access control list from it; false where the
    /// operating system does not say.
    func hasDefaultAccessList(_ folder: OpenFile) -> Bool

    /// Throws if names must not be put into a folder.
    func checkWritable(_ folder: OpenFile) throws(FileError)

    /// Makes a folder and returns true, or returns false because something is there already.
    func makeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    /// Removes an empty folder and returns true, or returns false because it is not empty, not there, no
    /// folder.
    func removeFolder(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    func rename(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile,
        _ manner: RenameManner
    ) throws(FileError) -> RenameOutcome

    /// Gives a file a second name, if nothing has that name.
    func link(
        _ name: FileName, in folder: OpenFile, to newName: FileName, in newFolder: OpenFile
    ) throws(FileError) -> RenameOutcome

    /// Removes a file and returns true, or returns false because nothing is there.
    func remove(_ name: FileName, in folder: OpenFile) throws(FileError) -> Bool

    /// Returns when what was written is on the disk.
    func synchronize(_ file: OpenFile, _ extent: SynchronizationExtent) throws(FileError)

    /// Locks a file for its only user until it is unlocked or closed, and returns true; false if somebody
    /// else has it locked.
    func lock(_ file: OpenFile) throws(FileError) -> Bool

    /// Gives back a lock; a file that is not locked stays so.
    func unlock(_ file: OpenFile)

    /// Returns the time that a file changed now would be stamped with.
    func time() throws(FileError) -> FileTime
}

/// What a file is opened for.
package enum FileUse: Sendable, Hashable {
    case reading
    /// Reading and writing from the start; an absent file is made.
    case updating
    /// Reading, and writing at the end; an absent file is made.
    case appending
    /// Writing a new file, with permissions 0666 less the process's mask; nil if something is there.
    case creating
    /// Writing a new file that nobody but its owner can read or write; nil if something is there.
    case creatingPrivately
}

/// What happens to the new name's file in a renaming.
package enum RenameManner: Sendable, Hashable {
    /// It is replaced.
    case replacing
    /// It gets the old name.
    case exchanging
    /// It stays, and nothing is renamed.
    case keeping
}

/// How a renaming ended.
package enum RenameOutcome: Sendable, Hashable {
    case done
    /// Nothing has the old name (or, exchanging, the new one).
    case missing
    /// Something has the new name.
    case occupied
    /// The file system cannot do this.
    case unsupported
    /// The names are on two file systems.
    case otherFileSystem
}

/// How much is to be on the disk.
package enum SynchronizationExtent: Sendable, Hashable {
    /// The file's content and its status; for a folder its names.
    case file
    /// The file's content and length.
    case content
    /// All that was written to the file system the file is on.
    case fileSystem
}

/// An open file or folder; closed with its last reference.
package final class OpenFile: Sendable {
    package let descriptor: Int32
    private let close: @Sendable (Int32) -> Void

    package init(descriptor: Int32, close: @escaping @Sendable (Int32) -> Void) {
        self.descriptor = descriptor
        self.close = close
    }

    deinit { close(descriptor) }
}
