import Foundation
import GRDB
import LosslessYAML
import Remotes
import TestSupport
import Testing
import TodoModel

/// Stores in an older format.
@Suite(.oneStoreAtATime) struct `An older store` {
    /// The tables of format 1 with one record and the current digest of its operation.
    private static let format1 = #"""
        CREATE TABLE store (identity BLOB NOT NULL) STRICT;
        CREATE TABLE todo_table (
            key INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            sequence INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE record (
            key INTEGER PRIMARY KEY,
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            id TEXT NOT NULL,
            folded_id TEXT,
            version INTEGER NOT NULL,
            deleted INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            fields TEXT NOT NULL,
            layout TEXT
        ) STRICT;
        CREATE UNIQUE INDEX record_id ON record (todo_table, id);
        CREATE UNIQUE INDEX record_folded_id ON record (todo_table, folded_id) WHERE folded_id IS NOT NULL;
        CREATE UNIQUE INDEX record_version ON record (todo_table, version);
        CREATE TABLE operation (
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            id TEXT NOT NULL,
            digest BLOB NOT NULL,
            version INTEGER NOT NULL,
            PRIMARY KEY (todo_table, id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE history (
            todo_table INTEGER NOT NULL REFERENCES todo_table,
            sequence INTEGER NOT NULL,
            mark INTEGER NOT NULL,
            PRIMARY KEY (todo_table, sequence)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO store VALUES (x'000102030405060708090a0b0c0d0e0f');
        INSERT INTO todo_table VALUES (1, 'todoitem', 1, 1000);
        INSERT INTO record VALUES (1, 1, 'one', NULL, 16777217, 0, 1000, 1000, '{"text":"Hello one"}',
            '{"path":"one.yaml","yaml":"id: one\ntext: Hello one\n"}');
        INSERT INTO operation VALUES (1, 'insert one', x'773b71ef738ef97f1d79f887493e86bda0a36e19', 16777217);
        INSERT INTO history VALUES (1, 1, 7);
        PRAGMA application_id = 1953457263;
        PRAGMA user_version = 1;
        """#

    private func makeStore(in folder: String) async throws {
        let queue = try DatabaseQueue(path: "\(folder)/todosync-store.sqlite")
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: Self.format1)
        }
        try queue.close()
    }

    @Test func `a store of format 1 keeps its content when it is opened, and can then have keys`()
        async throws
    {
        try await withTemporaryFolder { folder in
            try await makeStore(in: folder)
            let store = try Store.open(at: folder, surroundings: .testing)
            #expect(store.identity == "000102030405060708090a0b0c0d0e0f")
            let table = store.table(.standard)
            let record = try #require(try await table.record(id: "one"))
            #expect(record.record.fields == ["text": .string("Hello one")])
            #expect(record.record.layout == Layout(path: "one.yaml", yaml: "id: one\ntext: Hello one\n"))
            #expect(record.createdAt == 1000)
            let page = try await table.changes(after: TodoModel.Cursor("1-1-7"))
            #expect(page.records.isEmpty)
            // An operation from before the upgrade is still known.
            #expect(try await table.answers(to: [.example("one")]) == [.accepted(record.record.version)])
            let other = PushOperation(
                operationID: "insert one", id: "one",
                change: .insert(fields: ["text": .string("other")], layout: Layout(path: nil, yaml: nil)))
            guard case .refused(status: 422, _)? = try await table.answers(to: [other]).first else {
                Issue.record("an operation's id is one operation's")
                return
            }
            #expect(try await store.hasKeys() == false)
            let key = AccessKey(name: "k", table: nil, access: .read, isAnonymous: false, createdAt: 0)
            let added = try await store.addKey(key)
            let again = try Store.open(at: folder, surroundings: .testing)
            #expect(try await again.accessKeys() == [added.key])
            #expect(try await again.table(.standard).changes(after: nil).records == [record.record])
        }
    }

    @Test func `concurrent openings upgrade a store once`() async throws {
        try await withTemporaryFolder { folder in
            try await makeStore(in: folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let store = try Store.open(at: folder, surroundings: .testing)
                        #expect(try await store.table(.standard).exists())
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
