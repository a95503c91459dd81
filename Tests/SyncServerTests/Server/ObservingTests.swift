import Foundation
import Remotes
import TestSupport
import Testing

@testable import SyncServer

/// The server's health, metrics and log.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct ObservingTests {
    @Test func `everybody can read the server's health`() async throws {
        let server = try await TestServer(keys: [.testing("phone")])
        let answer = try await server.request("GET", "/health")
        #expect(answer.status == 200)
        #expect(answer.text == #"{"status":"ok"}"#)
        #expect(answer["Date"] == "Sat, 21 Nov 2026 07:00:00 GMT")
    }

    @Test func `a server is ready until it ends`() async throws {
        let server = try await TestServer(keys: [.testing("phone")])
        #expect(try await server.request("GET", "/ready").text == #"{"status":"ok"}"#)
        server.server.beginDraining()
        let answer = try await server.request("GET", "/ready")
        #expect(answer.status == 503)
        #expect(answer.text == #"{"status":"draining"}"#)
        #expect(try await server.request("GET", "/health").status == 200)
    }

    @Test(arguments: ["/health", "/ready", "/metrics"])
    func `health and metrics are read-only`(path: String) async throws {
        let server = try await TestServer()
        let answer = try await server.request("POST", path, body: "{}")
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "GET, HEAD")
    }

    @Test func `metrics count requests by method, route and status`() async throws {
        let server = try await TestServer()
        for path in ["/tables/a", "/tables/b?$filter=x", "/nowhere", "/health"] {
            _ = try await server.request("GET", path)
        }
        _ = try await server.request("POST", "/health", body: "12345")
        let answer = try await server.request("GET", "/metrics")
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        let lines = Set(answer.text.split(separator: "\n").map(String.init))
        #expect(lines.contains("# TYPE todosync_requests_total counter"))
        #expect(lines.contains(#"todosync_requests_total{method="GET",route="/health",status="200"} 1"#))
        #expect(lines.contains(#"todosync_requests_total{method="POST",route="/health",status="405"} 1"#))
        #expect(
            lines.contains(#"todosync_request_duration_seconds_count{route="/tables/{table}"} 2"#))
        #expect(
            lines.contains(
                #"todosync_request_duration_seconds_bucket{route="/tables/{table}",le="+Inf"} 2"#))
        #expect(lines.contains("todosync_received_bytes_total 5"))
        #expect(lines.contains("todosync_requests_in_flight 1"))
        #expect(lines.contains("todosync_connections_total 6"))
        #expect(answer.text.hasSuffix("\n"))
    }

    @Test func `names from clients add no lines to the metrics`() async throws {
        let server = try await TestServer()
        for index in 0..<20 { _ = try await server.request("GET", "/tables/t\(index)/\(index)") }
        let text = try await server.request("GET", "/metrics").text
        #expect(text.split(separator: "\n").count { $0.hasPrefix("todosync_requests_total") } == 1)
    }

    @Test func `with keys, only an administrator's key can read metrics`() async throws {
        let server = try await TestServer()
        #expect(try await server.request("GET", "/metrics").status == 200)
        let admin = try await server.addKey(.testing("admin"))
        let writer = try await server.addKey(.testing("writer", .write))
        let stranger = try await server.request("GET", "/metrics")
        #expect(stranger.status == 401)
        #expect(stranger["WWW-Authenticate"] == "Bearer")
        for (secret, status) in [(writer, 403), (admin, 200)] {
            let fields = ["x-zumo-application: \(secret)"]
            #expect(try await server.request("GET", "/metrics", fields).status == status)
        }
    }

    @Test func `a line of the log shows the request and its outcome, but nothing from todos`()
        async throws
    {
        let server = try await TestServer()
        _ = try await server.request("GET", "/health?$filter=text%20eq%20'secret'")
        _ = try await server.request(
            "POST", "/tables/todoitem", body: #"{"text":"secret"}"#)
        _ = try await server.request("GET", "/a\u{1B}%5Cb")
        let log = server.log
        #expect(!log.contains { $0.contains("secret") })
        let pattern = /2026-11-21T07:00:00\.000Z GET \/health 200 \d+\.\dms 0B 15B from=127\.0\.0\.1/
        #expect(log.contains { $0.wholeMatch(of: pattern) != nil })
        #expect(log.allSatisfy { line in line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } })
    }

    @Test func `an incomplete request is logged, too`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send("nonsense\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 400)
        }
        #expect(server.log.contains { $0.contains(" - - 400 ") })
    }

    @Test(arguments: [
        ("a b\n", "a b\\x0a"), ("\u{1B}[2J", "\\x1b[2J"),
        ("\u{7F}\u{80}\u{9F}\u{A0}", "\\x7f\\xc2\\x80\\xc2\\x9f\u{A0}"),
        ("é\u{2028}", "é\\xe2\\x80\\xa8"),
    ])
    func `characters that could break a line of the log or control a terminal are escaped`(
        text: String, line: String
    ) {
        #expect(escapedLine(text) == line)
        #expect(escapedWord(text).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test func `control characters in names and invalid keys add no lines to the log`()
        async throws
    {
        let server = try await TestServer()
        _ = try await server.request("GET", "/tables/t/a%0Ab%1B%C2%85")
        _ = try await server.request("GET", "/tables/t", ["Authorization: Bearer a\u{85}b"])
        #expect(server.log.count == 2)
        for line in server.log { #expect(line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(line)") }
    }

    @Test func `a failure in the store is logged in words`() async throws {
        let server = try await TestServer()
        try server.breakStore()
        for target in ["/tables/t", "/tables/t/a", "/tables/t?$top=1"] {
            let answer = try await server.request("GET", target)
            #expect([500, 503].contains(answer.status), "\(target)")
            #expect(answer.status == 500 || answer["Retry-After"] != nil)
            #expect(!answer.text.contains("sqlite") && !answer.text.contains("store/"))
        }
        let line = try #require(server.log.first { $0.contains("error: ") })
        #expect(
            !line.contains("unavailable(") && !line.contains("(\"") && !line.contains("Optional"), "\(line)")
    }

    @Test func `a store that can't be read is reported as unhealthy`() async throws {
        let server = try await TestServer()
        try server.breakStore()
        let answer = try await server.request("GET", "/health")
        #expect(answer.status == 503)
        #expect(answer["Retry-After"] == "5")
        #expect(server.log.contains { $0.contains("error: the store can't be used") })
    }
}
