/// A change to a user's file, on the condition that the file is what it was taken for.
///
/// Paths are relative to the root, `/` as separator.
package indirect enum FileChange: Sendable, Hashable {
    /// Makes a file where nothing is, with the permissions given or else those that the process's mask
    /// leaves.
    case create(path: String, bytes: [UInt8], permissions: UInt16? = nil)
    /// Replaces a file's content; permissions, extended attributes and access control list stay, and the
    /// owner where that is allowed.
    case replace(path: String, expecting: [UInt8], with: [UInt8])
    case remove(path: String, expecting: [UInt8])
    /// Gives a file a new path, which is free or is freed by the same batch, and new content with it.
    case move(from: String, to: String, expecting: [UInt8], with: [UInt8])
}

/// How a change of a file ended; whatever it is, no content was lost.
package enum FileChangeOutcome: Sendable, Hashable {
    case done
    /// Nothing was changed, because the file was not what was expected: its bytes now, nil if it is gone.
    ///
    /// Of a file with more than ``TodoFile/maximumSize`` bytes one byte more than these is returned.
    case changedMeanwhile([UInt8]?)
    /// Nothing was changed, because something is at the new path, or no regular file at the old one.
    case occupied
    /// Of a move only: the file was as expected, but both its paths were taken meanwhile. It is in neither
    /// place, and its expected bytes should be created elsewhere.
    case withoutPlace
    /// Nothing was changed, because a path is no place for a todo.
    case refused(PathProblem)
    /// The file is as it was, or as it was expected to become.
    case failed(FileError)
    /// Nothing was changed, because the command was asked to end.
    case cancelled
}

/// What somebody wrote into a file that was being exchanged or removed, found at the operation's end.
package struct Straggler: Sendable, Hashable {
    /// Where the file was when todosync took it away.
    package let path: String
    /// The bytes, at most one more than ``TodoFile/maximumSize``.
    package let bytes: [UInt8]
    /// What the file held when it was taken away.
    package let replaced: [UInt8]?
    /// The temporary file that holds them, until ``FileWriter/discard(_:)``.
    package let name: String
}

/// A file in `.todosync/tmp`, or in a folder on another file system, of an operation before.
///
/// It holds what the operation took away and kept, what it was about to write before it was interrupted, or
/// what somebody has written into it since: only the last is worth anything, and is known by being neither of
/// the first two.
package struct Leftover: Sendable, Hashable {
    /// Its path, relative to the root.
    package let name: String
    /// The operation that left it, and which of its changes: counted from 0 over all that it applied.
    package let operation: String
    package let index: Int
    /// Of the text that the change replaced; nil if it replaced none.
    package let mark: ContentMark?
    /// Nil for what is not a regular file, or one with more than ``TodoFile/maximumSize`` bytes: it is
    /// somebody's, and stays.
    package let bytes: [UInt8]?

    /// Whether it holds the text that the change replaced: so the change was carried out, and nobody has
    /// written into the file since.
    package var isReplacedText: Bool {
        guard let mark, let bytes else { return false }
        return ContentMark(of: bytes) == mark
    }
}
