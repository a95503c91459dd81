import Foundation
import LosslessYAML
import NIOHTTP1
import Testing
import TodoModel

@testable import HTTPTransport
@testable import Remotes

private let empty: Value = [
    "@todosync.identity": "store/todoitem", "value": .list([]), "@odata.deltaLink": "?$deltatoken=1",
]

@Suite struct `HTTP over TLS` {
    private func meeting(
        _ host: String, _ environment: [String: String] = [:]
    ) async throws -> Result<RemoteIdentity, RemoteError> {
        try await FakeServer.running(tls: TestCertificates.serverContext(), { _ in .json(200, empty) }) {
            server in
            let remote = try HTTPRemote.testing(
                server.url(host, scheme: "https"), .testing(key: "secret", environment: environment))
            do {
                return .success(try await remote.meet(nil))
            } catch let error as RemoteError {
                #expect(server.requests.isEmpty, "nothing is sent to an untrusted server")
                return .failure(error)
            }
        }
    }

    /// Returns the reason why the server couldn't be reached; nil for other results.
    private func reason(_ result: Result<RemoteIdentity, RemoteError>) -> String? {
        if case .failure(.unreachable(_, let reason)) = result { reason } else { nil }
    }

    @Test func `certificates in SSL_CERT_FILE are trusted`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/ca.pem"
            try TestCertificates.authority.write(toFile: path, atomically: true, encoding: .utf8)
            let result = try await meeting("localhost", ["SSL_CERT_FILE": path])
            #expect(result == .success(RemoteIdentity("store/todoitem")))
            let other = try await meeting("127.0.0.1", ["SSL_CERT_FILE": path])
            #expect(
                reason(other) == "the server's certificate is for a different host; use the name that it has")
        }
    }

    @Test func `an unknown certificate is refused`() async throws {
        let result = try await meeting("localhost")
        #expect(reason(result)?.hasPrefix("the server's certificate can't be verified; install it") == true)
    }

    @Test func `a file without certificates is reported before anything is sent`() {
        let error = #expect(throws: RemoteError.self) {
            try HTTPRemote.testing(
                "https://localhost/tables/a", .testing(environment: ["SSL_CERT_FILE": "/nowhere.pem"]))
        }
        #expect(
            error == .badVariable(.noCertificates(variable: "SSL_CERT_FILE", path: "/nowhere.pem")))
    }

    @Test func `a server without TLS is reported in one line`() async throws {
        try await FakeServer.running({ _ in .raw(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) }) {
            server in
            let remote = try HTTPRemote.testing(server.url("localhost", scheme: "https"))
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect(
                message?.hasSuffix(": the TLS handshake failed") == true, "\(message ?? "")"
            )
        }
    }
}

@Suite struct `HTTP proxies` {
    struct Row: Sendable, CustomTestStringConvertible {
        var url: String
        var environment: [String: String]
        /// Host and port; nil for no proxy.
        var proxy: String?
        var testDescription: String { "\(url) \(environment)" }

        init(_ url: String, _ environment: [String: String], _ proxy: String?) {
            self.url = "\(url)/tables/a"
            self.environment = environment
            self.proxy = proxy
        }
    }

    @Test(arguments: [
        Row("https://example.org", [:], nil),
        Row("https://example.org", ["HTTPS_PROXY": "http://p:3128"], "p:3128"),
        Row("https://example.org", ["https_proxy": "p:1", "HTTPS_PROXY": "q:1"], "p:1"),
        Row("https://example.org", ["HTTPS_PROXY": "http://user:pass%40word@p/"], "p:1080"),
        Row("https://example.org", ["ALL_PROXY": "[::1]:3128"], "::1:3128"),
        Row("https://example.org", ["https_proxy": "", "ALL_PROXY": "p:1"], nil),
        Row("http://example.org", ["http_proxy": "p:1"], "p:1"),
        Row("http://example.org", ["HTTP_PROXY": "p:1"], nil),
        Row("https://localhost", ["HTTPS_PROXY": "p:1"], nil),
        Row("http://127.1.2.3:99", ["http_proxy": "p:1"], nil),
        Row("https://[::1]:99", ["HTTPS_PROXY": "p:1"], nil),
        Row("https://example.org", ["HTTPS_PROXY": "p:1", "NO_PROXY": "*"], nil),
        Row("https://example.org", ["HTTPS_PROXY": "p:1", "NO_PROXY": "a.org, EXAMPLE.org"], nil),
        Row("https://a.example.org", ["HTTPS_PROXY": "p:1", "no_proxy": ".example.org"], nil),
        Row("https://a.example.org", ["HTTPS_PROXY": "p:1", "no_proxy": "example.org"], nil),
        Row("https://anexample.org", ["HTTPS_PROXY": "p:1", "no_proxy": "example.org"], "p:1"),
        Row("https://example.org:99", ["HTTPS_PROXY": "p:1", "no_proxy": "example.org:99"], nil),
        Row("https://example.org", ["HTTPS_PROXY": "p:1", "no_proxy": "example.org:99"], "p:1"),
    ])
    func `the environment selects the proxy`(row: Row) throws {
        let server = try #require(ServerOrigin(url: row.url))
        let proxy = try ProxySettings { row.environment[$0] }.proxy(for: server)
        #expect(proxy.map { "\($0.host):\($0.port)" } == row.proxy)
    }

