import Platform

/// The right to change a working directory: who holds it is the only one, until it is let go of or dies.
///
/// It is a lock on `.todosync/lock` that the operating system lets go of with the process; child programs do
/// not inherit it.
package final class WorkingDirectoryLock: Sendable {
    private let file: OpenFile
    private let fileSystem: any FileSystem

    /// Waits for the lock.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for another todosync; the lock is tried once at least.
    ///   - pause: how to wait; tests pass their own.
    ///   - isAskedToEnd: whether the wait is to end now.
    /// - Throws: ``LockError``.
    package init(
        root: String, timeout: Duration, fileSystem: any FileSystem = POSIXFileSystem(),
        pause: (Duration) -> Void = WorkingDirectoryLock.sleep, isAskedToEnd: () -> Bool = { false }
    ) throws(LockError) {
        self.fileSystem = fileSystem
        file = try WorkingDirectoryLock.openLockFile(root: root, fileSystem: fileSystem)
        var remaining = timeout
        // Short at first, so that two short commands do not wait long for each other.
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
        // Closing is not enough where a program is being started just then: until it runs, it has the file,
        // too.
        fileSystem.unlock(file)
    }

    static let name: FileName = "lock"

    /// Removes what is in the lock's file, which once told something.
    func emptyFile() throws(FileError) { try fileSystem.truncate(file, to: 0) }

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
        // A signal ends the sleep early, which does no harm: the lock is then tried earlier.
        _ = nanosleep(&remaining, nil)
    }
}

/// Why a working directory could not be locked.
package enum LockError: Error, Sendable, Hashable {
    /// Another todosync is at work, and did not end in time.
    case busy
    /// The wait was to end.
    case cancelled
    case file(FileError)
}
