import Foundation
import LosslessYAML
import Remotes
import SQLite
import TestSupport
import Testing
import TodoModel

/// Records with texts that were not written by a store.
@Suite(.oneStoreAtATime) struct BrokenRecordTests {
    @Test(arguments: [
        "[1]", "{\"text\": \"a", #"{"text":"a\ud83d"}"#, #"{"text":"a","text":"b"}"#,
        "{\"x\":" + String(repeating: "[", count: 80) + String(repeating: "]", count: 80) + "}",
    ])
    func `an unreadable record has no fields, and doesn't affect others`(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let surroundings = StoreSurroundings(
                now: { 0 }, randomBytes: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } })
            let table = try Store.create(at: folder, surroundings: surroundings).table(.standard)
            _ = try await table.push(
                ["a", "b"].enumerated().map { number, id in
                    PushOperation(
                        operationID: "\(number)", id: id,
                        change: .insert(fields: ["text": .string(id)], layout: Layout(path: nil, yaml: nil)))
                })
            let file = try #require(
                FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".sqlite") })
            try SQLStatement(
                "UPDATE record SET fields = ? WHERE id = 'a'", in: SQLConnection(folder + "/" + file)
            ).run(.string(text))
            let records = try await table.changes(after: nil).records
            #expect(records.map(\.id) == ["a", "b"])
            #expect(records.first?.fields.isEmpty == true && records.first?.problem != nil)
            #expect(records.last?.fields == ["text": .string("b")])
            let answers = try await table.write(
                ["a", "b"].map { RecordWrite(id: $0, change: .merge(fields: ["n": .null], layout: nil)) })
            #expect(
                answers.first == .refused(status: 422, message: "the stored record a can't be read"))
            if case .done? = answers.last {} else { Issue.record("\(answers)") }
        }
    }
}