    @Test(arguments: ["socks5://p:1", "http://", "p:99999", "user:secret@", "a b"])
    func `an invalid proxy variable is reported without its value`(value: String) throws {
        let server = try #require(ServerOrigin(url: "https://example.org"))
        let error = #expect(throws: RemoteError.self) {
            try ProxySettings { $0 == "HTTPS_PROXY" ? value : nil }.proxy(for: server)
        }
        #expect(error == .badVariable(.notAProxy(variable: "HTTPS_PROXY")))
    }

    @Test func `a proxy opens a tunnel, and doesn't get the key`() async throws {
        try await FakeServer.running({ _ in .text(403, "no") }) { proxy in
            let remote = try HTTPRemote.testing(
                "https://example.org/tables/a",
                .testing(
                    key: "secret", environment: ["HTTPS_PROXY": "http://me:word@127.0.0.1:\(proxy.port)"]))
            let message = await unavailable { _ = try await remote.meet(nil) }
            let by = "through the proxy 127.0.0.1:\(proxy.port)"
            #expect(
                message
                    == "https://example.org/tables/a can't be reached: \(by): the proxy refused the connection"
            )
            let request = try #require(proxy.requests.first)
            #expect(request.method == "CONNECT")
            #expect(request.target == "example.org:443")
            #expect(request.headers["proxy-authorization"] == ["Basic bWU6d29yZA=="])
            #expect(request.headers["authorization"].isEmpty)
        }
    }
}

@Suite struct `A server's URL` {
    @Test(arguments: [
        ("https://example.org/tables/todoitem", "https://example.org", "/tables/todoitem"),
        ("https://example.org:443/a/b/tables/T", "https://example.org", "/a/b/tables/T"),
        ("http://Example.org:8080/\u{E9}/tables/T", "http://example.org:8080", "/%C3%A9/tables/T"),
        ("http://[::1]:80/tables/T", "http://[::1]", "/tables/T"),
    ])
    func `a URL is split into origin and path`(url: String, origin: String, path: String) throws {
        let parts = try #require(ServerURL(url))
        #expect("\(parts.origin)" == origin)
        #expect(parts.tablePath == path)
    }

    @Test(arguments: [
        "https:///tables/a", "https://h:0/tables/a", "https://h:65536/tables/a", "https://h:/tables/a",
        "https://h:1:2/tables/a", "https://[::1/tables/a", "https://a@b/tables/c", "https://h/a",
        "ftp://h/tables/a",
        "https://h/tables/1", "https://h tables/a",
    ])
    func `other texts are not a table's URL`(url: String) {
        #expect(ServerURL(url) == nil)
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://a.localhost", false), ("http://127.0.0.1:1", true),
        ("http://127.9.9.9", true), ("http://[::1]", true), ("http://127.0.0.1.example.org", false),
        ("http://localhost.example.org", false), ("http://128.0.0.1", false), ("http://127.1", false),
    ])
    func `only this machine's addresses are loopback`(url: String, isLoopback: Bool) throws {
        #expect(try #require(ServerOrigin(url: url)).isLoopback == isLoopback)
    }
}

@Suite struct `Times in headers and records` {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2015-12-13T04:28:12.816Z", 1_449_980_892_816),
        ("2015-12-13T04:28:12.8160000+00:00", 1_449_980_892_816),
        ("2015-12-13T05:28:12.81+01:00", 1_449_980_892_810),
        ("2015-12-13T04:28:12.8169999Z", 1_449_980_892_816),
        ("2016-02-29T23:59:59.9Z", 1_456_790_399_900), ("1969-12-31T23:59:59.999Z", -1),
    ])
    func `a record's time is parsed to the millisecond`(text: String, milliseconds: Int) {
        let time = Timestamp(text)
        #expect(time?.milliseconds == milliseconds)
        #expect(time?.text == text)
        #expect(Timestamp(Timestamp(milliseconds: milliseconds).text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2015-12-13", "2015-12-13T04:28:12", "2015-13-13T04:28:12Z", "2015-12-13T04:28:12.Z",
        "2015-12-13T04:28:12Z ", "2015-12-13T04:28:12+1:00", "0000-00-00T00:00:00Z", "x",
    ])
    func `an invalid time is nil`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777 as Int?), ("Sun Nov  6 08:49:37 1994", nil),
        ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 99 Nov 1994 08:49:37 GMT", nil), ("", nil),
    ])
    func `a header's date is parsed`(text: String, seconds: Int?) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test func `a requested delay is a number of seconds or a date`() {
        #expect(RetryDelay.requested("0", date: nil) == .zero)
        #expect(RetryDelay.requested("99999999999999999999", date: nil) == .seconds(Int64.max))
        #expect(RetryDelay.requested("-1", date: nil) == nil)
        #expect(RetryDelay.requested("Sun, 06 Nov 1994 08:49:37 GMT", date: nil) == nil)
    }

    @Test(arguments: [
        ("\"AA=\"", "AA=" as String?), ("\"a\\\"b\"", "a\"b"), ("bare", "bare"), ("W/\"x\"", nil),
        ("\"", nil),
        ("\"\"", nil), ("", nil),
    ])
    func `an entity tag contains a version`(text: String, version: String?) {
        #expect(EntityTag.version(text)?.string == version)
        if let version, text != version { #expect(EntityTag.text(Version(version)) == text) }
    }
}
