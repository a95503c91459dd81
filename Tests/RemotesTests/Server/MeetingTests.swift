import LosslessYAML
import NIOHTTP1
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// The first exchange with a todosync server.
@Suite struct MeetingTests {
    /// The known history from the last pull.
    private static let recorded = RecordedHistory(
        identity: RemoteIdentity("store/todoitem"), cursor: Cursor("1"), accepted: nil)

    @Test func `the first exchange is one request with the recorded history`() async throws {
        try await FakeServer.running({ _ in .json(200, OurServer.page([], delta: "0")) }) { server in
            let remote = try HTTPRemote.testing(server.url(), pageSize: 7)
            let recorded = RecordedHistory(
                identity: RemoteIdentity("store/todoitem"), cursor: Cursor("a b&c"),
                accepted: AcceptedOperation(operationID: "0f", version: Version("AAE=")))
            #expect(try await remote.meet(recorded) == recorded.identity)
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1)
            #expect(request.target == "/tables/todoitem?$deltatoken=a%20b%26c&$top=0")
            #expect(request.headers["todosync-accepted"] == ["0f AAE="])
            #expect(request.headers["prefer"] == ["odata.track-changes, odata.maxpagesize=7"])
        }
    }

    @Test func `the first exchange can fetch the first page, which is returned once`() async throws {
        let page = OurServer.page([OurServer.record("one")], next: "2")
        try await FakeServer.running({ request in
            switch request.query["$deltatoken"] {
            case "1"?: .json(200, page)
            default: .json(200, OurServer.page([OurServer.record("two")], delta: "3"))
            }
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.meet(Self.recorded, wantsNews: true) == Self.recorded.identity)
            let first = try await remote.changes(after: Cursor("1"))
            #expect(first.records.map(\.id) == ["one"])
            #expect(server.requests.map(\.target) == ["/tables/todoitem?$deltatoken=1"])
            #expect(try await remote.changes(after: first.next).records.map(\.id) == ["two"])
            #expect(try await remote.changes(after: Cursor("1")).records.map(\.id) == ["one"])
            #expect(server.requests.count == 3)
        }
    }

    @Test func `the first page is dropped after a write, and for a pull from another position`()
        async throws
    {
        try await FakeServer.running({ request in
            request.path == "/$batch"
                ? .json(400, ["error": "no"])
                : .json(200, OurServer.page([], delta: request.query["$deltatoken"] ?? "0"))
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            _ = try await remote.meet(Self.recorded, wantsNews: true)
            let delete = PushOperation(operationID: "0f", id: "a", change: .delete(base: Version("v")))
            _ = try? await remote.push([delete])
            _ = try await remote.changes(after: Cursor("1"))
            #expect(server.requests.map(\.method) == ["GET", "POST", "GET"])
            _ = try await remote.meet(Self.recorded, wantsNews: true)
            _ = try await remote.changes(after: nil)
            #expect(server.requests.count == 5)
        }
    }

    @Test func `a first page from another table is ignored`() async throws {
        try await FakeServer.running({ request in
            request.query["$deltatoken"] == "gone"
                ? .json(410, ["error": "gone"])
                : .json(
                    200, OurServer.page([OurServer.record("one")], delta: "1", identity: "other/todoitem"))
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.meet(Self.recorded, wantsNews: true).string == "other/todoitem")
            _ = try await remote.changes(after: Cursor("1"))
            #expect(server.requests.count == 2)
            var recorded = RecordedHistory(
                identity: RemoteIdentity("other/todoitem"), cursor: Cursor("gone"), accepted: nil)
            await #expect(throws: RemoteError.otherHistory) {
                _ = try await remote.meet(recorded, wantsNews: true)
            }
            recorded.identity = RemoteIdentity("http://somewhere")
            recorded.cursor = Cursor("gone")
            #expect(try await remote.meet(recorded, wantsNews: true).string == "other/todoitem")
        }
    }

    @Test func `a history that doesn't continue is reported, unless the table is another one`() async throws {
        try await FakeServer.running({ request in
            request.query["$deltatoken"] == nil
                ? .json(200, OurServer.page([], delta: "0")) : .json(410, ["error": "gone"])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            for (identity, isRecorded) in [("store/todoitem", true), ("other/todoitem", false)] {
                let recorded = RecordedHistory(
                    identity: RemoteIdentity(identity), cursor: Cursor("1"), accepted: nil)
                if isRecorded {
                    await #expect(throws: RemoteError.otherHistory) { _ = try await remote.meet(recorded) }
                } else {
                    #expect(try await remote.meet(recorded) == RemoteIdentity("store/todoitem"))
                }
            }
            await #expect(throws: RemoteError.otherHistory) {
                _ = try await remote.changes(after: Cursor("1"))
            }
        }
    }
}
