/// What the file system knows of a file besides its content.
package struct FileStatus: Sendable, Hashable {
    package var kind: FileKind
    /// The permission bits, set-id bits included (`07777`).
    package var permissions: UInt16
    package var user: UInt32
    package var group: UInt32
    package var stamp: FileStamp

    package init(kind: FileKind, permissions: UInt16, user: UInt32, group: UInt32, stamp: FileStamp) {
        self.kind = kind
        self.permissions = permissions
        self.user = user
        self.group = group
        self.stamp = stamp
    }

    /// Whether what is made in it gets its group, where it is a folder.
    var givesItsGroup: Bool { permissions & 0o2000 != 0 }
}

/// What a name in a folder can stand for.
package enum FileKind: UInt8, Sendable, Hashable {
    case file
    case folder
    case symbolicLink
    /// A device, a pipe, a socket.
    case other
    /// The listing does not say; only in a ``FolderListing``.
    case unknown
}

/// By which a file is known to be unchanged without reading it: every change of the content changes it,
/// unless the file was changed within the clock's tick in which it was read (see ``isSettled(at:)``).
package struct FileStamp: Sendable, Hashable {
    package var device: UInt64
    package var inode: UInt64
    /// In bytes.
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

    /// A stamp that equals no file's, for one that must be read again; git does the same with size 0.
    package static let unsettled = FileStamp(
        device: 0, inode: 0, size: -1, modified: FileTime(seconds: 0, nanoseconds: 0),
        changed: FileTime(seconds: 0, nanoseconds: 0))

    /// Returns whether any change of the file after a time would give it another stamp.
    ///
    /// A time without nanoseconds comes from a file system that counts seconds, or two seconds as FAT does.
    package func isSettled(at time: FileTime) -> Bool {
        max(modified, changed).isTickBefore(time)
    }

    /// Whether it is of the same file, last written at the same time.
    func hasContent(of other: FileStamp) -> Bool {
        device == other.device && inode == other.inode && size == other.size && modified == other.modified
    }

    /// Returns whether any change of the content after a time would give it another time of modification.
    func isWritten(before time: FileTime) -> Bool { modified.isTickBefore(time) }
}

/// A moment by the file system's clock, compared only with others of the same file system.
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

    /// Whether the clock that files are stamped by has gone on between this and another time.
    ///
    /// A kernel's tick is 10 ms at most, and so are the steps of file systems that tell more than seconds.
    func isTickBefore(_ time: FileTime) -> Bool {
        advanced(by: nanoseconds == 0 ? .seconds(2) : .milliseconds(10)) < time
    }

    func advanced(by duration: FileTime) -> FileTime {
        let sum = nanoseconds + duration.nanoseconds
        // A file may bear any time, so that adding must not trap.
        return FileTime(
            seconds: seconds &+ duration.seconds &+ Int64(sum / 1_000_000_000),
            nanoseconds: sum % 1_000_000_000)
    }
}
