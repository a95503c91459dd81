import Foundation
import TestSupport
import Testing
import WorkingCopy

@Suite struct WorkingDirectoryLockTests {
    @Test func `a second todosync waits, then reports that another process has the lock`() throws {
        let folder = try TemporaryFolder([:])
        let lock = try WorkingDirectoryLock(root: folder.path, timeout: .zero)
        var waited = Duration.zero
        let error = #expect(throws: LockError.self) {
            try WorkingDirectoryLock(root: folder.path, timeout: .seconds(1)) { waited += $0 }
        }
        #expect(error == .busy)
        #expect(waited == .seconds(1))
        withExtendedLifetime(lock) {}
    }

    @Test func `a wait ends on request, but a free lock is still taken`() throws {
        let folder = try TemporaryFolder([:])
        let lock = try WorkingDirectoryLock(root: folder.path, timeout: .zero, isAskedToEnd: { true })
        var pauses = 0
        let error = #expect(throws: LockError.self) {
            try WorkingDirectoryLock(
                root: folder.path, timeout: .seconds(60), pause: { _ in pauses += 1 },
                isAskedToEnd: { pauses == 3 })
        }
        #expect(error == .cancelled)
        withExtendedLifetime(lock) {}
    }

    @Test func `a lock that is released during the wait is taken`() throws {
        let folder = try TemporaryFolder([:])
        var first: WorkingDirectoryLock? = try WorkingDirectoryLock(root: folder.path, timeout: .zero)
        #expect(first != nil)
        _ = try WorkingDirectoryLock(root: folder.path, timeout: .seconds(10)) { _ in first = nil }
    }

    @Test func `a child program does not inherit the lock`() throws {
        let folder = try TemporaryFolder([:])
        var lock: WorkingDirectoryLock? = try WorkingDirectoryLock(root: folder.path, timeout: .zero)
        let child = try ChildProcess(["/bin/sleep", "10"])
        defer { child.signal(SIGTERM) }
        #expect(lock != nil)
        lock = nil
        // This is shorter than the child's lifetime, but longer than another program needs to start.
        _ = try WorkingDirectoryLock(root: folder.path, timeout: .seconds(5))
    }

    @Test func `a released lock is free even if a program that is starting has inherited its file`()
        throws
    {
        let folder = try TemporaryFolder([:])
        var lock: WorkingDirectoryLock? = try WorkingDirectoryLock(root: folder.path, timeout: .zero)
        #expect(lock != nil)
        var wanted = stat()
        try #require(stat(folder.path(of: ".todosync/lock"), &wanted) == 0)
        let own = (0..<getdtablesize()).filter { descriptor in
            var found = stat()
            return fstat(descriptor, &found) == 0 && found.st_ino == wanted.st_ino
                && found.st_dev == wanted.st_dev
        }
        let copies = own.map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        lock = nil
        _ = try WorkingDirectoryLock(root: folder.path, timeout: .zero)
    }

    @Test func `without a working directory, the error names the lock's file`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: LockError.self) {
            try WorkingDirectoryLock(root: folder.path, timeout: .zero)
        }
        #expect(error == .file(FileError(.open, ".todosync/lock", code: ENOENT)))
    }
}
