/// A file that can be a todo by its name and place.
package struct FoundFile: Sendable, Hashable {
    /// Relative to the root, `/` as separator.
    package let path: String
    package let content: Content
    /// The permission bits.
    package let permissions: UInt16
    /// As it was before the file was read; ``FileStamp/unsettled`` if the file may change without its stamp
    /// changing, so that it is always right to remember this for a ``KnownFile``.
    package let stamp: FileStamp

    package enum Content: Sendable, Hashable {
        case read([UInt8])
        /// More than ``TodoFile/maximumSize`` bytes; the first 65,536 of them.
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
    /// Makes one of what was just read.
    ///
    /// - Parameter time: when the looking began.
    init(path: String, _ read: FileContent, at time: FileTime) {
        let isTooLarge = read.bytes.count > TodoFile.maximumSize
        self.init(
            path: path,
            content: isTooLarge ? .tooLarge(beginning: Array(read.bytes.prefix(1 << 16))) : .read(read.bytes),
            permissions: read.status.permissions,
            stamp: read.status.stamp.isSettled(at: time) ? read.status.stamp : .unsettled)
    }
}
