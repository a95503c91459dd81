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
/// the read; see ``isSettled(at:)``.
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
    package static let unsettled = FileStamp(
        device: 0, inode: 0, size: -1, modified: FileTime(seconds: 0, nanoseconds: 0),
        changed: FileTime(seconds: 0, nanoseconds: 0))

    /// Returns whether any change made to the file after a time would change its stamp.
    ///
    /// A time without nanoseconds comes from a file system that stores only seconds or, like FAT, only even
    /// seconds.
    package func isSettled(at time: FileTime) -> Bool {
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
