import LosslessYAML
import TestSupport
import Testing
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// The short names of todos.
@Suite struct HandlesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var ids: [String]
        var handles: [String]
        var testDescription: String { ids.joined(separator: " ") }
    }

    static let rows = [
        Row(ids: ["7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11"], handles: ["7c"]),
        Row(ids: ["milk", "bread"], handles: ["mi", "br"]),
        Row(ids: ["milk", "mint", "mile"], handles: ["milk", "min", "mile"]),
        Row(ids: ["a", "b"], handles: ["a", "b"]),
        // If another id begins with an id, its handle is the whole id.
        Row(ids: ["milk", "milk2"], handles: ["milk", "milk2"]),
        Row(
            ids: [
                "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11", "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c12", "7c1f",
            ],
            handles: ["7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11", "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c12", "7c1f"]),
        Row(ids: ["Milk", "milk"], handles: ["Mi", "mi"]),
        Row(ids: ["牛乳を買う", "牛乳"], handles: ["牛乳を", "牛乳"]),
    ]

    @Test(arguments: rows) func `a handle is the shortest prefix that no other id has`(row: Row) {
        let ids = row.ids.compactMap { TodoID($0) }
        let handles = Handles(ids)
        #expect(ids.map(handles.handle) == row.handles)
    }

    @Test func `several threads can ask first`() {
        let ids = (0..<200).compactMap { TodoID("\($0)-milk") }
        let expected = ids.map(Handles(ids).handle)
        for _ in 0..<50 { #expect(mapConcurrently(ids, Handles(ids).handle) == expected) }
    }

    @Test func `a todo that is gone has the handle that it would have`() throws {
        let ids = ["milk", "bread"].compactMap { TodoID($0) }
        let gone = try #require(TodoID("mild"))
        #expect(Handles(ids).handle(of: gone) == "mild")
    }

    @Test func `the cache's order gives the same handles as the ids alone`() async throws {
        let machine = try World().machine()
        for number in 1...60 {
            _ = try machine.workspace.add(NewTodo(text: "todo \(number)", fields: [:], path: nil))
        }
        machine["other.yaml"] = "id: 00-no-uuid\ntext: other\n"
        try await machine.push()
        // Waits until no change to the files could be missed, so that they needn't be read again.
        try await Task.sleep(for: .milliseconds(30))
        _ = try machine.workspace.status()
        machine["new.yaml"] = "id: 01-not-in-the-cache\ntext: new\n"
        let listed = try machine.workspace.list()
        let ids = listed.compactMap(\.id)
        #expect(ids.count == 62)
        let handles = Handles(ids)
        #expect(listed.map(\.handle) == ids.map(handles.handle))
        for (id, handle) in zip(ids, listed.compactMap(\.handle)) {
            #expect(ids.filter { $0.string.hasPrefix(handle) } == [id], "\(handle)")
            #expect(handle.count == 2 || ids.count { $0.string.hasPrefix(handle.dropLast()) } > 1)
        }
    }
}
