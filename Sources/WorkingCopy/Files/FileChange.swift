/// A change to a user's file; it is applied only if the file has the expected content.
///
/// Paths are relative to the root, with `/` as separator.
package indirect enum FileChange: Sendable, Hashable {
    /// Creates a file with the given permissions; nil stands for the process's default.
    case create(path: String, bytes: [UInt8], permissions: UInt16? = nil)
    /// Replaces a file's content. The permissions, the extended attributes and the access control list stay.
    /// The owner stays, too, if the system allows that.
    case replace(path: String, expecting: [UInt8], with: [UInt8])
    case remove(path: String, expecting: [UInt8])
    /// Moves a file to a path that is free, or that the same batch frees, and replaces its content.
    case move(from: String, to: String, expecting: [UInt8], with: [UInt8])

    /// The content that the file has afterward; nil if the change removes it.
    var newContent: [UInt8]? {
        switch self {
        case .create(_, let bytes, _), .replace(_, _, let bytes), .move(_, _, _, let bytes): bytes
        case .remove: nil
        }
    }
}

/// The outcome of a change to a file.
///
/// No outcome loses any content.
package enum FileChangeOutcome: Sendable, Hashable {
    case done
    /// Nothing was changed, because the file wasn't as expected. The value has the file's current bytes, or
    /// nil if the file is gone.
    ///
    /// For a file with more than ``TodoFile/maximumSize`` bytes, the value is truncated to one byte more.
    case changedMeanwhile([UInt8]?)
    /// Nothing was changed, because the new path is taken or the old one isn't a regular file.
    case occupied
    /// A move failed although the file was as expected, because both paths were taken in the meantime.
    ///
    /// The file is at neither path. The caller should write its expected bytes to a different path.
    case withoutPath
    /// Nothing was changed, because a path isn't allowed for a todo.
    case refused(PathProblem)
    /// The change failed. The file has its old or its new content.
    case failed(FileError)
    /// Nothing was changed, because the command was asked to end.
    case cancelled
}

/// How far changes to files are cancelled if the command is asked to end.
package enum ChangeCancellation: Sendable {
    /// Not at all: a later command couldn't complete changes that end in the middle.
    case never
    /// A large batch is cancelled as a whole, as long as none of its changes is visible.
    case together
    /// Removals that haven't begun are cancelled one by one, too.
    case eachRemoval
}

/// An edit that somebody made to a file while it was exchanged or removed, found at the operation's end.
package struct LateWrite: Sendable, Hashable {
    /// The file's path when todosync moved it away.
    package let path: String
    /// The file's bytes after the edit, truncated to one byte more than ``TodoFile/maximumSize``.
    package let bytes: [UInt8]
    /// The file's content when it was moved away.
    package let replaced: [UInt8]?
    /// The name of the temporary file with the bytes; the file exists until it is discarded.
    package let name: String
}

/// A file that an earlier operation left in `.todosync/tmp`, or in a folder on a different file system.
///
/// The file contains a text that the operation moved away and kept, a text that it was about to write when it
/// was interrupted, or a text that somebody has written to the file since. Only the last kind is valuable,
/// and it differs from the other two.
package struct Leftover: Sendable, Hashable {
    /// The path relative to the root.
    package let name: String
    /// The operation that left the file, and the number of the change, counted from 0 over all changes of
    /// that operation.
    package let operation: String
    package let index: Int
    /// The mark of the content that the change replaced; nil if there wasn't any.
    package let mark: ContentMark?
    /// The content; nil if the file isn't a regular file or has more than ``TodoFile/maximumSize`` bytes.
    ///
    /// A file without content doesn't belong to todosync, and stays.
    package let bytes: [UInt8]?

    /// Whether the file contains the text that the change replaced.
    ///
    /// If it does, the change was applied and nobody has written to the file since.
    package var isReplacedText: Bool {
        guard let mark, let bytes else { return false }
        return ContentMark(of: bytes) == mark
    }
}

/// The checksum and the length of a text, which identify a file's content.
package struct ContentMark: Hashable, Sendable, CustomStringConvertible {
    private let checksum: UInt32
    private let count: Int

    package init(of bytes: [UInt8]) {
        checksum = Checksum.of(bytes)
        count = bytes.count
    }

    /// Creates the mark of a text, ignoring line endings.
    package init(ofLines bytes: [UInt8]) {
        let carriageReturn = UInt8(ascii: "\r")
        guard bytes.contains(carriageReturn) else {
            self.init(of: bytes)
            return
        }
        let next = bytes.dropFirst() + [0]
        self.init(
            of: zip(bytes, next).filter { $0 != carriageReturn || $1 != UInt8(ascii: "\n") }.map(\.0))
    }

    /// Creates the mark of a path instead of a text.
    package init(ofPath path: some StringProtocol) { self.init(of: Array(path.utf8)) }

    /// Creates a mark from its ``description``; nil if the text isn't valid.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let checksum = UInt32(parts[0], radix: 16), let count = Int(parts[1]) else {
            return nil
        }
        self.checksum = checksum
        self.count = count
    }

    /// The mark in the form `9a3b2c1d-345`: the checksum in hexadecimal digits, and the number of bytes.
    package var description: String { "\(String(checksum, radix: 16))-\(count)" }
}
