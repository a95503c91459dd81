import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing

/// OData's JSON batch, as todosync's client uses it.
@Suite(.oneStoreAtATime) struct BatchTests {
    private func batch(
        _ server: TablesServer, _ requests: [String], _ flavor: Flavor = .v2,
        headers: [(String, String)] = [],
        as caller: Caller = .trusted
    ) async throws -> Answer {
        try await server.send(
            "POST", "/$batch", flavor, headers: headers,
            body: #"{"requests":[\#(requests.joined(separator: ","))]}"#, as: caller)
    }

    private func responses(_ answer: Answer) -> [Value] {
        guard case .list(let list)? = answer["responses"] else { return [] }
        return list
    }

    @Test func `each request gets its answer in order, and a failure doesn't affect the others`() async throws
    {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let stale = try #require(versions.stale["live"])
        let answer = try await batch(
            server,
            [
                #"{"id":"0","method":"POST","url":"/tables/t","body":{"id":"new","text":"x"}}"#,
                #"{"id":"1","method":"PATCH","url":"tables/t/live","headers":{"If-Match":"\"\#(stale)\""},"body":{"text":"y"}}"#,
                #"{"id":"2","method":"GET","url":"/tables/t/new"}"#,
                #"{"id":"3","method":"patch","url":"/tables/t/new","body":{"n":1}}"#,
                #"{"id":"4","method":"POST","url":"/tables/t","body":{"id":"new"}}"#,
                #"{"id":"5","method":"DELETE","url":"/tables/t/live"}"#,
                #"{"id":"6","method":"PATCH","url":"/tables/t/a%2Fb","body":{}}"#,
                #"{"id":"7","method":"POST","url":"/tables/other","body":{"id":"o"}}"#,
                #"{"id":"8","method":"GET","url":"/tables/t?$filter=n%20eq%201&$select=id"}"#,
                #"{"id":"9","method":"PUT","url":"/tables/t/tomb","body":{}}"#,
                #"{"id":"x","method":"GET","url":"/nowhere"}"#,
                #"{"id":"y","method":"PUT","url":"/tables/t"}"#,
            ])
        #expect(answer.status == 200)
        let found = responses(answer)
        #expect(found.map { $0["id"]?.string } == "0123456789xy".map { String($0) })
        #expect(
            found.map { $0["status"]?.number } == [
                201, 412, 200, 200, 409, 204, 400, 201, 200, 412, 404, 405,
            ])
        #expect(found[0]["headers"]?["location"] == .string("\(server.origin)/tables/t/new"))
        #expect(found[0]["headers"]?["etag"] == found[2]["headers"]?["etag"])
        #expect(found[1]["body"]?["text"] == .string("second"))
        #expect(found[2]["body"]?["text"] == .string("x"))
        #expect(found[3]["body"]?["n"]?.number == 1)
        #expect(found[5]["body"] == nil)
        #expect(found[5]["headers"]?["etag"] != nil)
        #expect(found[6]["body"]?["code"]?.number == 400)
        #expect(found[8]["body"] == .list([.mapping(["id": .string("new")])]))
        #expect(found[9]["body"]?["deleted"] == .bool(true))
        #expect(found[11]["headers"]?["allow"] == .string("GET, POST"))
    }

    @Test func `minimal responses have a version and no body`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let writes = [
            #"{"id":"0","method":"POST","url":"/tables/t","body":{"id":"new","text":"x"}}"#,
            #"{"id":"1","method":"PATCH","url":"/tables/t/new","body":{"text":"y"}}"#,
            #"{"id":"2","method":"DELETE","url":"/tables/t/new"}"#,
            #"{"id":"3","method":"PATCH","url":"/tables/t/live","headers":{"Prefer":"return=representation"},"body":{}}"#,
            #"{"id":"4","method":"PATCH","url":"/tables/t/tomb","body":{}}"#,
            #"{"id":"5","method":"GET","url":"/tables/t/live"}"#,
        ]
        let found = responses(try await batch(server, writes, headers: [("Prefer", "return=minimal")]))
        #expect(found.map { $0["status"]?.number } == [204, 204, 204, 200, 404, 200])
        for response in found[..<3] {
            #expect(response["body"] == nil)
            #expect(response["headers"]?["etag"]?.string?.hasPrefix("\"") == true)
        }
        #expect(found[3]["body"]?["text"] == .string("second"))
        #expect(found[4]["body"]?["code"]?.number == 404)
        let single = try await server.send(
            "PATCH", "/tables/t/live", headers: [("Prefer", "return=minimal")], body: #"{"text":"z"}"#)
        #expect(single.status == 204)
        #expect(single.text.isEmpty)
        #expect(single.header("preference-applied") == "return=minimal")
        #expect(single.version == (try await server.send("GET", "/tables/t/live")).version)
        let inner = responses(
            try await batch(
                server,
                [
                    #"{"id":"0","method":"POST","url":"/tables/t","headers":{"prefer":"return=minimal"},"body":{}}"#
                ]))
        #expect(inner[0]["status"]?.number == 204)
    }

