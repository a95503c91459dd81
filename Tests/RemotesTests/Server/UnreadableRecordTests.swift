import LosslessYAML
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// Unreadable records in a server's answers.
@Suite struct UnreadableRecordTests {
    private static let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    private static let time = #""updatedAt":"2026-01-01T00:00:00.000Z""#
    private static let records =
        #"[{"id":"a","version":"1","text":"A",\#(time),"field":\#(deep),"deleted":false},"#
        + #"{"id":"b","version":"2","text":"B",\#(time),"deleted":false}]"#
    private static let read = [
        RemoteRecord(id: "a", version: Version("1"), fields: [:], problem: "more than 70 levels"),
        RemoteRecord(id: "b", version: Version("2"), fields: ["text": "B"]),
    ]

    @Test(arguments: ["\n [", #"{"count":2,"results":["#])
    func `an unreadable record doesn't affect the others in another server's list`(_ beginning: String)
        async throws
    {
        let list = beginning + Self.records.dropFirst() + (beginning.contains("{") ? "}" : "")
        try await FakeServer.running({ request in
            .text(200, request.query["$top"] == "0" || request.query["$filter"] != nil ? "[]" : list)
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            _ = try await remote.meet(nil)
            #expect(try await remote.allChanges().pages.flatMap(\.records) == Self.read)
        }
    }

    @Test func `an unreadable record doesn't affect the others in a page of changes`() async throws {
        let page =
            #"{"@todosync.identity":"store/todoitem","value":\#(Self.records),"#
            + #""@odata.deltaLink":"/?$deltatoken=1"}"#
        try await FakeServer.running({ _ in .text(200, page) }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.allChanges().pages.flatMap(\.records) == Self.read)
        }
    }

    @Test func `a record that became unreadable has moved on`() async throws {
        let answer =
            #"{"responses":[{"id":"0","status":412,"body":{"id":"one","version":"7","x":\#(Self.deep)}},"#
            + #"{"id":"1","status":204,"headers":{"ETag":"\"8\""}}]}"#
        try await FakeServer.running({ request in
            request.method == "POST"
                ? .text(200, answer) : .json(200, OurServer.page([], delta: "0"))
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            let operations = ["one", "two"].map {
                PushOperation(
                    operationID: String(repeating: "0", count: 32), id: $0,
                    change: .delete(base: Version("1")))
            }
            let unreadable = RemoteRecord(
                id: "one", version: Version("7"), fields: [:], problem: "more than 70 levels")
            #expect(
                try await remote.answers(to: operations) == [.movedOn(unreadable), .accepted(Version("8"))])
        }
    }

    @Test(arguments: [
        PushOperation.Change.update(
            fields: ["notes": .null], layout: PushOperation.layout("A"), base: Version("1")),
        .recreate(fields: ["text": "A"], layout: PushOperation.layout("A"), base: Version("7")),
        .insert(fields: ["text": "A"], layout: PushOperation.layout("A")),
    ])
    func `an unreadable record on another server doesn't count as the sent one`(
        _ change: PushOperation.Change
    ) async throws {
        let record = #"{"id":"one","version":"7",\#(Self.time),"x":\#(Self.deep)}"#
        let status = if case .insert = change { 409 } else { 412 }
        try await FakeServer.running({ request in
            switch request.method {
            case "GET": .text(200, request.query["$filter"] == nil ? "[]" : "[\(record)]")
            default: .text(status, record)
            }
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            _ = try await remote.meet(nil)
            let moved = try await remote.moved(.one(change))
            #expect(moved?.problem != nil)
        }
    }
}
