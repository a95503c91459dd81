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

/// The file system's information about a file, besides its content.
package struct FileStatus: Sendable, Hashable {
    package var kind: FileKind
    /// The permission bits, including the set-id bits (`07777`).
    package var permissions: UInt16
    package var user: UInt32
    package var group: UInt32
    /// The number of names (hard links).
    package var names: UInt64
    package var stamp: FileStamp

    package init(
        kind: FileKind, permissions: UInt16, user: UInt32, group: UInt32, names: UInt64 = 1, stamp: FileStamp
    ) {
        self.kind = kind
        self.permissions = permissions
        self.user = user
        self.group = group
        self.names = names
        self.stamp = stamp
    }

    /// Whether new files in the folder get its group.
    var givesItsGroup: Bool { permissions & 0o2000 != 0 }
}

/// The kind of an entry in a folder.
package enum FileKind: UInt8, Sendable, Hashable {
    case file
    case folder
    case symbolicLink
    /// A device, a pipe or a socket.
    case other
    /// The listing doesn't specify the kind. Only a ``FolderListing`` has this value.
    case unknown
}

/// The attributes that show whether a file is unchanged, without reading the file.
///
/// Any change to the content also changes the stamp, unless the change comes within the same clock tick as
/// the read; see ``isReliable(at:)``.
package struct FileStamp: Sendable, Hashable {
    package var device: UInt64
    package var inode: UInt64
    /// The size in bytes.
    package var size: Int64
    package var modified: FileTime
    package var changed: FileTime

    package init(device: UInt64, inode: UInt64, size: Int64, modified: FileTime, changed: FileTime) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.changed = changed
    }

    /// A stamp that differs from every file's, for a file that must be read again. (Git uses the size 0 for
    /// this.)
    package static let unreliable = FileStamp(
        device: 0, inode: 0, size: -1, modified: FileTime(seconds: 0, nanoseconds: 0),
        changed: FileTime(seconds: 0, nanoseconds: 0))

    /// Returns whether any change made to the file after a time would change its stamp.
    ///
    /// A time without nanoseconds comes from a file system that stores only seconds or, like FAT, only even
    /// seconds.
    package func isReliable(at time: FileTime) -> Bool {
        max(modified, changed).isTickBefore(time)
    }

    /// Returns whether both stamps have the same file, size and modification time.
    func hasContent(of other: FileStamp) -> Bool {
        device == other.device && inode == other.inode && size == other.size && modified == other.modified
    }

    /// Returns whether any change made to the content after a time would change the modification time.
    func isWritten(before time: FileTime) -> Bool { modified.isTickBefore(time) }
}

/// A time of the file system's clock; it is comparable only with other times of the same file system.
package struct FileTime: Sendable, Hashable, Comparable {
    package var seconds: Int64
    package var nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (left: FileTime, right: FileTime) -> Bool {
        left.seconds != right.seconds ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds
    }

    static func seconds(_ seconds: Int64) -> FileTime { FileTime(seconds: seconds, nanoseconds: 0) }

    static func milliseconds(_ milliseconds: Int32) -> FileTime {
        FileTime(seconds: 0, nanoseconds: milliseconds * 1_000_000)
    }

    /// Returns whether the clock that stamps files ticked between this time and another time.
    ///
    /// A kernel's tick is at most 10 ms, as is the resolution of file systems that store fractions of a
    /// second.
    func isTickBefore(_ time: FileTime) -> Bool {
        advanced(by: nanoseconds == 0 ? .seconds(2) : .milliseconds(10)) < time
    }

    func advanced(by duration: FileTime) -> FileTime {
        let sum = nanoseconds + duration.nanoseconds
        // A file can have any time, so the addition mustn't trap.
        return FileTime(
            seconds: seconds &+ duration.seconds &+ Int64(sum / 1_000_000_000),
            nanoseconds: sum % 1_000_000_000)
    }
}
