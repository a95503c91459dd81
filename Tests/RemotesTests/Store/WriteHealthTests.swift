import LosslessYAML
import SQLite
import Testing
import TodoModel

@testable import Remotes

@Suite struct WriteHealthTests {
    private func limit(_ store: Store, toPages count: Int) async throws {
        try await store.sqlite.writeDatabase { database in
            try database.execute("PRAGMA max_page_count = \(count)")
        }
    }

    @Test func `a failed write is a problem until a write works again`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let table = store.table(.standard)
            _ = try await table.write([.testing("a")])
            #expect(await store.writeHealth.problem(of: store) == nil)
            // SQLite raises this limit to the number of pages that exist.
            try await limit(store, toPages: 1)
            var large = RecordWrite.testing("b")
            large.change = .insert(
                fields: ["text": .string(String(repeating: "x", count: 300_000))], layout: nil)
            await #expect(throws: RemoteError.self) { _ = try await table.write([large]) }
            #expect(await store.writeHealth.problem(of: store) == .diskFull(path: folder))
            #expect(await store.writeHealth.problem(of: store) == .diskFull(path: folder))
            try await store.check()
            try await limit(store, toPages: 1_000_000)
            #expect(await store.writeHealth.problem(of: store) == nil)
            #expect(try await store.read { try $0.keys() }.isEmpty)
            #expect(try await table.changes(after: nil).records.map(\.id) == ["a"])
        }
    }
}