    @Test func `a request without a flavor has the batch's`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let requests = [
            #"{"id":"0","method":"GET","url":"/tables/t/live"}"#,
            #"{"id":"1","method":"GET","url":"/tables/t/live","headers":{"Zumo-Api-Version":"2.0.0"}}"#,
            #"{"id":"2","method":"GET","url":"/tables/t/live?zumo-api-version=2.0.0"}"#,
            #"{"id":"3","method":"GET","url":"/tables/t/live","headers":{"zumo-api-version":"1.0"}}"#,
        ]
        let v1 = responses(try await batch(server, requests, .v1))
        #expect(v1.map { $0["body"]?["version"] != nil } == [false, true, true, false])
        #expect(v1[3]["status"]?.number == 400)
        let v2 = responses(try await batch(server, requests, .v2))
        #expect(v2.map { $0["body"]?["version"] != nil } == [true, true, true, false])
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"requests":{}}"#, #"{"requests":[1]}"#, #"{"requests":[{}]}"#,
        #"{"requests":[{"id":1,"method":"GET","url":"/tables/t"}]}"#,
        #"{"requests":[{"id":"a","url":"/tables/t"}]}"#, #"{"requests":[{"id":"a","method":"GET"}]}"#,
        #"{"requests":[{"id":"a","method":"GET","url":"/tables/t","dependsOn":["b"]}]}"#,
        #"{"requests":[{"id":"a","method":"GET","url":"/tables/t","atomicityGroup":"g"}]}"#,
        #"{"requests":[{"id":"a","method":"GET","url":"/tables/t","headers":[]}]}"#,
        #"{"requests":[{"id":"a","method":"GET","url":"/tables/t","headers":{"a":1}}]}"#,
        #"{"requests":[{"id":"a","method":"POST","url":"/tables/t","body":{}},{"id":"a","method":"GET","url":"/"}]}"#,
    ])
    func `an invalid batch gets 400, and none of it is applied`(body: String) async throws {
        let server = try await TablesServer()
        let answer = try await server.send("POST", "/$batch", body: body)
        #expect(answer.status == 400)
        #expect(answer["message"]?.string?.isEmpty == false)
        #expect(try await server.content().isEmpty)
    }

    @Test func `a batch has at most a thousand requests`() async throws {
        let server = try await TablesServer()
        for (count, status) in [(1000, 200), (1001, 400), (0, 200)] {
            let requests = (0..<count).map {
                #"{"id":"\#($0)","method":"POST","url":"/tables/t","body":{"id":"r\#($0)"}}"#
            }
            let answer = try await batch(server, requests)
            #expect(answer.status == status)
            if status == 200 { #expect(responses(answer).count == count) }
        }
        #expect(try await server.content().count == 1000)
    }

    @Test func `a batch contains only requests for tables`() async throws {
        let server = try await TablesServer()
        let found = responses(
            try await batch(
                server,
                [
                    #"{"id":"0","method":"POST","url":"/$batch","body":{"requests":[]}}"#,
                    #"{"id":"1","method":"GET","url":"/openapi.json"}"#,
                    #"{"id":"2","method":"GET","url":"http://example.org/tables/t"}"#,
                    #"{"id":"3","method":"GET","url":""}"#,
                    #"{"id":"4","method":"POST","url":"/tables/t"}"#,
                    #"{"id":"5","method":"POST","url":"/tables/t","body":"{}"}"#,
                    #"{"id":"6","method":"POST","url":"/tables/t","body":null}"#,
                    #"{"id":"7","method":"POST","url":"/tables/t/a","body":null}"#,
                ]))
        #expect(found.map { $0["status"]?.number } == [400, 400, 404, 404, 400, 400, 400, 404])
    }

    @Test func `each request needs the same access as on its own`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let requests = [
            #"{"id":"0","method":"GET","url":"/tables/t/live"}"#,
            #"{"id":"1","method":"PATCH","url":"/tables/t/live","body":{"text":"x"}}"#,
            #"{"id":"2","method":"GET","url":"/tables/other"}"#,
            #"{"id":"3","method":"POST","url":"/tables/t","body":{"id":"x"}}"#,
        ]
        let reader = responses(try await batch(server, requests, as: .key(.read, table: "t")))
        #expect(reader.map { $0["status"]?.number } == [200, 403, 403, 403])
        #expect(try await batch(server, requests, as: .stranger).status == 401)
        #expect(try await server.send("GET", "/tables/t/live")["text"] == .string("second"))
    }

    @Test func `a record of the maximum depth fits in a batch`() async throws {
        let server = try await TablesServer()
        for (levels, status) in [(63, 201), (64, 400)] {
            let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            let request = #"{"id":"0","method":"POST","url":"/tables/t","body":{"a":\#(deep)}}"#
            let found = responses(try await batch(server, [request]))
            #expect(found.first?["status"]?.number == status)
        }
    }

    @Test(arguments: [false, true])
    func `small writes to a large record are refused before their responses fill the memory`(isMinimal: Bool)
        async throws
    {
        let server = try await TablesServer()
        let text = String(repeating: "x", count: 7 << 20)
        #expect(
            try await server.send("POST", "/tables/t", body: #"{"id":"a","text":"\#(text)"}"#).status == 201)
        let requests = (0..<12).map {
            #"{"id":"\#($0)","method":"PATCH","url":"/tables/t/a","body":{"n":\#($0)}}"#
        }
        // Writes to another table end the transaction, but not the batch.
        let other = #"{"id":"o","method":"POST","url":"/tables/u","body":{}}"#
        let answer = try await batch(
            server, requests + [other], headers: isMinimal ? [("Prefer", "return=minimal")] : [])
        let found = responses(answer)
        let done = isMinimal ? 204 : 200
        #expect(
            found.map { $0["status"]?.number }
                == Array(repeating: done, count: 10) + Array(repeating: 503, count: 3))
        #expect(
            found.last?["body"]?["message"]
                == .string("the responses are too large for one batch; send the rest again"))
        #expect(try await server.send("GET", "/tables/t/a")["n"]?.number == 9)
        #expect(try await server.send("GET", "/tables/u").ids.isEmpty)
    }
}
