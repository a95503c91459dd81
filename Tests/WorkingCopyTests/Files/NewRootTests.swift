import Foundation
import Synchronization
import TestSupport
import Testing

@testable import WorkingCopy

/// New files of a working directory that the command made itself.
@Suite struct NewRootTests {
    private static let files = ["a.yaml": "a", "b.yaml": "b", "sub/c.yaml": "c"]

    private static var changes: [FileChange] {
        files.sorted { $0.key < $1.key }.map { .create(path: $0.key, bytes: $0.value.bytes) }
    }

    private func writer(
        _ folder: TemporaryFolder, _ fileSystem: any FileSystem,
        isAskedToEnd: @escaping @Sendable () -> Bool = { false }
    ) throws -> FileWriter {
        try FileWriter(
            root: folder.path, operation: "1", isRootNew: true, fileSystem: fileSystem,
            isAskedToEnd: isAskedToEnd)
    }

    private func temporaryFiles(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.todosync/tmp")
    }

    @Test func `files in the root are announced, marked and then created at their paths`() throws {
        let folder = try TemporaryFolder([:])
        let renames = Mutex<[String]>([])
        let fileSystem = FailingFileSystem { call in
            // A path is looked up with a name that doesn't exist.
            guard call.operation == .rename, call.name != ".todosync-absent" else { return }
            renames.withLock { $0.append(call.name) }
        }
        let writer = try writer(folder, fileSystem)
        let outcomes = try writer.apply(Self.changes) {
            #expect(folder.visibleContents().isEmpty)
            let temporaryFiles = try temporaryFiles(folder)
            #expect(temporaryFiles.contains { $0.contains(".root.") })
        }
        #expect(outcomes.allSatisfy { $0 == .done })
        #expect(renames.withLock(\.count) == 1, "only the subfolder is moved")
        #expect(folder.visibleContents() == Self.files)
        #expect(try LeftoverFiles(in: WorkingDirectory(root: folder.path)).unmovedPaths(in: []).isRootNew)
        writer.newRoot?.finish()
        #expect(try temporaryFiles(folder).isEmpty)
        let status = try POSIXFileSystem().status(of: "a.yaml", in: writer.tree.root)
        // Whether the stamp is known depends on the clock's ticks.
        let stamp = writer.stamp(ofFileAt: "a.yaml")
        #expect(stamp == nil || stamp == status?.stamp)
    }

    @Test func `a file that somebody else made stays`() throws {
        let folder = try TemporaryFolder(["b.yaml": "theirs"])
        let writer = try writer(folder, FailingFileSystem())
        #expect(try writer.apply(Self.changes) == [.done, .occupied, .done])
        #expect(folder.visibleContents() == Self.files.merging(["b.yaml": "theirs"]) { $1 })
    }

    @Test func `whichever call fails, no file is half-written`() throws {
        var number = 0
        var isDone = false
        var created = 0
        while !isDone {
            number += 1
            let folder = try TemporaryFolder([:])
            let failing = FailingFileSystem(failingAt: number, code: ENOSPC)
            let outcomes = try? writer(folder, failing).apply(Self.changes)
            isDone = failing.calls < number
            let seen = folder.visibleContents()
            #expect(seen.allSatisfy { Self.files[$0.key] == $0.value }, "at call \(number)")
            if let outcomes { #expect(outcomes.count { $0 == .done } == seen.count, "at call \(number)") }
            created += seen.count
        }
        #expect(created > 60)
    }

    @Test func `a file with permissions gets them`() throws {
        let folder = try TemporaryFolder([:])
        let writer = try writer(folder, FailingFileSystem())
        let change = FileChange.create(path: "a.yaml", bytes: "a".bytes, permissions: 0o600)
        #expect(try writer.apply([change]) == [.done])
        #expect(try POSIXFileSystem().status(of: "a.yaml", in: writer.tree.root)?.permissions == 0o600)
    }

    @Test func `a batch with other changes moves its files to their paths`() throws {
        let folder = try TemporaryFolder(["old.yaml": "old"])
        let writer = try writer(folder, FailingFileSystem())
        let replacement = FileChange.replace(path: "old.yaml", expecting: "old".bytes, with: "new".bytes)
        #expect(try writer.apply(Self.changes + [replacement]).allSatisfy { $0 == .done })
        #expect(try !temporaryFiles(folder).contains { $0.contains(".root.") })
        #expect(folder.visibleContents() == Self.files.merging(["old.yaml": "new"]) { $1 })
    }

    @Test(arguments: [1, 2, 300, 900])
    func `many files are cancelled that aren't created yet`(_ number: Int) throws {
        let folder = try TemporaryFolder([:])
        let count = Mutex(0)
        let writer = try writer(folder, FailingFileSystem()) {
            count.withLock { count in
                count += 1
                return count >= number
            }
        }
        let names = (0..<600).map { $0 < 500 ? "\($0).yaml" : "sub/\($0).yaml" }
        let changes = names.map { FileChange.create(path: $0, bytes: "new".bytes) }
        if number <= 2 {
            #expect(throws: CancellationError.self) { try writer.apply(changes) }
            #expect(folder.visibleContents().isEmpty)
        } else {
            let outcomes = try writer.apply(changes)
            let seen = Set(folder.visibleContents().keys)
            #expect(Set(zip(names, outcomes).filter { $1 == .done }.map(\.0)) == seen)
            #expect(outcomes.allSatisfy { [.done, .cancelled].contains($0) })
            #expect((number < 900) == (seen.count < 600))
        }
    }
}
