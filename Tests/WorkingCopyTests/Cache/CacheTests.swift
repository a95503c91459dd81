import Foundation
import LosslessYAML
import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// Tests that the cache agrees with the journal and the files.
@Suite struct CacheTests {
    // MARK: The journal

    @Test(arguments: UInt64(0)..<100)
    func `the state from the cache and the rest of the journal equals that of the whole journal`(
        _ seed: UInt64
    ) throws {
        var generator = RecordGenerator(seed: seed)
        let folder = try workingDirectory()
        for _ in 0..<4 {
            try append(generator.history(count: generator.number(below: 12)), in: folder)
            let before = try directory(folder).state()
            directory(folder).saveCache(before) { _ in nil }
            try append(generator.history(count: generator.number(below: 4)), in: folder)
            let state = try directory(folder).state()
            let whole = try directory(folder).state(usingCache: false)
            #expect(state.todos.all == whole.todos.loaded)
            #expect(whole.todos.loaded.keys.allSatisfy { state.todos[$0] == whole.todos[$0] })
            #expect(Set(state.todos.unfoldedIDs) == Set(whole.todos.unfoldedIDs))
            #expect(Set(state.todos.idsNotKept) == Set(whole.todos.idsNotKept))
            #expect(state.todos.confirmedCount == whole.todos.confirmedCount)
            #expect(state.todos.confirmed.count == whole.todos.confirmedCount)
            #expect(Set(state.todos.idsOfPossiblyChanged) == Set(whole.todos.idsOfPossiblyChanged))
            #expect(state.cursor == whole.cursor)
            #expect(state.remote == whole.remote)
            #expect(state.lastAccepted == whole.lastAccepted)
            #expect(state.format == whole.format)
            #expect(state.firstTime == whole.firstTime)
            #expect(state.operationCount == whole.operationCount)
            #expect(state.openOperation?.operation == whole.openOperation?.operation)
            #expect(state.journalLength == whole.journalLength)
        }
    }

    @Test func `a base version is read only on demand`() throws {
        let folder = try directoryWithTodos(3)
        directory(folder).saveCache(try directory(folder).state()) { _ in nil }
        let state = try directory(folder).state()
        #expect(state.todos.loaded.isEmpty)
        let id = try #require(TodoID("todo-1"))
        #expect(state.todos[id]?.base?.todo?.bytes == "id: todo-1\ntext: todo 1\n".bytes)
        #expect(state.todos[id]?.localPath == "todo-1.yaml")
        #expect(state.todos.loaded.isEmpty)
    }

    @Test func `a writer finds damage that the cache hides from readers`() throws {
        let folder = try directoryWithTodos(200)
        directory(folder).saveCache(try directory(folder).state()) { _ in nil }
        let journal = URL(filePath: folder.path(of: ".todosync/journal"))
        var bytes = try [UInt8](Data(contentsOf: journal))
        try #require(bytes.count > 3 * Cache.tailSize)
        bytes[bytes.count / 3] ^= 1
        // Writes in place, because a different inode would be a different journal.
        let file = try FileHandle(forWritingTo: journal)
        try file.write(contentsOf: bytes)
        try file.close()
        let transaction = try directory(folder).begin(
            operation: "p", time: "2026-12-01T09:31:00Z", command: "rm", timeout: .seconds(10))
        #expect(transaction.damage != nil)
        #expect(!transaction.state.todos.loaded.isEmpty, "the cache was not used")
    }

