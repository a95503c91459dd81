import Remotes
import TestSupport
import Testing

@testable import SyncServer

/// Access by key, host and origin.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct AccessTests {
    private static let table = "/tables/todoitem"

    // MARK: Keys

    @Test(arguments: [
        "x-zumo-application: KEY", "X-ZUMO-APPLICATION: KEY", "Authorization: Bearer KEY",
        "authorization: bearer   KEY", "X-ZUMO-AUTH: KEY",
    ])
    func `a key is accepted in each header that clients of the protocol use`(field: String) async throws {
        let server = try await TestServer(keys: [])
        let secret = try await server.addKey(.testing("phone"))
        let fields = [field.replacing("KEY", with: secret)]
        #expect(try await server.request("GET", Self.table, fields).status == 200)
    }

    @Test(arguments: [
        [], ["x-zumo-application: wrong"], ["Authorization: Bearer "], ["Authorization: Basic a2V5OmtleQ=="],
        ["X-ZUMO-AUTH: " + String(repeating: "x", count: 10_000)],
    ])
    func `a request without a valid key is refused`(fields: [String]) async throws {
        let server = try await TestServer(keys: [.testing("phone")])
        for version in [[], ["ZUMO-API-VERSION: 2.0.0"]] {
            let answer = try await server.request("GET", Self.table, fields + version)
            #expect(answer.status == 401)
            #expect(answer["WWW-Authenticate"] == "Bearer")
        }
    }

    @Test(arguments: ["/tables/todoitem", "/tables/todoitem/a", "/$batch"])
    func `a request without access is refused before its body is read`(path: String) async throws {
        let server = try await TestServer(keys: [.testing("phone")])
        for fields in [["Content-Length: 1000000"], ["Transfer-Encoding: chunked"]] {
            try await TestClient.connect(to: server) { client in
                try await client.send(head("POST", path, fields))
                let answer = try await client.answer()
                #expect(answer.status == 401)
                #expect(answer["WWW-Authenticate"] == "Bearer")
                #expect(answer["Connection"] == "close")
                #expect(try await client.end() == [])
            }
        }
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `one valid key among invalid ones is enough`() async throws {
        let server = try await TestServer()
        let secret = try await server.addKey(.testing("phone"))
        let fields = ["x-zumo-application: old", "X-ZUMO-AUTH: \(secret)"]
        #expect(try await server.request("GET", Self.table, fields).status == 200)
    }

    @Test func `an anonymous key gives access without a key`() async throws {
        let server = try await TestServer(keys: [.testing("all", .read, isAnonymous: true)])
        #expect(try await server.request("GET", Self.table + "?$top=1").status != 401)
        let other = ["x-zumo-application: wrong"]
        #expect(try await server.request("GET", Self.table, other).status != 401)
    }

    @Test func `a key is valid from the moment it is added until it is revoked`() async throws {
        let server = try await TestServer()
        #expect(try await server.request("GET", Self.table).status == 200)
        let secret = try await server.addKey(.testing("phone"))
        #expect(try await server.request("GET", Self.table).status == 401)
        let fields = ["x-zumo-application: \(secret)"]
        #expect(try await server.request("GET", Self.table, fields).status == 200)
        _ = try await server.store.addKey(.testing("laptop"))
        _ = try await server.store.revokeKey(named: "phone")
        #expect(try await server.request("GET", Self.table, fields).status == 401)
    }

    @Test func `a server that has had keys refuses everybody after the last one is revoked`() async throws {
        let server = try await TestServer()
        #expect(try await server.request("GET", Self.table).status == 200)
        let secret = try await server.addKey(.testing("phone"))
        let fields = ["x-zumo-application: \(secret)"]
        #expect(try await server.request("GET", Self.table, fields).status == 200)
        _ = try await server.store.revokeKey(named: "phone")
        for fields in [[], fields] {
            #expect(try await server.request("GET", Self.table, fields).status == 401)
        }
    }

    @Test(arguments: ["Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1"])
    func `a server without keys refuses requests that a proxy forwards`(field: String) async throws {
        let server = try await TestServer()
        #expect(try await server.request("GET", Self.table, [field]).status == 401)
    }

    @Test func `without keys, the server listens only on this machine`() async throws {
        let open = Server.Settings(address: ListenAddress(host: "0.0.0.0", port: 0))
        await #expect(throws: ServerError.openToOthers(open.address)) { try await TestServer(open) }
    }

    @Test func `an unknown host is reported as an invalid address`() async throws {
        let address = ListenAddress(host: "no-such-host.invalid", port: 0)
        await #expect(throws: ServerError.noSuchAddress(address, reason: "no such host")) {
            try await TestServer(Server.Settings(address: address), keys: [.testing("phone")])
        }
    }

    @Test func `a public server that loses its last key refuses everybody`() async throws {
        let open = Server.Settings(address: ListenAddress(host: "0.0.0.0", port: 0))
        let server = try await TestServer(open, keys: [.testing("phone")])
        #expect(server.log.contains { $0.contains("warning: without TLS, keys are sent unencrypted") })
        _ = try await server.store.revokeKey(named: "phone")
        #expect(try await server.request("GET", Self.table).status == 401)
    }

    @Test func `the log contains a key's name, but never its secret`() async throws {
        let server = try await TestServer()
        let secret = try await server.addKey(.testing("ann-s_phone.1"))
        for field in ["x-zumo-application", "X-ZUMO-AUTH"] {
            _ = try await server.request("GET", Self.table, ["\(field): \(secret)"])
            _ = try await server.request("GET", Self.table, ["\(field): wrong-secret"])
        }
        #expect(server.log.contains { $0.hasSuffix(" key=ann-s_phone.1") })
        #expect(!server.log.contains { $0.contains(secret) || $0.contains("wrong-secret") })
    }

    // MARK: Hosts

    @Test(arguments: [
        ("localhost", 200), ("LOCALHOST:8080", 200), ("127.0.0.1", 200), ("127.1.2.3:99", 200),
        ("[::1]", 200),
        ("[0:0:0:0:0:0:0:1]:1", 200), ("evil.example", 403), ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example", 403), ("192.168.0.1", 403), ("[2001:db8::1]", 403), ("0.0.0.0", 403),
    ])
    func `a server without keys answers only to names of this machine`(host: String, status: Int) async throws
    {
        let server = try await TestServer()
        #expect(try await server.request("GET", Self.table, ["Host: \(host)"]).status == status)
    }

    @Test func `a server with keys answers to any name`() async throws {
        let server = try await TestServer()
        let secret = try await server.addKey(.testing("phone"))
        let fields = ["Host: todos.example.org", "x-zumo-application: \(secret)"]
        #expect(try await server.request("GET", Self.table, fields).status == 200)
    }

    // MARK: Origins

    private static func settings(_ origins: String...) -> Server.Settings {
        .testing { $0.allowedOrigins = origins.compactMap { AllowedOrigin($0) } }
    }

    @Test(arguments: ["https://evil.example", "null", "http://localhost:1", "https://app.example.evil"])
    func `a server without keys refuses pages from origins that aren't allowed`(origin: String) async throws {
        let server = try await TestServer(Self.settings("https://app.example"))
        let answer = try await server.request("POST", Self.table, ["Origin: \(origin)"], body: "{}")
        #expect(answer.status == 403)
        #expect(answer["Access-Control-Allow-Origin"] == nil)
    }

    @Test func `an anonymous key isn't valid for other origins' pages or other names of this machine`()
        async throws
    {
        let server = try await TestServer(
            Self.settings("https://app.example"), keys: [.testing("all", isAnonymous: true)])
        let secret = try await server.addKey(.testing("phone"))
        let cases = [
            ("Origin: https://evil.example", 403), ("Origin: null", 403),
            ("Origin: https://app.example", 201),
            ("Origin: http://localhost", 201), ("Origin: http://localhost:1", 403),
            ("Host: evil.example", 403), ("Host: 127.0.0.1:80", 201),
        ]
        for (field, status) in cases {
            let answer = try await server.request("POST", Self.table, [field], body: "{}")
            #expect(answer.status == status, "\(field)")
            let withKey = try await server.request(
                "POST", Self.table, [field, "x-zumo-application: \(secret)"], body: "{}")
            #expect(withKey.status == 201, "\(field)")
        }
    }

    @Test func `a page from an allowed origin can read responses, including errors`() async throws {
        let server = try await TestServer(Self.settings("https://app.example"), keys: [.testing("phone")])
        let answer = try await server.request("GET", Self.table, ["Origin: https://app.example"])
        #expect(answer.status == 401)
        #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
        #expect(answer["Access-Control-Expose-Headers"] == "Link, ETag, Location, Retry-After")
        #expect(answer["Vary"] == "ZUMO-API-VERSION, Origin")
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", 400), (head("GET", "/", ["Expect: rain", "Origin: https://app.example"]), 417),
        (head("GET", "/" + String(repeating: "x", count: 20_000), ["Origin: https://app.example"]), 414),
        (
            head("POST", "/tables/t", ["Origin: https://app.example", "Transfer-Encoding: chunked"])
                + "800000\r\n" + String(repeating: "x", count: 0x40000), 413
        ),
    ])
    func `a request refused before it is read gets the usual headers`(text: String, status: Int)
        async throws
    {
        var settings = Self.settings("https://app.example")
        settings.limits.body = 100_000
        let server = try await TestServer(settings)
        try await TestClient.connect(to: server) { client in
            try await client.send(text)
            let answer = try await client.answer()
            #expect(answer.status == status)
            #expect(answer["Date"] == "Sat, 21 Nov 2026 07:00:00 GMT")
            #expect(answer["Vary"] == "ZUMO-API-VERSION, Origin")
            // The origin of a request that isn't HTTP is unknown.
            #expect(answer["Access-Control-Allow-Origin"] == (status == 400 ? nil : "https://app.example"))
        }
    }

    @Test func `with keys, a page from another origin can't read a response`() async throws {
        let server = try await TestServer(Self.settings("https://app.example"), keys: [.testing("phone")])
        let answer = try await server.request("GET", Self.table, ["Origin: https://evil.example"])
        #expect(answer["Access-Control-Allow-Origin"] == nil)
        #expect(answer["Vary"] == "ZUMO-API-VERSION, Origin")
    }

    @Test func `a preflight request is answered with the allowed methods and headers`() async throws {
        let server = try await TestServer(Self.settings("https://app.example"), keys: [.testing("phone")])
        let question = [
            "Origin: https://app.example", "Access-Control-Request-Method: PATCH",
            "Access-Control-Request-Headers: zumo-api-version,if-match",
        ]
        let answer = try await server.request("OPTIONS", Self.table + "/a", question)
        #expect(answer.status == 204)
        #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
        #expect(answer["Access-Control-Allow-Methods"] == "GET, PUT, PATCH, POST, DELETE, OPTIONS")
        #expect(answer["Access-Control-Allow-Headers"] == "zumo-api-version,if-match")
        #expect(answer["Access-Control-Max-Age"] == "300")
        #expect(answer["Vary"] == "Origin")
    }

    @Test func `a list of headers that is too long is not echoed`() async throws {
        let server = try await TestServer(Self.settings("https://app.example"))
        for (length, isEchoed) in [(500, true), (501, false)] {
            let question = [
                "Origin: https://app.example", "Access-Control-Request-Method: GET",
                "Access-Control-Request-Headers: " + String(repeating: "x", count: length),
            ]
            let answer = try await server.request("OPTIONS", Self.table, question)
            #expect((answer["Access-Control-Allow-Headers"] != nil) == isEchoed)
        }
    }

    @Test func `a preflight request from another origin is refused`() async throws {
        for keys in [[], [AccessKey.testing("phone")]] {
            let server = try await TestServer(Self.settings("https://app.example"), keys: keys)
            let question = ["Origin: https://evil.example", "Access-Control-Request-Method: PATCH"]
            let answer = try await server.request("OPTIONS", Self.table, question)
            #expect(answer.status == 403)
            #expect(answer["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test(arguments: [
        ("https://example.org", true), ("http://localhost:3000", true), ("HTTP://Example.ORG", true),
        ("https://[::1]:8443", true), ("*", false), ("null", false), ("example.org", false),
        ("https://example.org/", false), ("https://example.org/path", false), ("https://", false),
        ("ftp://example.org", false), ("https://a b", false), ("https://user@example.org", false),
        ("", false),
    ])
    func `an origin is a scheme, a host and an optional port`(text: String, isValid: Bool) {
        #expect((AllowedOrigin(text) != nil) == isValid)
    }

    // MARK: Rate limits

    @Test func `a client above the limit gets a time to retry`() async throws {
        let server = try await TestServer(.testing { $0.requestsPerMinute = 2 })
        #expect(try await server.request("GET", Self.table).status == 200)
        #expect(try await server.request("GET", Self.table).status == 200)
        let answer = try await server.request("GET", Self.table, ["ZUMO-API-VERSION: 2.0.0"])
        #expect(answer.status == 429)
        let wait = try #require(answer["Retry-After"].flatMap { Int($0) })
        #expect((1...30).contains(wait))
        #expect(
            answer.text
                == #"{"code":429,"error":"Too many requests; try again later.","message":"Too many requests; try again later."}"#
        )
    }

    @Test func `health requests are not limited`() async throws {
        let server = try await TestServer(.testing { $0.requestsPerMinute = 1 })
        for _ in 0..<5 { #expect(try await server.request("GET", "/health").status == 200) }
        #expect(try await server.request("GET", Self.table).status == 200)
        #expect(try await server.request("GET", Self.table).status == 429)
        #expect(try await server.request("GET", "/health").status == 200)
    }

    @Test func `one key's limit doesn't affect another key`() async throws {
        let server = try await TestServer(.testing { $0.requestsPerMinute = 1 })
        var statuses: [Int] = []
        for name in ["phone", "laptop"] {
            let secret = try await server.addKey(.testing(name))
            for _ in 0..<2 {
                let fields = ["x-zumo-application: \(secret)"]
                statuses.append(try await server.request("GET", Self.table, fields).status)
            }
        }
        #expect(statuses == [200, 429, 200, 429])
    }

    @Test func `requests with invalid keys count, too`() async throws {
        let server = try await TestServer(
            .testing { $0.requestsPerMinute = 2 }, keys: [.testing("phone")])
        var statuses: [Int] = []
        for guess in 0..<3 {
            let fields = ["x-zumo-application: \(guess)"]
            statuses.append(try await server.request("GET", Self.table, fields).status)
        }
        #expect(statuses == [401, 401, 429])
    }
}
