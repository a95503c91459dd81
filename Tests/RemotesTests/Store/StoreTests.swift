import Foundation
import LosslessYAML
import Remotes
import TestSupport
import Testing
import TodoModel

@Suite(.oneStoreAtATime) struct `A store` {
    @Test func `a store is created in a new folder with its parents, and opened again`() async throws {
        try await withTemporaryFolder { folder in
            let made = try Store.create(at: "\(folder)/a/b", surroundings: .testing)
            let opened = try Store.open(at: "\(folder)/a/b", surroundings: .testing)
            #expect(made.identity == opened.identity)
            #expect(made.identity.count == 32)
        }
    }

    @Test func `creating a store again keeps its content`() async throws {
        try await withTemporaryFolder { folder in
            let made = try Store.create(at: folder, surroundings: .testing)
            _ = try await made.table(.standard).push([.example("one")])
            try Data().write(to: URL(filePath: "\(folder)/notes.txt"))
            let again = try Store.create(at: folder, surroundings: .testing)
            #expect(again.identity == made.identity)
            #expect(try await again.table(.standard).changes(after: nil).records.count == 1)
        }
    }

    @Test func `an interrupted creation is completed by the next one, and can't be opened before`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try Data().write(to: URL(filePath: "\(folder)/todosync-store.sqlite"))
            #expect(throws: StoreError.notAStore(path: folder)) {
                try Store.open(at: folder, surroundings: .testing)
            }
            _ = try Store.create(at: folder, surroundings: .testing)
            _ = try Store.open(at: folder, surroundings: .testing)
        }
    }

    @Test func `a folder with other content is not touched`() async throws {
        try await withTemporaryFolder { folder in
            try Data("x".utf8).write(to: URL(filePath: "\(folder)/.hidden"))
            #expect(throws: StoreError.folderNotEmpty(path: folder)) {
                try Store.create(at: folder, surroundings: .testing)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [".hidden"])
            #expect(throws: StoreError.notAStore(path: folder)) {
                try Store.open(at: folder, surroundings: .testing)
            }
            let file = "\(folder)/.hidden"
            #expect(throws: StoreError.notAStore(path: file)) {
                try Store.create(at: file, surroundings: .testing)
            }
            #expect(throws: StoreError.notAStore(path: file)) {
                try Store.open(at: file, surroundings: .testing)
            }
            let below = "\(file)/store"
            #expect(throws: StoreError.self) { try Store.create(at: below, surroundings: .testing) }
        }
    }

    @Test func `opening a missing store creates nothing`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/absent"
            #expect(throws: StoreError.notFound(path: path)) {
                try Store.open(at: path, surroundings: .testing)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    /// A connection is opened at the first read, write or wait, so the files can be gone by then.
    @Test(arguments: [false, true]) func `a store that is moved away while it is used can't be found`(
        hasRead: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/store"
            _ = try await Store.create(at: path, surroundings: .testing).table(.standard).push([
                .example("one")
            ])
            for use in 0..<3 {
                let table = try Store.open(at: path, surroundings: .testing).table(.standard)
                if hasRead { _ = try await table.changes(after: nil) }
                try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
                do {
                    switch use {
                    case 0: _ = try await table.changes(after: nil)
                    case 1: _ = try await table.push([.example("two")])
                    default: _ = try await table.awaitChanges(after: nil, for: .seconds(1))
                    }
                } catch let error as RemoteError {
                    #expect(error == .store(.notFound(path: path)))
                }
                try FileManager.default.moveItem(atPath: path + "-away", toPath: path)
            }
        }
    }

    /// SQLite would wait for another process to write into the pipe.
    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `a pipe instead of a file beside the database is refused`(_ suffix: String) async throws {
        try await withTemporaryFolder { folder in
            _ = try Store.create(at: folder, surroundings: .testing)
            let path = "\(folder)/todosync-store.sqlite\(suffix)"
            try? FileManager.default.removeItem(atPath: path)
            try #require(mkfifo(path, 0o600) == 0)
            let error = StoreError.inputOutput(path: path, detail: "not a regular file")
            #expect(throws: error) { try Store.open(at: folder, surroundings: .testing) }
            #expect(throws: error) { try Store.create(at: folder, surroundings: .testing) }
        }
    }

    @Test func `a file that is not a database counts as a damaged store`() async throws {
        try await withTemporaryFolder { folder in
            let file = URL(filePath: "\(folder)/todosync-store.sqlite")
            try Data(String(repeating: "not a database ", count: 1000).utf8).write(to: file)
            let expected = StoreError.damaged(path: folder, detail: "file is not a database")
            #expect(throws: expected) { try Store.open(at: folder, surroundings: .testing) }
            #expect(throws: expected) { try Store.create(at: folder, surroundings: .testing) }
        }
    }

    @Test(arguments: [(offset: 63, byte: UInt8(3)), (offset: 63, byte: 5), (offset: 68, byte: 1)])
    func `another format and a foreign database are refused, and stay as they are`(offset: Int, byte: UInt8)
        async throws
    {
        try await withTemporaryFolder { folder in
            _ = try Store.create(at: folder, surroundings: .testing)
            let file = URL(filePath: "\(folder)/todosync-store.sqlite")
            // In the header, bytes 60 to 63 are the user version, and bytes 68 to 71 the application id.
            var bytes = try Data(contentsOf: file)
            bytes[offset] = byte
            try bytes.write(to: file)
            let expected: StoreError =
                offset == 63
                ? .unsupportedFormat(path: folder, found: Int(byte), supported: 4) : .notAStore(path: folder)
            #expect(throws: expected) { try Store.open(at: folder, surroundings: .testing) }
            #expect(throws: expected) { try Store.create(at: folder, surroundings: .testing) }
            #expect(try Data(contentsOf: file) == bytes)
        }
    }

    @Test func `a damaged store is reported with its path`() async throws {
        try await withTemporaryFolder { folder in
            do {
                let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
                _ = try await table.push((0..<500).map { .example("todo \($0)") })
            }
            let file = URL(filePath: "\(folder)/todosync-store.sqlite")
            var bytes = try Data(contentsOf: file)
            for index in 40_000..<bytes.count { bytes[index] = 0xAA }
            try bytes.write(to: file)
            let error = await #expect(throws: RemoteError.self) {
                _ = try await Store.open(at: folder, surroundings: .testing).table(.standard).changes(
                    after: nil)
            }
            guard case .store(.damaged(let path, _)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(path == folder)
        }
    }

    @Test func `only the owner can access a store's files`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: "\(folder)/s", surroundings: .testing)
            _ = try await store.table(.standard).push([.example("one")])
            for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(store.path)/\(name)")
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
        }
    }

    @Test(arguments: 0..<20)
    func `concurrent creations create one store`(_: Int) async throws {
        try await withTemporaryFolder { folder in
            let identities = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask { try Store.create(at: "\(folder)/s", surroundings: .testing).identity }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(identities.count == 1)
        }
    }

    @Test func `a table is added once, regardless of case, and tables are listed in order`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            #expect(try await store.tableNames().isEmpty)
            let names = try ["work", "Home", "attic"].map { try #require(TableName($0)) }
            for name in names { #expect(try await store.addTable(name)) }
            #expect(try await store.addTable(try #require(TableName("WORK"))) == false)
            _ = try await store.table(.standard).push([.example("one")])
            #expect(try await store.addTable(.standard) == false)
            #expect(try await store.tableNames().map(\.string) == ["attic", "Home", "todoitem", "work"])
            #expect(try await store.table(names[0]).exists())
            #expect(try await store.table(names[0]).changes(after: nil).records.isEmpty)
        }
    }
}

extension PushOperation {
    /// Returns an insert of a small todo, with an operation id derived from the todo's id.
    static func example(_ id: String) -> PushOperation {
        PushOperation(
            operationID: "insert \(id)", id: id,
            change: .insert(
                fields: ["text": .string("Hello \(id)")],
                layout: Layout(path: "\(id).yaml", yaml: "id: \(id)\ntext: Hello \(id)\n")))
    }
}
