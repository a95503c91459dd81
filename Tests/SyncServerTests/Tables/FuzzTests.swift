import LosslessYAML
import Remotes
import TestSupport
import Testing
import TodoModel
import Values

@testable import SyncServer

/// Sends random requests, which the server must answer as the protocol requires.
@Suite(.oneStoreAtATime) struct FuzzTests {
    @Test(arguments: UInt64(0)..<20)
    func `no request gets a 5xx, and no refused request changes anything`(seed: UInt64)
        async throws
    {
        let server = try await TablesServer()
        _ = try await server.fill()
        let tables = TablesProtocol(store: server.store)
        var random = RandomRequest(seed: seed)
        var content = try await server.content()
        for _ in 0..<250 {
            let request = random.next()
            let answer = await tables.respond(to: request, grant: random.grant())
            let after = try await server.content()
            #expect((200..<500).contains(answer.status), "\(request)")
            // A batch always has status 200.
            if answer.status >= 300 || ["GET", "HEAD"].contains(request.method) {
                #expect(after == content, "\(request)")
            }
            if answer.status >= 400 {
                #expect(answer.body.count > 2, "\(request)")
            }
            if !answer.body.isEmpty {
                #expect(throws: Never.self, "\(request)") { try JSON.read(answer.body) }
            }
            for field in answer.headers.fields {
                #expect(field.value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(request)")
            }
            content = after
        }
    }
}

extension Grant {
    fileprivate static let stranger = Grant(keys: [], isIdentified: false)

    fileprivate static func key(_ access: AccessKey.Access, table: String? = nil) -> Grant {
        Grant(keys: [.testing(access, table: table)], isIdentified: true)
    }
}

/// Builds requests from meaningful parts and breaks them at random.
private struct RandomRequest {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func next() -> TablesRequest {
        let isBatch = chance(0.15)
        let (path, query) = isBatch ? ("/$batch", "") : (path(), query())
        let body = isBatch ? batch() : body()
        return TablesRequest(
            method: isBatch
                ? "POST" : pick(["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "x"]),
            path: path, query: query, headers: headers(), body: broken(Array(body.utf8)),
            root: "http://127.0.0.1:8080")
    }

    mutating func grant() -> Grant {
        pick([.all, .all, .all, .stranger, .key(.read), .key(.write), .key(.admin), .key(.write, table: "t")])
    }

    private mutating func chance(_ probability: Double) -> Bool { random.chance(probability) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }

    private mutating func path() -> String {
        let path = pick([
            "/tables/t", "/tables/t/live", "/tables/t/tomb", "/tables/t/new", "/tables/other",
            "/tables/t/a%2Fb",
            "/tables/t/%FF", "/tables", "/", "/openapi.json", "/tables/T/LIVE", "/tables/1/a", "/tables/t/é",
        ])
        return text(broken(Array(path.utf8), probability: 0.1))
    }

    private mutating func query() -> String {
        var parts: [String] = []
        while chance(0.5), parts.count < 5 {
            let name = pick([
                "$filter", "$orderby", "$top", "$skip", "$select", "$inlinecount", "$count", "$deltatoken",
                "__includeDeleted", "__systemProperties", "zumo-api-version", "$x", "x", "%24top",
            ])
            let value = pick([
                "1", "0", "-1", "50", "9223372036854775807", "true", "*", "text", "n desc", "text eq 'a'",
                "n gt 1",
                "(n add 2) mul 3 lt 10", "2.0.0", "3.0.0", "allpages", "__version", "'", "%", "%41", "not (",
                "",
                "substring(text,1,9223372036854775807) eq ''", "year(x) eq datetime'2020'", "n div 0 eq 1",
                "a/b/c eq null", "n mod 0 eq 0", "-n eq -9223372036854775808", "round(1e999) eq 1",
            ])
            parts.append("\(name)=\(value)")
        }
        return text(broken(Array(parts.joined(separator: "&").utf8), probability: 0.2))
    }

    private mutating func headers() -> Headers {
        var fields: [Headers.Field] = []
        if chance(0.5) { fields.append(Headers.Field(name: "ZUMO-API-VERSION", value: "2.0.0")) }
        while chance(0.4), fields.count < 5 {
            let name = pick([
                "If-Match", "If-None-Match", "Prefer", "Idempotency-Key", "todosync-accepted",
                "ZUMO-API-VERSION",
                "Content-Type",
            ])
            let value = pick([
                "*", "\"abc\"", "\"AAAAAAEAAAA=\"", "W/\"a\"", "odata.track-changes", "return=minimal", "key",
                "a b", "",
                "\"", "odata.track-changes,odata.maxpagesize=1", "é", "\"a\\\"", ",,,", ";=;", "2.0.0",
            ])
            fields.append(Headers.Field(name: name, value: text(broken(Array(value.utf8), probability: 0.2))))
        }
        return Headers(fields)
    }

    private mutating func body() -> String {
        pick([
            "", "{}", "[]", #"{"text":"a"}"#, #"{"id":"new","text":"a","n":1e5}"#,
            #"{"id":"live","text":null}"#,
            #"{"id":"tomb"}"#, #"{"id":5}"#, #"{"version":"x","text":"a"}"#, #"{"__version":"x"}"#,
            #"{"text":"a","todosync":{"path":"a","yaml":"b"}}"#, #"{"todosync":[]}"#, #"{"id":"é\u0000"}"#,
            #"{"n":123456789012345678901234567890,"m":-0.0,"k":1e-99999}"#, #"{"deep":[[[[{"a":[]}]]]]}"#,
        ])
    }

    private mutating func batch() -> String {
        var requests: [String] = []
        while requests.count < 8, chance(0.8) {
            let method = pick(["GET", "POST", "PATCH", "PUT", "DELETE", "patch", ""])
            let body = body()
            let target = pick([
                "/tables/t", "/tables/t/live", "tables/t/tomb", "/$batch", "", "/tables/other?$top=1",
            ])
            requests.append(
                #"{"id":"\#(requests.count)","method":"\#(method)","url":"\#(target)""#
                    + (chance(0.3) ? #","headers":{"Prefer":"return=minimal","If-Match":"*"}"# : "")
                    + (body.isEmpty ? "" : #","body":\#(body)"#) + "}")
        }
        return #"{"requests":[\#(requests.joined(separator: ","))]}"#
    }

    /// Changes, removes or repeats some bytes, or usually none.
    private mutating func broken(_ bytes: [UInt8], probability: Double = 0.1) -> [UInt8] {
        var bytes = bytes
        while chance(probability), !bytes.isEmpty {
            let position = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 3 {
            case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: position)
            default: bytes.insert(contentsOf: bytes[position...].prefix(8), at: position)
            }
        }
        return bytes
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
