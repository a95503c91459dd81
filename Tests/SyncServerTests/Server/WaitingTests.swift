import Foundation
import LosslessYAML
import Remotes
import TestSupport
import Testing
import TodoModel
import UnixSignals
import Values

@testable import SyncServer

/// Requests that wait for changes, and changes as events.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct WaitingTests {
    private static let events = "Accept: text/event-stream"

    /// Writes a new record to a table.
    private func write(_ id: String, to table: String = "t", in store: Store) async throws {
        _ = try await store.table(#require(TableName(table))).write([
            RecordWrite(id: id, change: .insert(fields: ["text": .string(id)], layout: nil))
        ])
    }

    /// Returns the token in a response's link.
    private func token(_ answer: TestClient.Answer) throws -> String {
        let json = try JSON.read(answer.body)
        let link = try #require((json["@odata.deltaLink"] ?? json["@odata.nextLink"])?.string)
        return try #require(link.components(separatedBy: "after=").last)
    }

    private func ids(_ answer: TestClient.Answer) throws -> [String] {
        guard case .list(let records)? = try JSON.read(answer.body)["value"] else { return [] }
        return records.compactMap { $0["id"]?.string }
    }

    @Test(arguments: [false, true])
    func `a request waits for a change to its table, whoever writes it`(isOtherProcess: Bool) async throws {
        let server = try await TestServer()
        try await write("a", in: server.store)
        let first = try await server.request("GET", "/tables/t/changes?wait=60")
        #expect(try ids(first) == ["a"])
        let writer =
            isOtherProcess
            ? try Store.open(at: server.store.path, surroundings: .forServerTests) : server.store
        let target = "/tables/t/changes?wait=60&after=\(try token(first))"
        let waiting = Task { try await server.request("GET", target) }
        try await server.isWatched(by: 1)
        try await write("other", to: "u", in: writer)
        try await write("b", in: writer)
        let second = try await waiting.value
        #expect(second.status == 200)
        #expect(try ids(second) == ["b"])
        // The server counts the wait as ended only after the response.
        try await server.isWatched(by: 0)
    }

    @Test func `the table that a request waits for need not exist`() async throws {
        let server = try await TestServer()
        let waiting = Task { try await server.request("GET", "/tables/t/changes?wait=60") }
        try await server.isWatched(by: 1)
        try await write("a", in: server.store)
        #expect(try await ids(waiting.value) == ["a"])
    }

    @Test func `a wait ends without changes, and $top=0 only shows whether there are any`() async throws {
        let server = try await TestServer()
        try await write("a", in: server.store)
        let all = try await server.request("GET", "/tables/t/changes?wait=60&$top=0")
        let json = try JSON.read(all.body)
        #expect(json["value"] == .list([]) && json["@odata.nextLink"] != nil)
        let after = try await token(server.request("GET", "/tables/t/changes?wait=0"))
        let none = try await server.request("GET", "/tables/t/changes?wait=1&$top=0&after=\(after)")
        #expect(none.status == 200)
        #expect(try token(none) == after)
        #expect(try JSON.read(none.body)["@odata.deltaLink"] != nil)
    }

    @Test func `writes between the look and the wait are noticed`() async throws {
        let server = try await TestServer()
        let table = server.store.table(try #require(TableName("t")))
        for number in 0..<200 {
            let cursor = try await table.storedChanges(after: nil).next
            async let changes = table.storedChanges(after: cursor, waiting: .seconds(1200))
            try await write("\(number)", in: server.store)
            #expect(try await changes.page.records.map(\.record.id) == ["\(number)"])
        }
    }

    @Test func `metrics count the watched tables, and the waits that a change has ended`() async throws {
        let server = try await TestServer()
        func metrics() async throws -> String { try await server.request("GET", "/metrics").text }
        #expect(try await metrics().contains("todosync_watched_tables 0\n"))
        var (after, number) = ("", 0)
        repeat {
            number += 1
            let waiting = Task { [after] in
                try await server.request("GET", "/tables/t/changes?wait=60" + after)
            }
            while try await !metrics().contains("todosync_watched_tables 1\n") {
                try await Task.sleep(for: .milliseconds(1))
            }
            try await write("\(number)", in: server.store)
            after = try await "&after=" + token(waiting.value)
            // A write between the look and the wait wakes nobody.
        } while try await metrics().contains("todosync_wakes_total 0\n")
    }

    @Test(arguments: ["after=x", "after=", "wait=61", "wait=-1", "wait=x", "wait=1&wait=2"])
    func `bad options are refused`(query: String) async throws {
        let server = try await TestServer()
        let answer = try await server.request("GET", "/tables/t/changes?" + query)
        #expect(answer.status == 400)
    }

    @Test func `a token from another history is refused`() async throws {
        let server = try await TestServer()
        try await write("a", in: server.store)
        for fields in [[], [Self.events]] {
            let answer = try await server.request("GET", "/tables/t/changes?wait=9&after=1-1-0", fields)
            #expect(answer.status == 410)
        }
    }

    @Test func `a record can have the id "changes"`() async throws {
        let server = try await TestServer()
        try await write("changes", in: server.store)
        let record = try await server.request("GET", "/tables/t/changes", ["ZUMO-API-VERSION: 2.0.0"])
        #expect(try JSON.read(record.body)["text"] == .string("changes"))
        #expect(try await server.request("DELETE", "/tables/t/changes").status == 204)
    }

    @Test func `in a batch, nobody waits`() async throws {
        let server = try await TestServer()
        let batch = #"{"requests":[{"id":"1","method":"GET","url":"/tables/t/changes?wait=60"}]}"#
        let answer = try await server.request("POST", "/$batch", body: batch)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""@odata.deltaLink""#))
    }

    @Test func `a client that goes away leaves nobody waiting`() async throws {
        let server = try await TestServer()
        for fields in [[], [Self.events]] {
            try await TestClient.connect(to: server) { client in
                try await client.send(head("GET", "/tables/t/changes?wait=60", fields))
                try await server.isWatched(by: 1)
            }
            try await server.isWatched(by: 0)
        }
    }

    @Test func `those who wait have a limit, and leave room for others`() async throws {
        let server = try await TestServer(.testing { ($0.limits.connections, $0.watchers) = (1, 2) })
        try await TestClient.connect(to: server) { first in
            try await first.send(head("GET", "/tables/t/changes?wait=60"))
            try await server.isWatched(by: 1)
            try await TestClient.connect(to: server) { second in
                try await second.send(head("GET", "/tables/t/changes", [Self.events]))
                try await server.isWatched(by: 2)
                let third = try await server.request("GET", "/tables/t/changes?wait=60")
                #expect(third.status == 503)
                #expect(third["Retry-After"] == "10")
                #expect(try await server.request("GET", "/tables/t/changes?after=0").status == 200)
                #expect(try await server.request("GET", "/health").status == 200)
                try await write("a", in: server.store)
                #expect(try await first.answer().status == 200)
            }
        }
    }

    @Test func `events have the changes, and continue after the last one received`() async throws {
        let server = try await TestServer()
        try await write("a", in: server.store)
        let last = try await TestClient.connect(to: server) { client in
            try await client.send(head("GET", "/tables/t/changes", [Self.events]))
            let begin = try await client.receive(until: #""id":"a""#)
            #expect(begin.contains("HTTP/1.1 200 OK\r\n"))
            #expect(begin.lowercased().contains("content-type: text/event-stream"))
            #expect(begin.contains("retry: 1000\n\n"))
            try await write("b", in: server.store)
            let text = try await client.receive(until: #""id":"b""#)
            let ids = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }
            #expect(ids.count == 2)
            return try #require(ids.first).dropFirst(4)
        }
        try await TestClient.connect(to: server) { client in
            try await client.send(
                head("GET", "/tables/t/changes?after=0", [Self.events, "Last-Event-ID: \(last)"]))
            let text = try await client.receive(until: #""id":"b""#)
            #expect(!text.contains(#""id":"a""#))
        }
    }

    @Test func `HEAD gets the header of an event stream alone`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            let answer = try await client.request("HEAD", "/tables/t/changes", [Self.events])
            #expect(answer.status == 200)
            #expect(try await client.request("GET", "/health").status == 200)
        }
        try await server.isWatched(by: 0)
    }

    @Test func `nobody waits for a table without access to it`() async throws {
        let server = try await TestServer(keys: [.testing("admin")])
        let secret = try await server.addKey(.testing("t", .read, table: TableName("t")))
        for fields in [[], [Self.events]] {
            let target = "/tables/u/changes?wait=60"
            #expect(try await server.request("GET", target, fields).status == 401)
            let key = ["x-zumo-application: \(secret)"]
            #expect(try await server.request("GET", target, fields + key).status == 403)
        }
        try await server.isWatched(by: 0)
    }

    @Test func `a key that is revoked during a wait gets nothing`() async throws {
        let server = try await TestServer(keys: [.testing("admin")])
        let secret = try await server.addKey(.testing("phone", .read))
        let key = "x-zumo-application: \(secret)"
        try await write("a", in: server.store)
        try await TestClient.connect(to: server) { listening in
            try await listening.send(head("GET", "/tables/t/changes", [key, Self.events]))
            _ = try await listening.receive(until: #""id":"a""#)
            let first = try await server.request("GET", "/tables/t/changes?wait=0", [key])
            let target = try "/tables/t/changes?wait=60&after=" + token(first)
            let waiting = Task { try await server.request("GET", target, [key]) }
            try await server.isWatched(by: 2)
            #expect(try await server.store.revokeKey(named: "phone"))
            try await write("secret", in: server.store)
            let answer = try await waiting.value
            #expect(answer.status == 401)
            #expect(!answer.text.contains("secret"))
            let rest = try await listening.receive(until: "\r\n0\r\n\r\n")
            #expect(!rest.contains("secret"))
        }
    }

    @Test(arguments: [("u", 403), ("t", 200)])
    func `a key that is changed during a wait gets what it allows afterwards`(
        table: String, status: Int
    ) async throws {
        let server = try await TestServer()
        let request = TablesRequest(
            method: "GET", path: "/tables/t/changes", query: "wait=1", headers: Headers([]), body: [],
            root: "")
        let answer = await TablesProtocol(store: server.store).respond(
            to: request, grant: Grant(keys: [.testing("phone", .write)], isIdentified: true)
        ) {
            Grant(keys: [.testing("phone", .read, table: TableName(table))], isIdentified: true)
        }
        #expect(answer.status == status)
    }

    @Test func `a server that ends answers those who wait`() async throws {
        let (signals, sent) = AsyncStream.makeStream(of: UnixSignal.self)
        let settings = Server.Settings.testing { $0.limits.shutdownTime = .seconds(20 * 60) }
        let server = try await TestServer(settings, until: signals)
        try await TestClient.connect(to: server) { polling in
            try await polling.send(head("GET", "/tables/t/changes?wait=60"))
            try await TestClient.connect(to: server) { listening in
                try await listening.send(head("GET", "/tables/t/changes", [Self.events]))
                try await server.isWatched(by: 2)
                sent.yield(.sigterm)
                #expect(try await polling.answer().status == 200)
                let text = String(decoding: try await listening.end(), as: UTF8.self)
                #expect(text.hasSuffix("0\r\n\r\n"))
            }
        }
        #expect(try await server.ending == .terminated)
    }
}
