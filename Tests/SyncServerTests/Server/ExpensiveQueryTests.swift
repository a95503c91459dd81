import LosslessYAML
import NIOCore
import TestSupport
import Testing

@testable import Remotes
@testable import SyncServer

/// Clients that send expensive queries.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct ExpensiveQueryTests {
    private func list(_ server: TestServer, _ secret: String) async throws -> TestClient.Answer {
        try await server.request("GET", "/tables/todoitem", ["x-zumo-application: \(secret)"])
    }

    @Test func `a key's queries are limited, but no other requests, and no other key's`() async throws {
        let server = try await TestServer()
        let phone = try await server.addKey(.testing("phone", .write, table: .standard))
        let other = try await server.addKey(.testing("other", .write, table: .standard))
        let key = ["x-zumo-application: \(phone)"]
        let record = #"{"id":"a","text":"x"}"#
        #expect(try await server.request("POST", "/tables/todoitem", key, body: record).status == 201)
        try await server.whileQueriesRun(2, of: "key phone") {
            let refused = try await list(server, phone)
            #expect(refused.status == 429)
            #expect(refused["Retry-After"] == "1")
            #expect(
                refused.text.contains(#""error":"Error: Too many queries of this client are running"#))
            let filtered = "/tables/todoitem/a?$filter=text%20eq%20'x'"
            #expect(try await server.request("GET", filtered, key).status == 429)
            let batch = #"{"requests":[{"id":"1","method":"GET","url":"/tables/todoitem"}]}"#
            let answer = try await server.request("POST", "/$batch", key, body: batch)
            #expect(answer.text.contains(#""status":429,"headers":{"retry-after":"1""#))
            for path in ["/health", "/ready", "/tables/todoitem/a", "/tables/todoitem/changes?wait=0"] {
                #expect(try await server.request("GET", path, key).status == 200, "\(path)")
            }
            let change = #"{"text":"y"}"#
            #expect(try await server.request("PATCH", "/tables/todoitem/a", key, body: change).status == 200)
            #expect(try await list(server, other).status == 200)
            try await server.whileQueriesRun(2, of: "key more") {
                let refused = try await list(server, other)
                #expect(refused.status == 503)
                #expect(refused["Retry-After"] == "1")
            }
        }
        #expect(try await list(server, phone).status == 200)
    }

    @Test func `without keys, an address has the limits of a key`() async throws {
        let server = try await TestServer()
        try await server.whileQueriesRun(2, of: "127.0.0.1") {
            let refused = try await server.request("GET", "/tables/todoitem")
            #expect(refused.status == 429)
        }
        #expect(try await server.request("GET", "/tables/todoitem").status == 200)
    }

    @Test func `the time of a batch's queries counts from its arrival`() async throws {
        let server = try await TestServer()
        let secret = try await server.addKey(.testing("phone", .write, table: .standard))
        let tables = TablesProtocol(store: server.store)
        let batch = #"{"requests":[{"id":"1","method":"GET","url":"/tables/todoitem"}]}"#
        for (time, status) in [(Duration.zero, 200), (.seconds(300), 400)] {
            let answer = await tables.respond(
                to: TablesRequest(
                    method: "POST", path: "/$batch", body: Array(batch.utf8), root: "http://localhost",
                    arrival: Arrival(time: .now - time)), grant: .all)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""status":\#(status)"#), "\(text)")
        }
        #expect(try await list(server, secret).status == 200)
    }
}
