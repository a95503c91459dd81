import Platform

/// The exclusive right to change a working directory, until it is released or its process ends.
///
/// The right is a lock on the file `.todosync/lock`. The operating system releases the lock when the process
/// ends, and child processes don't inherit it.
package final class WorkingDirectoryLock: Sendable {
    private let file: OpenFile
    private let fileSystem: any FileSystem

    /// Acquires the lock, waiting for it if necessary.
    ///
    /// - Parameters:
    ///   - timeout: The time to wait for another todosync process; at least one attempt is made.
    ///   - pause: The function that waits between attempts; tests pass their own.
    ///   - isAskedToEnd: Returns whether to stop waiting.
    /// - Throws: A ``LockError``.
    package init(
        root: String, timeout: Duration, fileSystem: any FileSystem = POSIXFileSystem(),
        pause: (Duration) -> Void = WorkingDirectoryLock.sleep, isAskedToEnd: () -> Bool = { false }
    ) throws(LockError) {
        self.fileSystem = fileSystem
        file = try WorkingDirectoryLock.openLockFile(root: root, fileSystem: fileSystem)
        var remaining = timeout
        // Begin with short pauses, so that two short commands don't wait long for each other.
        var step = Duration.milliseconds(1)
        while true {
            do throws(FileError) {
                if try fileSystem.lock(file) { return }
            } catch {
                throw .file(error.at(".todosync/lock"))
            }
            if isAskedToEnd() { throw .cancelled }
            guard remaining > .zero else { throw .busy }
            step = min(step, remaining)
            pause(step)
            remaining -= step
            step = min(step * 2, .milliseconds(50))
        }
    }

    deinit {
        // Closing the file isn't enough: a child process that is being started has the file open, too, until
        // its program runs.
        fileSystem.unlock(file)
    }

    private static let name: FileName = "lock"

    private static func openLockFile(root: String, fileSystem: any FileSystem) throws(LockError) -> OpenFile {
        do throws(FileError) {
            guard let rootFolder = try fileSystem.openFolder(at: root),
                let folder = try fileSystem.openFolder(stateFolderName, in: rootFolder),
                let file = try fileSystem.open(name, in: folder, for: .updating)
            else { throw FileError(.open, ".todosync/lock", code: ENOENT) }
            return file
        } catch {
            throw .file(error.at(".todosync/lock"))
        }
    }

    /// Puts the thread to sleep.
    package static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var remaining = timespec()
        remaining.tv_sec = Int(seconds)
        remaining.tv_nsec = Int(attoseconds / 1_000_000_000)
        // A signal can end the sleep early, which is harmless: the next attempt comes sooner.
        _ = nanosleep(&remaining, nil)
    }
}

/// The reason why a working directory couldn't be locked.
package enum LockError: Error, Sendable, Hashable {
    /// Another todosync process held the lock until the timeout.
    case busy
    /// The wait was cancelled.
    case cancelled
    case file(FileError)
}
