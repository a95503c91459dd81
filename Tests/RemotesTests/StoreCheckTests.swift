import Foundation
import LosslessYAML
import Remotes
import SQLite
import TestSupport
import Testing
import TodoModel

/// Tests the problems that a store's check finds.
@Suite(.oneStoreAtATime) struct StoreCheckTests {
    private func withStore(_ body: (Store, SQLConnection) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            _ = try await store.table(.standard).push(
                ["a", "B", "c"].enumerated().map { number, id in
                    PushOperation(
                        operationID: "\(number)", id: id,
                        change: .insert(
                            fields: ["text": .string(id)], layout: Layout(path: "\(id).yaml", yaml: nil)))
                })
            let file = try #require(
                FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".sqlite") })
            try await body(store, SQLConnection(folder + "/" + file))
        }
    }

    @Test func `a store without foreign writes is sound`() async throws {
        try await withStore { store, _ in
            let problems = try await store.problems()
            #expect(problems == [])
        }
    }

    @Test(arguments: [
        ("UPDATE record SET fields = '[1]' WHERE id = 'a'", "todoitem: a: its fields can't be read"),
        ("UPDATE record SET layout = '{' WHERE id = 'a'", "todoitem: a: its text and path can't be read"),
        ("UPDATE record SET folded_id = NULL WHERE id = 'B'", "todoitem: B: its folded id is wrong"),
        ("UPDATE todo_table SET sequence = 2", "todoitem: c: its version is newer than its table"),
        ("UPDATE record SET id = '' WHERE id = 'a'", "todoitem: : its id is not valid"),
        (
            "UPDATE record SET version = (SELECT version + 1 FROM record WHERE id = 'a') WHERE id = 'c'",
            "todoitem: c: another record has the same position in the change feed"
        ),
        (
            "PRAGMA foreign_keys = OFF; UPDATE record SET todo_table = 77 WHERE id = 'a'",
            "a row of record does not belong to a table"
        ),
    ])
    func `content that no store writes is reported`(_ sql: String, _ problem: String) async throws {
        try await withStore { store, database in
            try database.execute(sql)
            let problems = try await store.problems()
            #expect(problems == [problem])
        }
    }

    @Test func `SQLite detects a damaged file`() async throws {
        try await withStore { store, database in
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            let url = URL(filePath: database.path)
            var bytes = try Data(contentsOf: url)
            // The first page contains the names of the tables; without it, the file is not a store.
            for index in bytes.indices.dropFirst(4096) where index % 7 == 0 { bytes[index] ^= 0xFF }
            try bytes.write(to: url)
            let problems = try await Store.problems(at: store.path, surroundings: .testing)
            #expect(!problems.isEmpty && problems.allSatisfy { $0.hasPrefix("SQLite: ") })
        }
    }
}
