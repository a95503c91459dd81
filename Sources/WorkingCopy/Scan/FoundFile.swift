/// A file that can be a todo, judging by its name and path.
package struct FoundFile: Sendable, Hashable {
    /// The path relative to the root, with `/` as separator.
    package let path: String
    package let content: Content
    /// The permission bits.
    package let permissions: UInt16
    /// The stamp that the file had before it was read.
    ///
    /// It is ``FileStamp/unsettled`` if the file could change without changing its stamp, so it is always
    /// safe to keep in a ``KnownFile``.
    package let stamp: FileStamp

    package enum Content: Sendable, Hashable {
        case read([UInt8])
        /// The file has more than ``TodoFile/maximumSize`` bytes; the value has the first 65,536 of them.
        case tooLarge(beginning: [UInt8])
    }

    package init(path: String, content: Content, permissions: UInt16, stamp: FileStamp) {
        self.path = path
        self.content = content
        self.permissions = permissions
        self.stamp = stamp
    }
}

extension FoundFile {
    /// Creates a found file from the result of reading it.
    ///
    /// - Parameter time: The time when the scan began.
    init(path: String, _ read: FileContent, at time: FileTime) {
        let isTooLarge = read.bytes.count > TodoFile.maximumSize
        self.init(
            path: path,
            content: isTooLarge ? .tooLarge(beginning: Array(read.bytes.prefix(1 << 16))) : .read(read.bytes),
            permissions: read.status.permissions,
            stamp: read.status.stamp.isSettled(at: time) ? read.status.stamp : .unsettled)
    }
}

extension FoundFile {
    /// The file's bytes; nil if it is too large.
    var bytes: [UInt8]? { if case .read(let bytes) = content { bytes } else { nil } }
}

/// A file that would be a todo's by the end of its name, but whose path isn't allowed for a todo.
package struct UnsuitableFile: Sendable, Hashable {
    package let file: FoundFile
    package let problem: PathProblem
}
