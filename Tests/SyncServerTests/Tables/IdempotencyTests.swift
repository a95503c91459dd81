import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing

/// `Idempotency-Key`: a repeated write is applied once.
@Suite(.oneStoreAtATime) struct IdempotencyTests {
    struct Write: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        let body: String
        /// Whether the write has the record's version as its condition.
        var isConditional = false
        let status: Int

        var testDescription: String { "\(method) \(path) \(body)" }
    }

    static let writes = [
        Write(method: "POST", path: "/tables/t", body: #"{"id":"new","text":"x"}"#, status: 201),
        Write(method: "POST", path: "/tables/t", body: #"{"text":"without an id"}"#, status: 201),
        Write(
            method: "PATCH", path: "/tables/t/live", body: #"{"text":"x"}"#, isConditional: true, status: 200),
        Write(method: "PATCH", path: "/tables/t/live", body: #"{"text":"x"}"#, status: 200),
        Write(
            method: "PUT", path: "/tables/t/live", body: #"{"text":"x"}"#, isConditional: true, status: 200),
        Write(method: "DELETE", path: "/tables/t/live", body: "", isConditional: true, status: 204),
        Write(method: "POST", path: "/tables/t/tomb", body: "", isConditional: true, status: 200),
    ]

    private func send(
        _ write: Write, _ server: TablesServer, _ versions: Versions, _ flavor: Flavor, key: String,
        body: String? = nil
    ) async throws -> Answer {
        let id = String(write.path.dropFirst("/tables/t/".count))
        let condition = write.isConditional ? versions.headers(.current, id: id) : []
        return try await server.send(
            write.method, "\(write.path)?__systemProperties=__version", flavor,
            headers: condition + [("Idempotency-Key", key)], body: body ?? write.body)
    }

    @Test(arguments: writes, bothFlavors)
    func `a repeated write gets the first answer, and changes nothing`(
        write: Write, flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let first = try await send(write, server, versions, flavor, key: "\"a key\"")
        #expect(first.status == write.status)
        #expect(first.header("idempotency-replayed") == nil)
        let after = try await server.content()
        let again = try await send(write, server, versions, flavor, key: "\"a key\"")
        #expect(again.status == first.status)
        #expect(again.header("idempotency-replayed") == "true")
        #expect(again.version == first.version)
        #expect(again.header("location") == first.header("location"))
        #expect(again.json == first.json)
        #expect(try await server.content() == after)
    }

    @Test(arguments: writes.filter { $0.status != 204 }, bothFlavors)
    func `after later changes, the answer has the id and the original version`(
        write: Write, flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let first = try await send(write, server, versions, flavor, key: "key")
        let id = try #require(first["id"]?.string)
        _ = try await server.send("PATCH", "/tables/t/\(id)", body: #"{"text":"later"}"#)
        let again = try await send(write, server, versions, flavor, key: "key")
        #expect(again.status == first.status)
        #expect(again.version == first.version)
        let name = flavor == .v1 ? "__version" : "version"
        #expect(again.json == .mapping(["id": .string(id), name: .string(first.version ?? "")]))
        #expect(try await server.send("GET", "/tables/t/\(id)")["text"] == .string("later"))
    }

    @Test(arguments: writes.filter { !$0.body.isEmpty }, bothFlavors)
    func `a key that another write used gets 422`(write: Write, flavor: Flavor) async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        _ = try await send(write, server, versions, flavor, key: "key")
        let after = try await server.content()
        let other = write.body.replacing("\"text\":\"", with: "\"text\":\"other ")
        let answer = try await send(write, server, versions, flavor, key: "key", body: other)
        #expect(answer.status == 422)
        #expect(answer["code"]?.number == 422)
        #expect(try await server.content() == after)
    }

    @Test func `a refused write can be retried with its key`() async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let key = ("Idempotency-Key", "key")
        let stale = versions.headers(.stale, id: "live") + [key]
        let refused = try await server.send("PATCH", "/tables/t/live", headers: stale, body: #"{"text":"x"}"#)
        #expect(refused.status == 412)
        let current = versions.headers(.current, id: "live") + [key]
        let done = try await server.send("PATCH", "/tables/t/live", headers: current, body: #"{"text":"x"}"#)
        #expect(done.status == 200)
    }

    @Test(arguments: ["", "ä", "a\u{7}", "a\tb", String(repeating: "a", count: 256)])
    func `an invalid key gets 400`(key: String) async throws {
        let server = try await TablesServer()
        let answer = try await server.send(
            "POST", "/tables/t", headers: [("Idempotency-Key", key)], body: "{}")
        #expect(answer.status == 400)
        let twice = [("Idempotency-Key", "a"), ("idempotency-key", "a")]
        #expect(try await server.send("POST", "/tables/t", headers: twice, body: "{}").status == 400)
        #expect(try await server.content().isEmpty)
    }

    @Test func `a repeated batch is applied once`() async throws {
        let server = try await TablesServer()
        let body = """
            {"requests":[
            {"id":"0","method":"POST","url":"/tables/t","headers":{"idempotency-key":"1"},"body":{"text":"a"}},
            {"id":"1","method":"POST","url":"/tables/t","headers":{"idempotency-key":"2"},"body":{"text":"b"}}
            ]}
            """
        let first = try await server.send("POST", "/$batch", body: body)
        let again = try await server.send("POST", "/$batch", body: body)
        #expect(try await server.content().count == 2)
        for position in 0..<2 {
            let (one, other) = (first["responses"]?[position], again["responses"]?[position])
            #expect(one?["body"] == other?["body"])
            #expect(one?["headers"]?["etag"] == other?["headers"]?["etag"])
            #expect(other?["headers"]?["idempotency-replayed"] == .string("true"))
        }
    }

    @Test func `a write that changes nothing is recorded, too`() async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let key = [("Idempotency-Key", "empty")]
        for replayed in [nil, "true"] {
            let answer = try await server.send("PATCH", "/tables/t/live", headers: key, body: "{}")
            #expect(answer.status == 200)
            #expect(answer.version == versions.current["live"])
            #expect(answer.header("Idempotency-Replayed") == replayed)
        }
        #expect(
            try await server.send("PATCH", "/tables/t/live", headers: key, body: #"{"n":2}"#).status == 422)
    }
}
