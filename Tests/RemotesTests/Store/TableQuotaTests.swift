import LosslessYAML
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// The limits of a table.
@Suite(.ownThreads) struct TableQuotaTests {
    static let kinds: [String] = {
        #if PostgreSQL
            ["folder", "database"]
        #else
            ["folder"]
        #endif
    }()

    private static func status(_ answer: WriteAnswer) -> Int {
        switch answer {
        case .done, .repeated: 200
        case .exists, .conditionFailed: 409
        case .notFound: 404
        case .refused(let status, _): status
        }
    }

    /// A write, and the status of its answer.
    typealias Step = (write: RecordWrite, status: Int)

    private static func insert(_ id: String, _ text: String = "", operation: String? = nil) -> RecordWrite {
        RecordWrite(
            id: id, change: .insert(fields: ["text": .string(text)], layout: nil), operationID: operation)
    }

    private static func merge(_ id: String, _ text: String) -> RecordWrite {
        RecordWrite(id: id, change: .merge(fields: ["text": .string(text)], layout: nil))
    }

    private static func check(_ steps: [Step], _ quota: TableQuota, _ kind: String) async throws {
        let folder = try TemporaryFolder()
        var store = try await Store.testing(kind, at: folder.path)
        store.quota = quota
        for (number, step) in steps.enumerated() {
            let answer = try await store.table(.standard).write([step.write])[0]
            #expect(status(answer) == step.status, "\(number): \(answer)")
        }
        #expect(try await store.problems() == [])
    }

    @Test(arguments: kinds) func `a table has a limited number of todos`(_ kind: String) async throws {
        let steps: [Step] = [
            (Self.insert("a", operation: "first"), 200), (Self.insert("b"), 200), (Self.insert("c"), 507),
            (Self.insert("a", operation: "first"), 200), (Self.merge("a", "longer"), 200),
            (RecordWrite(id: "a", change: .delete), 200), (Self.insert("c"), 200),
            (RecordWrite(id: "a", change: .undelete), 507), (Self.insert("d"), 507),
            (RecordWrite(id: "b", change: .delete), 200), (RecordWrite(id: "c", change: .delete), 200),
            (RecordWrite(id: "a", change: .undelete), 200), (Self.insert("d"), 200),
        ]
        try await Self.check(steps, TableQuota(records: 2), kind)
    }

    @Test(arguments: kinds) func `the todos of a table have a limited size`(_ kind: String) async throws {
        let text = String(repeating: "x", count: 100)
        let steps: [Step] = [
            (Self.insert("a", text), 200), (Self.insert("b", text), 507), (Self.merge("a", text + text), 507),
            (Self.merge("a", "short"), 200), (Self.insert("b", text), 200), (Self.merge("b", text), 200),
            (RecordWrite(id: "a", change: .delete), 200), (Self.merge("b", text + "y"), 200),
        ]
        try await Self.check(steps, TableQuota(bytes: 180), kind)
    }

    @Test(arguments: kinds) func `a table over its limits can shrink`(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        var store = try await Store.testing(kind, at: folder.path)
        for id in ["a", "b", "c"] {
            _ = try await store.table(.standard).write([Self.insert(id, "a long text")])
        }
        store.quota = TableQuota(records: 1, bytes: 10)
        let table = store.table(.standard)
        #expect(Self.status(try await table.write([Self.merge("a", "a text")])[0]) == 200)
        #expect(Self.status(try await table.write([Self.merge("a", "a long text")])[0]) == 507)
        #expect(Self.status(try await table.write([RecordWrite(id: "b", change: .delete)])[0]) == 200)
        #expect(Self.status(try await table.write([Self.insert("d")])[0]) == 507)
    }

    @Test(arguments: kinds) func `the usage is right after any writes`(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let store = try await Store.testing(kind, at: folder.path)
        var random = SplitMix64(seed: 5)
        for _ in 0..<100 {
            let writes = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                let id = "\(Int.random(in: 0..<12, using: &random))"
                let text = String(repeating: "ä", count: Int.random(in: 0..<30, using: &random))
                let fields: Mapping = ["text": .string(text)]
                let changes: [RecordWrite.Change] = [
                    .insert(
                        fields: fields, layout: Layout(path: "\(id).yaml", yaml: "text: a\n")),
                    .merge(fields: fields, layout: nil), .replace(fields: fields, layout: nil), .delete,
                    .undelete,
                ]
                return RecordWrite(id: id, change: changes.randomElement(using: &random) ?? .delete)
            }
            _ = try await store.table(.standard).write(writes)
        }
        #expect(try await store.problems() == [])
    }
}
