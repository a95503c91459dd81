/// A change to a user's file, which is applied only if the file is as expected.
///
/// Paths are relative to the root, with `/` as separator.
package indirect enum FileChange: Sendable, Hashable {
    /// Creates a file, with the given permissions or those that the process's mask leaves.
    case create(path: String, bytes: [UInt8], permissions: UInt16? = nil)
    /// Replaces a file's content; permissions, extended attributes and the access control list stay, and so
    /// does the owner if that is allowed.
    case replace(path: String, expecting: [UInt8], with: [UInt8])
    case remove(path: String, expecting: [UInt8])
    /// Moves a file to a path that is free or freed by the same batch, and replaces its content.
    case move(from: String, to: String, expecting: [UInt8], with: [UInt8])
}

/// The outcome of a change to a file; no outcome loses any content.
package enum FileChangeOutcome: Sendable, Hashable {
    case done
    /// Nothing was changed, because the file wasn't as expected; the value has its current bytes, nil if it
    /// is gone.
    ///
    /// For a file with more than ``TodoFile/maximumSize`` bytes, the value has one byte more than that.
    case changedMeanwhile([UInt8]?)
    /// Nothing was changed, because the new path is taken, or there is no regular file at the old one.
    case occupied
    /// A move failed although the file was as expected, because both paths were taken in the meantime.
    ///
    /// The file is at neither path, and its expected bytes should be created elsewhere.
    case withoutPlace
    /// Nothing was changed, because a path isn't allowed for a todo.
    case refused(PathProblem)
    /// The change failed; the file is as it was, or as it was expected to become.
    case failed(FileError)
    /// Nothing was changed, because the command was asked to end.
    case cancelled
}

/// An edit made to a file while it was being exchanged or removed, found at the operation's end.
package struct LateWrite: Sendable, Hashable {
    /// The file's path when todosync moved it away.
    package let path: String
    /// The bytes, at most one more than ``TodoFile/maximumSize``.
    package let bytes: [UInt8]
    /// The file's content when it was moved away.
    package let replaced: [UInt8]?
    /// The name of the temporary file that contains the bytes, until ``FileWriter/discard(_:)``.
    package let name: String
}

/// A file of an earlier operation in `.todosync/tmp`, or in a folder on another file system.
///
/// It contains what the operation moved away and kept, what it was about to write when it was interrupted, or
/// what was written to it since. Only the last is valuable; it is recognized by being neither of the first
/// two.
package struct Leftover: Sendable, Hashable {
    /// The path relative to the root.
    package let name: String
    /// The operation that left it, and the number of the change, counted from 0 over all changes that it
    /// applied.
    package let operation: String
    package let index: Int
    /// The mark of the text that the change replaced; nil if it replaced none.
    package let mark: ContentMark?
    /// The content; nil if it isn't a regular file or has more than ``TodoFile/maximumSize`` bytes.
    ///
    /// A file without content belongs to somebody else, and stays.
    package let bytes: [UInt8]?

    /// Whether it contains the text that the change replaced, which means that the change was applied and the
    /// file wasn't written to since.
    package var isReplacedText: Bool {
        guard let mark, let bytes else { return false }
        return ContentMark(of: bytes) == mark
    }
}
