import Foundation
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// A writer reads the whole journal only if somebody else might have changed it.
@Suite struct JournalSealTests {
    @Test func `a writer reads only the end of the journal that the last operation left`() throws {
        let folder = try directoryWithCache()
        let sealed = try readCount { try operation(in: folder, $0) }
        try touch(folder)
        let touched = try readCount { try operation(in: folder, $0) }
        #expect(touched >= sealed + 4, "\(touched) reads instead of \(sealed)")
        // The cache, which is read in parts, is larger by now.
        let again = try readCount { try operation(in: folder, $0) }
        #expect(again <= sealed + 1, "\(again) reads instead of \(sealed)")
    }

    @Test func `an operation that writes nothing seals the journal, too`() throws {
        let folder = try directoryWithCache()
        let sealed = try readCount { try operation(in: folder, $0, records: []) }
        try touch(folder)
        #expect(try readCount { try operation(in: folder, $0, records: []) } > sealed)
        #expect(try readCount { try operation(in: folder, $0, records: []) } == sealed)
    }

    @Test(arguments: 0..<20)
    func `damage is found however soon it follows the operation's end`(_ number: Int) throws {
        let folder = try directoryWithCache()
        try operation(in: folder, FailingFileSystem())
        try damage(folder)
        #expect(try damageFound(in: folder) != nil)
    }

    @Test func `damage before the journal is sealed again is found`() throws {
        let folder = try directoryWithCache()
        try touch(folder)
        try damage(folder)
        #expect(try damageFound(in: folder) != nil)
    }

    @Test func `damage is found even if the journal's size and modification time are restored`() throws {
        let folder = try directoryWithCache()
        try operation(in: folder, FailingFileSystem())
        let fileSystem = FailingFileSystem()
        let journal = try journal(in: folder, fileSystem)
        let sealed = try journal.stamp()
        try damage(folder)
        try fileSystem.setModified(sealed.modified, of: journal.file)
        let restored = try journal.stamp()
        #expect(restored.modified == sealed.modified && restored.size == sealed.size)
        #expect(try damageFound(in: folder) != nil)
    }

    @Test func `a copy of the journal isn't sealed`() throws {
        let folder = try directoryWithCache()
        try operation(in: folder, FailingFileSystem())
        let fileSystem = FailingFileSystem()
        let stateFolder = try StateFolder(root: folder.path, fileSystem: fileSystem)
        let length = try #require(try JournalLength.read(in: stateFolder))
        let original = try journal(in: folder, fileSystem).stamp()
        #expect(length.isSealed(original))
        let path = folder.path(of: ".todosync/journal")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try FileManager.default.copyItem(atPath: path + ".old", toPath: path)
        let copy = try journal(in: folder, fileSystem)
        try fileSystem.setModified(original.modified, of: copy.file)
        #expect(try !length.isSealed(copy.stamp()))
    }

    @Test(arguments: [true, false])
    func `damage during an operation is found by the next one`(writes: Bool) throws {
        let folder = try directoryWithCache()
        if !writes { try touch(folder) }
        do {
            let transaction = try begin(folder, FailingFileSystem())
            try damage(folder)
            if writes { try transaction.record([.guards(WithheldCounts(local: 1))]) }
            try transaction.end("o", [])
        }
        #expect(folder.read(".todosync/journal.length")?.dropFirst(20).hasPrefix("00000000") == true)
        #expect(try damageFound(in: folder) != nil)
    }

    @Test func `a journal that can't be sealed is read as a whole`() throws {
        let folder = try directoryWithCache()
        let fileSystem = FailingFileSystem { call throws(FileError) in
            if call.operation == .setModified { throw FileError(call.operation, call.name, code: EPERM) }
        }
        try operation(in: folder, fileSystem)
        let length = try #require(folder.read(".todosync/journal.length"))
        #expect(length.dropFirst(20).hasPrefix("00000000"))
        try damage(folder)
        #expect(try damageFound(in: folder) != nil)
    }

    @Test func `an interrupted operation leaves no seal`() throws {
        let folder = try directoryWithCache()
        let transaction = try begin(folder, FailingFileSystem())
        try transaction.record([.guards(WithheldCounts(local: 1))])
        let length = try #require(folder.read(".todosync/journal.length"))
        #expect(length.dropFirst(19).hasPrefix(" 00000000"))
    }

    // MARK: Support

    /// Creates a working directory with a cache and a journal that takes several reads.
    private func directoryWithCache() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try directory(folder).create(Configuration())
        let notes = String(repeating: "x", count: 2000)
        try operation(
            in: folder, FailingFileSystem(),
            records: (0..<200).map { number in
                let text = "id: todo-\(number)\nnotes: \(notes)\n"
                let todo = RemoteTodo(version: Version("\(number)"), path: nil, bytes: text.bytes)
                return .confirmed(
                    id: try #require(TodoID("todo-\(number)")), .todo(todo), localPath: "\(number).yaml")
            })
        directory(folder).saveCache(try directory(folder).state()) { _ in nil }
        return folder
    }

    private func directory(
        _ folder: TemporaryFolder, _ fileSystem: FailingFileSystem = FailingFileSystem()
    ) -> WorkingDirectory {
        WorkingDirectory(root: folder.path, fileSystem: fileSystem)
    }

    private func begin(_ folder: TemporaryFolder, _ fileSystem: FailingFileSystem) throws -> Transaction {
        try directory(folder, fileSystem).begin(
            operation: "o", time: "2026-12-01T09:30:00Z", command: "pull", timeout: .seconds(10))
    }

    private func operation(
        in folder: TemporaryFolder, _ fileSystem: FailingFileSystem,
        records: [JournalRecord] = [.guards(WithheldCounts(local: 1))]
    ) throws {
        let transaction = try begin(folder, fileSystem)
        try transaction.record(records)
        try transaction.end("o", [])
    }

    private func readCount(_ body: (FailingFileSystem) throws -> Void) throws -> Int {
        let count = Mutex(0)
        try body(
            FailingFileSystem { call throws(FileError) in
                if call.operation == .read { count.withLock { $0 += 1 } }
            })
        return count.withLock(\.self)
    }

    private func journal(in folder: TemporaryFolder, _ fileSystem: FailingFileSystem) throws -> Journal {
        try Journal(in: StateFolder(root: folder.path, fileSystem: fileSystem).folder, fileSystem)
    }

    private func touch(_ folder: TemporaryFolder) throws { try folder.makeOld(".todosync/journal") }

    /// Changes a byte of the journal in place, far from its end.
    private func damage(_ folder: TemporaryFolder) throws {
        let file = try FileHandle(forUpdating: URL(filePath: folder.path(of: ".todosync/journal")))
        try file.seek(toOffset: 100_000)
        try file.write(contentsOf: [UInt8(ascii: "?")])
        try file.close()
    }

    private func damageFound(in folder: TemporaryFolder) throws -> JournalDamage? {
        try begin(folder, FailingFileSystem()).damage
    }
}
