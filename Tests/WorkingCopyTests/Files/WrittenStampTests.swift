import Foundation
import TestSupport
import Testing

@testable import WorkingCopy

/// A file that was just written need not be read again, unless it could have changed unnoticed.
@Suite struct WrittenStampTests {
    @Test(arguments: ["new.yaml", "old.yaml", "moved.yaml"])
    func `a file written a tick before it got its name has a reliable stamp`(path: String) throws {
        let folder = try TemporaryFolder(["old.yaml": "a", "here.yaml": "a"])
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: waiting())
        #expect(try writer.apply(Self.changes) == [.done, .done, .done])
        let file = try #require(try lookAtFiles([path], root: folder.path)[0])
        #expect(file.content == .read("b".bytes))
        #expect(file.stamp == .unreliable || file.stamp == writer.stamp(ofFileAt: path))
        let stamp = try #require(writer.stamp(ofFileAt: path))
        #expect(stamp.size == 1 && stamp.inode > 0)
    }

    @Test(arguments: ["new.yaml", "old.yaml", "moved.yaml"])
    func `a file that changes as soon as it has its name is read again`(path: String) throws {
        let folder = try TemporaryFolder(["old.yaml": "a", "here.yaml": "a"])
        let changing = waiting { call in
            guard call.operation == .inspect, call.name == path, folder.read(path) == "b" else { return }
            let file = FileHandle(forWritingAtPath: folder.path(of: path))
            try? file?.write(contentsOf: Data("c".utf8))
        }
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: changing)
        #expect(try writer.apply(Self.changes) == [.done, .done, .done])
        #expect(folder.read(path) == "c")
        #expect(writer.stamp(ofFileAt: path) == nil)
    }

    @Test(arguments: ["new.yaml", "old.yaml", "moved.yaml"])
    func `a file that an editor renames over it is read, even if it was written earlier`(path: String) throws
    {
        let folder = try TemporaryFolder(["old.yaml": "a", "here.yaml": "a", "draft": "c"])
        let renaming = waiting { call in
            guard call.operation == .inspect, call.name == path, folder.read(path) == "b" else { return }
            rename(folder.path(of: "draft"), folder.path(of: path))
        }
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: renaming)
        #expect(try writer.apply(Self.changes) == [.done, .done, .done])
        #expect(folder.read(path) == "c")
        #expect(writer.stamp(ofFileAt: path) == nil)
    }

    @Test func `a file that was not written, or that changed again, has no stamp`() throws {
        let folder = try TemporaryFolder(["old.yaml": "a"])
        let writer = try FileWriter(root: folder.path, operation: "1", fileSystem: waiting())
        _ = try writer.apply([.create(path: "old.yaml", bytes: "b".bytes)])
        #expect(writer.stamp(ofFileAt: "old.yaml") == nil)
        _ = try writer.apply([.create(path: "new.yaml", bytes: "b".bytes)])
        #expect(writer.stamp(ofFileAt: "new.yaml") != nil)
        _ = try writer.apply([.remove(path: "new.yaml", expecting: "b".bytes)])
        #expect(writer.stamp(ofFileAt: "new.yaml") == nil)
    }

    @Test func `many files that were written within a tick have reliable stamps`() throws {
        let folder = try TemporaryFolder([:])
        let writer = try FileWriter(root: folder.path, operation: "1", isDurable: false)
        let paths = (0..<500).map { "\($0).yaml" }
        let outcomes = try writer.apply(paths.map { .create(path: $0, bytes: "b".bytes) })
        #expect(outcomes.allSatisfy { $0 == .done })
        #expect(paths.allSatisfy { writer.stamp(ofFileAt: $0) != nil })
    }

    // MARK: -

    private static let changes: [FileChange] = [
        .create(path: "new.yaml", bytes: "b".bytes),
        .replace(path: "old.yaml", expecting: "a".bytes, with: "b".bytes),
        .move(from: "here.yaml", to: "moved.yaml", expecting: "a".bytes, with: "b".bytes),
    ]

    /// Simulates a disk that is slower than the resolution of times, although the clock can be ticks behind.
    private func waiting(
        _ before: @escaping @Sendable (FailingFileSystem.Call) -> Void = { _ in }
    ) -> FailingFileSystem {
        FailingFileSystem { call throws(FileError) in
            if call.operation == .synchronize { usleep(60_000) }
            before(call)
        }
    }
}
