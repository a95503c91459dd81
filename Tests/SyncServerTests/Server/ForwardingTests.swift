import TestSupport
import Testing

@testable import SyncServer

/// How the server uses the headers of proxies in front of it.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct ForwardingTests {
    private static let trusting = Server.Settings.testing {
        $0.trustedProxies = [TrustedProxy("127.0.0.1")].compactMap(\.self)
    }

    @Test func `the log has the client's address, which only a trusted proxy can set`() async throws {
        let forwarded = ["X-Forwarded-For: 198.51.100.1, 203.0.113.9"]
        for (settings, address) in [(TestServer.settings, "127.0.0.1"), (Self.trusting, "203.0.113.9")] {
            let server = try await TestServer(settings)
            _ = try await server.request("GET", "/health", forwarded)
            _ = try await server.request("GET", "/health", forwarded + ["Expect: rain"])
            #expect(server.log.count == 2)
            for line in server.log { #expect(line.hasSuffix(" from=\(address)"), "\(line)") }
        }
    }

    @Test func `each client behind a trusted proxy has its own limit`() async throws {
        for (settings, status) in [(TestServer.settings, 429), (Self.trusting, 401)] {
            var settings = settings
            settings.requestsPerMinute = 1
            let server = try await TestServer(settings, keys: [.testing("phone")])
            for (client, status) in [("203.0.113.9", 401), ("203.0.113.10", status)] {
                let answer = try await server.request("GET", "/metrics", ["X-Forwarded-For: \(client)"])
                #expect(answer.status == status)
            }
        }
    }

    @Test(arguments: [
        ("/todos", "/todos"), ("/a/b%20c/", "/a/b%20c"), ("/", ""), ("", ""), ("todos", ""),
        ("//evil.example", ""),
        ("/a?b", ""), ("/a; rel=x", ""),
    ])
    func `links have the prefix that a trusted proxy sends`(prefix: String, expected: String) async throws {
        for (settings, expected) in [(TestServer.settings, ""), (Self.trusting, expected)] {
            let server = try await TestServer(settings)
            let fields = ["ZUMO-API-VERSION: 2.0.0", "X-Forwarded-Prefix: \(prefix)", "Host: localhost"]
            for id in ["a", "b"] {
                let made = try await server.request("POST", "/tables/t", fields, body: #"{"id":"\#(id)"}"#)
                #expect(made["Location"] == "http://localhost\(expected)/tables/t/\(id)")
            }
            let changes = try await server.request(
                "GET", "/tables/t", fields + ["Prefer: odata.track-changes"])
            #expect(changes.text.contains("\"http://localhost\(expected)/tables/t?$deltatoken="))
        }
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("192.0.2.0/25", "192.0.2.127", true), ("192.0.2.0/25", "192.0.2.128", false),
        ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::1", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true), ("2001:db8::/33", "2001:db8:7fff::1", true),
        ("2001:db8::/33", "2001:db8:8000::1", false), ("192.0.2.1", "nonsense", false),
    ])
    func `a proxy is trusted by its address or its network`(proxy: String, address: String, isTrusted: Bool)
        throws
    {
        #expect([try #require(TrustedProxy(proxy))].include(address) == isTrusted)
    }

    @Test(arguments: [
        "", "proxy", "192.0.2.1/33", "192.0.2.1/", "192.0.2.1/-1", "192.0.2/24", "::/129", "::1/1/1",
    ])
    func `other texts are not proxies`(text: String) {
        #expect(TrustedProxy(text) == nil)
    }

    @Test(arguments: [
        ([], "192.0.2.1"), (["203.0.113.9"], "203.0.113.9"), (["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        (["203.0.113.9, 192.0.2.7"], "203.0.113.9"), (["203.0.113.9", "192.0.2.7"], "203.0.113.9"),
        (["203.0.113.9:4711"], "203.0.113.9"), (["[2001:db8::1]:80"], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"), (["unknown, 192.0.2.7"], "192.0.2.7"), (["nonsense"], "192.0.2.1"),
    ])
    func `a client's address is the last one that isn't a trusted proxy`(values: [String], client: String)
        throws
    {
        let proxies = [try #require(TrustedProxy("192.0.2.0/24"))]
        #expect(proxies.client(behind: "192.0.2.1", forwardedFor: values) == client)
        #expect(proxies.client(behind: "198.51.100.5", forwardedFor: values) == "198.51.100.5")
    }
}