    @Test(arguments: [IDs.names, .uuids])
    func `every changed or missing byte of the cache is detected`(_ ids: IDs) throws {
        let folder = try directoryWithTodos(3, ids)
        try waitForStamps(folder, ids)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder.path(of: ".todosync/cache"))))
        #expect(CacheContent(FileContents(bytes)) != nil)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                #expect(CacheContent(FileContents(damaged)) == nil, "bit \(bit) of byte \(index)")
            }
            #expect(CacheContent(FileContents(Array(bytes[..<index]))) == nil)
        }
    }

    @Test(arguments: UInt64(0)..<300)
    func `a cache with a valid checksum and any content is read without a crash`(_ seed: UInt64) throws {
        let ids = IDs.allCases[Int(seed % 3)]
        let folder = try directoryWithTodos(3, ids)
        try cacheFiles(folder, ids)
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: folder.path(of: ".todosync/cache"))))
        var generator = RecordGenerator(seed: seed)
        for _ in 0...generator.number(below: 4) {
            let index = Cache.headSize + generator.number(below: bytes.count - Cache.headSize)
            bytes[index] = UInt8(generator.number(below: 256))
        }
        let checksum = Checksum.of(Array(bytes[Cache.headSize...])).littleEndian
        withUnsafeBytes(of: checksum) { checksum in
            bytes.replaceSubrange(Cache.magic.count..<Cache.headSize, with: checksum)
        }
        try Data(bytes).write(to: URL(filePath: folder.path(of: ".todosync/cache")))
        let state = try directory(folder).state()
        _ = state.todos.unfoldedIDs
        _ = state.todos.idsNotKept
        _ = state.todos.files
        _ = state.todos.confirmed
        for number in 0..<4 { _ = try state.todos[ids.id(number)] }
        _ = try directory(folder).scan(Configuration(), state, only: ["todo-1.yaml"])
        _ = try directory(folder).scan(Configuration(), state)
        directory(folder).saveCache(state) { _ in nil }
        _ = state.todos.all
    }

    @Test func `another journal's cache is ignored`() throws {
        let folder = try directoryWithTodos(3)
        directory(folder).saveCache(try directory(folder).state()) { _ in nil }
        let cache = try Data(contentsOf: URL(filePath: folder.path(of: ".todosync/cache")))
        let other = try directoryWithTodos(2)
        try cache.write(to: URL(filePath: other.path(of: ".todosync/cache")))
        #expect(try directory(other).state().todos.loaded.count == 2)
        // An older journal in the same file.
        let journal = try #require(folder.read(".todosync/journal"))
        let older = journal.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2)
        try folder.write(older.joined(separator: "\n") + "\n", to: ".todosync/journal")
        #expect(try directory(folder).state().todos.cache == nil)
    }

    @Test func `if the journal doesn't match the cache, all of it is read`() throws {
        let folder = try directoryWithTodos(40)
        directory(folder).saveCache(try directory(folder).state()) { _ in nil }
        let journal = try #require(folder.read(".todosync/journal"))
        let id = try #require(TodoID("todo-1"))
        // This is far from the end, which identifies the journal.
        try folder.write(
            journal.replacing("text: todo 1\\n", with: "text: todo 9\\n"), to: ".todosync/journal")
        let state = try directory(folder).state()
        #expect(state.todos.cache != nil)
        #expect(state.todos[id]?.base == nil, "a missing base version is nil")
        #expect(state.todos.cache?.isWrong == true)
        directory(folder).saveCache(state) { _ in nil }
        #expect(!folder.exists(".todosync/cache"), "the next command finds the damage")
    }

    @Test func `a cache that is shortened while a command uses it changes nothing`() throws {
        let folder = try directoryWithTodos(200)
        try waitForStamps(folder)
        let cache = folder.path(of: ".todosync/cache")
        let size = try #require(try FileHandle(forReadingAtPath: cache)?.seekToEnd())
        try #require(size > 3 * 4096)
        let whole = try directory(folder).state(usingCache: false)
        for length in [off_t(size) - 1, 4096, 10, 0] {
            let state = try directory(folder).state()
            #expect(state.todos.cache != nil)
            try #require(truncate(cache, length) == 0)
            #expect(state.todos.all == whole.todos.loaded)
            #expect(try directory(folder).state().todos.cache == nil, "a damaged cache counts as none")
            try cacheFiles(folder)
        }
    }

    @Test func `a cache that is much larger than the journal is not read`() throws {
        let folder = try directoryWithTodos(2)
        try waitForStamps(folder)
        // Nobody has so much memory.
        try #require(truncate(folder.path(of: ".todosync/cache"), 1 << 42) == 0)
        #expect(try directory(folder).state().todos.loaded.count == 2)
        let check = try StateCheck(directory(folder), timeout: .zero).problems()
        #expect(check == [.wrongCache])
    }

    // MARK: Files

    @Test func `a file that matches the cache is not read`() throws {
        let folder = try directoryWithTodos(2)
        try waitForStamps(folder)
        try folder.write("id: todo-1\ntext: other\n", to: "todo-1.yaml")
        let fileSystem = FailingFileSystem { call throws(FileError) in
            #expect(call.operation != .open || call.name != "todo-0.yaml")
        }
        let again = WorkingDirectory(root: folder.path, fileSystem: fileSystem)
        let scan = try again.scan(Configuration(), try again.state())
        #expect(scan.files.map(\.path) == ["todo-1.yaml"])
        #expect(scan.unchanged.paths == ["todo-0.yaml"])
    }

    @Test func `a file that changed in the same tick as it was read is read again`() throws {
        let folder = try directoryWithTodos(1)
        try folder.write("id: todo-0\ntext: todo 0\n", to: "todo-0.yaml")
        try cacheFiles(folder)
        // This applies even if all of the file's metadata is unchanged.
        let scan = try directory(folder).scan(Configuration(), try directory(folder).state())
        #expect(scan.files.map(\.path) == ["todo-0.yaml"])
    }

    @Test func `a change that restores size and time is detected`() throws {
        let folder = try directoryWithTodos(1)
        try waitForStamps(folder)
        let path = folder.path(of: "todo-0.yaml")
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        try folder.write("id: todo-0\ntext: todo 1\n", to: "todo-0.yaml")
        try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: path)
        let scan = try directory(folder).scan(Configuration(), try directory(folder).state())
        #expect(scan.files.map(\.content) == [.read("id: todo-0\ntext: todo 1\n".bytes)])
    }

    @Test func `a read-only folder can still be read`() throws {
        let folder = try directoryWithTodos(1)
        let failing = FailingFileSystem { call throws(FileError) in
            if call.operation == .create { throw FileError(.create, call.name, code: EROFS) }
        }
        let directory = WorkingDirectory(root: folder.path, fileSystem: failing)
        let state = try directory.state()
        directory.saveCache(state) { _ in nil }
        #expect(state.todos.loaded.count == 1)
        #expect(!folder.exists(".todosync/cache"))
    }

    @Test(arguments: IDs.allCases)
    func `only entries without a UUID, a file or a stamp are unusual`(_ ids: IDs) throws {
        let folder = try directoryWithTodos(40, ids)
        try waitForStamps(folder, ids)
        do {
            let transaction = try directory(folder).begin(
                operation: "p", time: "2026-12-01T09:31:00Z", command: "pull", timeout: .seconds(10))
            try transaction.record([
                .confirmed(id: ids.id(7), .deleted(Version("7")), localPath: nil),
                .confirmed(
                    id: ids.id(40),
                    .todo(RemoteTodo(version: Version("40"), path: nil, bytes: "text: x\n".bytes)),
                    localPath: "todo-40.yaml"),
            ])
            try transaction.end("p", [])
        }
        try folder.remove("todo-7.yaml")
        try cacheFiles(folder, ids)
        let state = try directory(folder).state()
        let cache = try #require(state.todos.cache)
        #expect(state.todos.loaded.isEmpty && cache.entries.count == 41)
        let unusual = try (0...40).filter { number in
            try number == 7 || number == 40 || ids.id(number).uuid == nil
        }
        #expect(try Set(cache.unusual.map(cache.id)) == Set(unusual.map(ids.id)))
        let uuids = try (0...40).map(ids.id).compactMap(\.uuid)
        #expect(cache.orderedCount == uuids.count)
        let ordered = (0..<cache.orderedCount).compactMap(cache.index(inOrder:)).map(cache.entries.uuid)
        #expect(ordered == uuids.sorted { $0 < $1 })
        for number in 0...40 {
            #expect(try cache.index(of: ids.id(number)).map(cache.id) == ids.id(number))
        }
    }

    // MARK: -

    private func directory(_ folder: TemporaryFolder) -> WorkingDirectory {
        WorkingDirectory(root: folder.path, fileSystem: FailingFileSystem())
    }

    private func workingDirectory() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try directory(folder).create(Configuration())
        return folder
    }

    /// The ids of the todos in a working directory.
    enum IDs: CaseIterable, Sendable {
        case names, uuids, mixed

        func id(_ number: Int) throws -> TodoID {
            let isName = self == .names || self == .mixed && number.isMultiple(of: 2)
            return try #require(
                TodoID(
                    isName
                        ? "todo-\(number)"
                        : "\(String(255 - number, radix: 16))b51eb0-6a6b-4a3c-9d0e-5f0b7d6f1f3a"))
        }
    }

    /// Creates a working directory whose todos have confirmed versions equal to their files.
    private func directoryWithTodos(_ count: Int, _ ids: IDs = .names) throws -> TemporaryFolder {
        let folder = try workingDirectory()
        let transaction = try directory(folder).begin(
            operation: "o", time: "2026-12-01T09:30:00Z", command: "pull", timeout: .seconds(10))
        for number in 0..<count {
            let path = "todo-\(number).yaml"
            let id = try ids.id(number)
            let text = "id: \(id)\ntext: todo \(number)\n"
            let remote = RemoteTodo(version: Version("\(number)"), path: path, bytes: text.bytes)
            try folder.write(text, to: path)
            try transaction.record([.confirmed(id: id, .todo(remote), localPath: path)])
        }
        try transaction.end("o", [])
        return folder
    }

    private func append(_ records: [JournalRecord], in folder: TemporaryFolder) throws {
        let stateFolder = try StateFolder(root: folder.path, fileSystem: FailingFileSystem())
        try Journal(in: stateFolder.folder, FailingFileSystem()).append(records)
    }

    /// Stores the files' content in the cache.
    private func cacheFiles(_ folder: TemporaryFolder, _ ids: IDs = .names) throws {
        var state = try directory(folder).state(usingCache: false)
        let scan = try directory(folder).scan(Configuration(), nil)
        state.load(besides: scan.unchanged)
        var files: [TodoID: StampedFile] = [:]
        for file in scan.files {
            guard case .read(let bytes) = file.content, let number = Int(file.path.dropFirst(5).dropLast(5))
            else { continue }
            let id = try ids.id(number)
            files[id] = StampedFile(id: id, path: file.path, bytes: bytes, stamp: file.stamp)
        }
        directory(folder).saveCache(state) { [files] in files[$0] }
    }

    /// Waits until every file's change is older than the clock's tick, and stores the files in the cache.
    private func waitForStamps(_ folder: TemporaryFolder, _ ids: IDs = .names) throws {
        while try directory(folder).scan(Configuration(), nil).files.contains(where: {
            $0.stamp == .unreliable
        }) {
            usleep(5_000)
        }
        try cacheFiles(folder, ids)
    }
}
