import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing

/// OData's delta on a table, as todosync's client uses it.
@Suite(.oneStoreAtATime) struct ChangesTests {
    static let prefer = ("Prefer", "odata.track-changes")

    /// Follows the links to the end, and returns the records and the last token.
    private func changes(
        _ server: TablesServer, after token: String? = nil, prefer: String = "odata.track-changes"
    ) async throws -> (records: [Value], sizes: [Int], token: String) {
        var target = "/tables/t" + (token.map { "?$deltatoken=\($0)" } ?? "")
        var records: [Value] = []
        var sizes: [Int] = []
        while true {
            let answer = try await server.send("GET", target, headers: [("Prefer", prefer)])
            #expect(answer.status == 200)
            #expect(answer.header("preference-applied") == prefer)
            #expect(answer["@todosync.identity"] == .string("\(server.store.identity)/t"))
            #expect(
                answer["@todosync.layout"] == .list([.string("path"), .string("yaml"), .string("device")]))
            records += answer.records
            sizes.append(answer.records.count)
            let delta = answer["@odata.deltaLink"]?.string
            let next = answer["@odata.nextLink"]?.string
            #expect((delta == nil) != (next == nil))
            let link = try #require(delta ?? next)
            let start = "\(server.origin)/tables/t?$deltatoken="
            #expect(link.hasPrefix(start))
            target = String(link.dropFirst(server.origin.count))
            if delta != nil { return (records, sizes, String(link.dropFirst(start.count))) }
        }
    }

    @Test func `changes are whole records in the order of their writes, including tombstones`() async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        _ = try await server.send(
            "PATCH", "/tables/t/live",
            body: #"{"todosync":{"path":"a.yaml","yaml":"text: x\n","device":"phone"}}"#)
        let found = try await changes(server)
        #expect(found.records.map { $0["id"] } == [.string("tomb"), .string("live")])
        let tomb = found.records[0]
        #expect(tomb["deleted"] == .bool(true))
        #expect(tomb["@removed"] == .mapping(["reason": .string("deleted")]))
        #expect(tomb["version"] == versions.current["tomb"].map { .string($0) })
        let live = found.records[1]
        #expect(live["deleted"] == .bool(false))
        #expect(live["@removed"] == nil)
        #expect(live["text"] == .string("second"))
        #expect(live["todosync"]?["yaml"] == .string("text: x\n"))
        #expect(live["todosync"]?["device"] == .string("phone"))
        #expect(live["updatedAt"]?.string?.hasSuffix("Z") == true)
        #expect(live["createdAt"] != nil)
    }

    @Test func `a field with the name of the tombstones' mark doesn't break a page`() async throws {
        let server = try await TablesServer()
        for id in ["live", "tomb"] {
            _ = try await server.send("POST", "/tables/t", body: #"{"id":"\#(id)","@removed":1}"#)
        }
        _ = try await server.send("DELETE", "/tables/t/tomb")
        let found = try await changes(server)
        #expect(
            found.records.map { $0["@removed"] } == [
                .number(Number(1)), .mapping(["reason": .string("deleted")]),
            ])
    }

    @Test func `the last page's link leads to later changes`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let first = try await changes(server)
        let none = try await changes(server, after: first.token)
        #expect(none.records.isEmpty)
        #expect(none.token == first.token)
        _ = try await server.send("PATCH", "/tables/t/live", body: #"{"text":"third"}"#)
        let news = try await changes(server, after: first.token)
        #expect(news.records.map { $0["text"] } == [.string("third")])
    }

    @Test(arguments: [
        ("odata.track-changes", [1000, 1000, 500]),
        ("odata.track-changes, odata.maxpagesize=1000", [1000, 1000, 500]),
    ])
    func `a page has at most a thousand records`(prefer: String, pages: [Int]) async throws {
        let server = try await TablesServer()
        try await server.insert(count: 2500)
        #expect(try await changes(server, prefer: prefer).sizes == pages)
    }

    @Test(arguments: [
        ("odata.maxpagesize=3", 3), ("maxpagesize=\"4\"", 4), ("odata.maxpagesize=0", 10),
        ("odata.maxpagesize=x", 10),
        ("odata.maxpagesize=-3", 10), ("odata.maxpagesize=99999999999999999999", 10),
        ("odata.maxpagesize=5000", 10),
    ])
    func `a client can request smaller pages`(preference: String, count: Int) async throws {
        let server = try await TablesServer()
        try await server.insert(count: 10)
        let answer = try await server.send(
            "GET", "/tables/t",
            headers: [("prefer", "return=representation"), ("prefer", "\(preference), Track-Changes;x=y")])
        #expect(answer.records.count == count)
    }

    @Test func `a client can identify the table without its records`() async throws {
        let server = try await TablesServer()
        try await server.insert(count: 3)
        let whole = try await changes(server)
        for (target, link) in [
            ("/tables/t?$top=0", "@odata.nextLink"),
            ("/tables/t?$deltatoken=\(whole.token)&$top=0", "@odata.deltaLink"),
        ] {
            let answer = try await server.send("GET", target, headers: [Self.prefer])
            #expect(answer.status == 200)
            #expect(answer["value"] == .list([]))
            #expect(answer["@todosync.identity"] == .string("\(server.store.identity)/t"))
            #expect(answer[link] != nil)
        }
        let met = try await server.send(
            "GET", "/tables/t?$deltatoken=\(whole.token)&$top=0", headers: [Self.prefer])
        #expect(met["@odata.deltaLink"]?.string?.hasSuffix(whole.token) == true)
    }

    @Test(arguments: [Caller.trusted, .key(.read), .key(.read, table: "t")])
    func `a table can be identified before its first write`(caller: Caller) async throws {
        let server = try await TablesServer()
        for target in ["/tables/T", "/tables/T?$top=0"] {
            let answer = try await server.send("GET", target, headers: [Self.prefer], as: caller)
            #expect(answer.status == 200)
            #expect(answer["@todosync.identity"] == .string("\(server.store.identity)/t"))
            #expect(answer["value"] == .list([]))
            #expect(answer["@odata.deltaLink"] != nil)
        }
        #expect(try await !server.store.table(.standard).exists())
    }

    @Test func `changes require read access`() async throws {
        let server = try await TablesServer()
        for (caller, status) in [(Caller.stranger, 401), (.key(.read, table: "other"), 403)] {
            #expect(
                try await server.send("GET", "/tables/t", headers: [Self.prefer], as: caller).status == status
            )
        }
    }

    @Test func `a token of another history gets 410, and an invalid one 400`() async throws {
        let server = try await TablesServer()
        let other = try await TablesServer()
        try await server.insert(count: 3)
        try await other.insert(count: 3)
        let token = try await changes(other).token
        let malformed = ["x", "", "1-0-0", "0-0-0", "2-1-0", "%20", "-1", "99999999999999999999-1-1"].map {
            ($0, 400)
        }
        for (token, status) in [(token, 410), ("1-1-0", 410)] + malformed {
            for more in ["", "&$top=0"] {
                let answer = try await server.send(
                    "GET", "/tables/t?$deltatoken=\(token)\(more)", headers: [Self.prefer])
                #expect(answer.status == status, "\(token)")
                #expect(answer["error"]?.string?.isEmpty == false)
            }
        }
    }

    @Test func `an accepted operation that the table doesn't have gets 410`() async throws {
        let server = try await TablesServer()
        let made = try await server.send(
            "POST", "/tables/t", headers: [("Idempotency-Key", "op-1")], body: #"{"id":"a"}"#)
        let version = try #require(made.version)
        let rows = [
            ("op-1 \(version)", 200), ("op-2 \(version)", 410), ("op-1 AAAAAAAAAAA=", 410), ("op-1 x", 410),
            ("op-1", 400), ("", 400), ("op-1 \(version) x", 400),
        ]
        for (value, status) in rows {
            let answer = try await server.send(
                "GET", "/tables/t?$top=0", headers: [Self.prefer, ("todosync-accepted", value)])
            #expect(answer.status == status, "\(value)")
        }
        let unknown = try await server.send(
            "GET", "/tables/none?$top=0", headers: [Self.prefer, ("todosync-accepted", "op-1 \(version)")])
        #expect(unknown.status == 410)
    }

    @Test(arguments: [
        "$filter=n%20eq%201", "$orderby=n", "$select=id", "$skip=1", "$inlinecount=none", "$count=true",
        "$top=1",
    ])
    func `changes can't be filtered, sorted or limited`(query: String) async throws {
        let server = try await TablesServer()
        #expect(try await server.send("GET", "/tables/t?\(query)", headers: [Self.prefer]).status == 400)
    }

    @Test func `v1 has no changes`() async throws {
        let server = try await TablesServer()
        let answer = try await server.send("GET", "/tables/t", .v1, headers: [Self.prefer])
        #expect(answer.json == .list([]))
        #expect(answer.header("preference-applied") == nil)
    }
}
