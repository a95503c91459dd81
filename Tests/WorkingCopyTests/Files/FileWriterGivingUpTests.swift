import Synchronization
import TestSupport
import Testing
import WorkingCopy

/// Changes to files by a command that was asked to end.
@Suite struct FileWriterGivingUpTests {
    /// Returns a writer that is asked to end from its n-th check on.
    private func writer(_ folder: TemporaryFolder, stoppingAt number: Int) throws -> FileWriter {
        let count = Mutex(0)
        return try FileWriter(
            root: folder.path, operation: "1",
            isAskedToEnd: {
                count.withLock { count in
                    count += 1
                    return count >= number
                }
            })
    }

    @Test(arguments: [1, 2, 300, 600])
    func `many changes are abandoned as long as none is visible`(_ number: Int) throws {
        let names = (0..<600).map { "\($0).yaml" }
        let files = Dictionary(uniqueKeysWithValues: names.prefix(200).map { ($0, "old") })
        let folder = try TemporaryFolder(files)
        let before = folder.contents()
        let changes = names.enumerated().map { index, name -> FileChange in
            if index < 200 { return .replace(path: name, expecting: "old".bytes, with: "new".bytes) }
            return .create(path: index < 400 ? name : "new/folder/" + name, bytes: "new".bytes)
        }
        var announcements = 0
        let writer = try writer(folder, stoppingAt: number)
        #expect(throws: CancellationError.self) { try writer.apply(changes) { announcements += 1 } }
        #expect(announcements == 1)
        #expect(try writer.finish().isEmpty)
        #expect(folder.contents() == before)
    }

    @Test(arguments: [ChangeCancellation.never, .together, .eachRemoval])
    func `removals are cancelled only one by one, and a recovery not at all`(
        _ cancellation: ChangeCancellation
    ) throws {
        let files = ["a.yaml": "old", "b.yaml": "old", "c.yaml": "old"]
        let folder = try TemporaryFolder(files)
        let changes = files.keys.sorted().map { FileChange.remove(path: $0, expecting: "old".bytes) }
        let outcomes = try writer(folder, stoppingAt: 2).apply(changes, cancelling: cancellation)
        let isEach = cancellation == .eachRemoval
        #expect(outcomes == (isEach ? [.done, .cancelled, .cancelled] : [.done, .done, .done]))
        #expect(folder.visibleContents().count == (isEach ? 2 : 0))

        let many = (0..<600).map { FileChange.create(path: "\($0).yaml", bytes: "new".bytes) }
        let other = try writer(try TemporaryFolder([:]), stoppingAt: 1)
        let created = try? other.apply(many, cancelling: cancellation)
        #expect(created?.count == (cancellation == .never ? 600 : nil))
    }

    @Test func `a few changes are completed`() throws {
        let folder = try TemporaryFolder([:])
        let changes = (0..<400).map { FileChange.create(path: "\($0).yaml", bytes: "new".bytes) }
        let writer = try writer(folder, stoppingAt: 1)
        #expect(try writer.apply(changes).allSatisfy { $0 == .done })
        #expect(folder.visibleContents().count == 400)
    }
}
