import NIOCore
import TestSupport
import Testing

@testable import SyncServer

@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct ConnectionTests {
    // MARK: HTTP

    @Test func `one connection serves several requests`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            for _ in 0..<3 {
                let answer = try await client.request("GET", "/health")
                #expect(answer.status == 200)
                #expect(answer["Connection"] == nil)
            }
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(head("GET", "/health") + head("PUT", "/health") + head("GET", "/metrics"))
            #expect(try await client.answer().status == 200)
            #expect(try await client.answer().status == 405)
            #expect(try await client.answer().status == 200)
        }
    }

    @Test(arguments: [
        ("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "close"),
        ("GET /health HTTP/1.0\r\n\r\n", "close"),
    ])
    func `the server closes a connection at the client's request`(request: String, field: String) async throws
    {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(request)
            #expect(try await client.answer()["Connection"] == field)
            #expect(try await client.end() == [])
        }
    }

    @Test(arguments: ["HTTP/1.1\r\nConnection: close", "HTTP/1.0"])
    func `input after the last request doesn't affect its response`(version: String) async throws {
        let server = try await TestServer()
        for (number, rest) in ["\r\n", "GET /health HTTP/1.1\r\n\r\n", "nonsense"].enumerated() {
            try await TestClient.connect(to: server) { client in
                let body = #"{"id":"\#(number)"}"#
                let begin =
                    "POST /tables/todoitem \(version)\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                try await client.send(begin + body + rest)
                let answer = try await client.answer()
                #expect(answer.status == 201)
                #expect(answer["Connection"] == "close")
                #expect(try await client.end() == [])
            }
        }
    }

    @Test func `an HTTP 1.0 client can keep the connection`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            for _ in 0..<2 {
                try await client.send(
                    "GET /health HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n")
                #expect(try await client.answer()["Connection"] == "keep-alive")
            }
        }
    }

    @Test func `a client that has finished sending still gets its response`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(head("GET", "/health"))
            client.endSending()
            #expect(try await client.answer().status == 200)
            #expect(try await client.end() == [])
        }
    }

    @Test(arguments: ["h2c", "websocket"])
    func `an offer to upgrade the protocol is ignored, and the connection closed`(protocol: String)
        async throws
    {
        let server = try await TestServer()
        let fields = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: \(`protocol`)", "HTTP2-Settings: AA"]
        try await TestClient.connect(to: server) { client in
            let answer = try await client.request("GET", "/health", fields)
            #expect(answer.status == 200)
            #expect(answer["Connection"] == "close")
            #expect(try await client.end() == [])
        }
        try await TestClient.connect(to: server) { client in
            let body = Array(#"{"id":"a"}"#.utf8)
            let answer = try await client.request("POST", "/tables/todoitem", fields, body: body)
            #expect(answer.status == 201)
            #expect(try await client.end() == [])
        }
    }

    @Test func `the server is not a proxy`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            let answer = try await client.request("CONNECT", "localhost:80")
            #expect((400..<500).contains(answer.status))
            #expect(answer["Connection"] == "close")
            #expect(try await client.end() == [])
        }
    }

    @Test func `a response to HEAD has the length of GET's body, but no body`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            for path in ["/health", "/openapi.json"] {
                let got = try await client.request("GET", path)
                let head = try await client.request("HEAD", path, ["Accept-Encoding: gzip"])
                #expect(head["Content-Length"] == got["Content-Length"])
            }
            // A body would be read as the next response.
            #expect(try await client.request("GET", "/health").status == 200)
        }
    }

    struct Malformed: Sendable, CustomTestStringConvertible {
        var text: String
        var status = 400
        var testDescription: String { String(text.prefix(60)).debugDescription }
    }

    @Test(arguments: [
        Malformed(text: "hello\r\n\r\n"),
        Malformed(text: "get /health HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Malformed(text: "GET health HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Malformed(text: " /health HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        Malformed(text: "GET / HTTP/1.1\r\nHost localhost\r\n\r\n"),
        Malformed(text: "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n"),
        Malformed(
            text: "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        Malformed(
            text:
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        Malformed(text: "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
        Malformed(text: "GET / HTTP/1.1\r\nHost: local\u{0}host\r\n\r\n"),
        Malformed(text: "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n"),
        Malformed(
            text: "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            status: 501),
        Malformed(
            text: "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\n",
            status: 415),
        Malformed(text: "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: rain\r\n\r\n", status: 417),
    ])
    func `an invalid or unsupported request is refused and its connection closed`(
        request: Malformed
    ) async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(request.text)
            let answer = try await client.answer()
            #expect(answer.status == request.status)
            #expect(answer["Connection"] == "close")
            #expect(try await client.end() == [])
        }
        #expect(try await server.request("GET", "/health").status == 200)
    }

    @Test(arguments: [
        "GET /health HTTP/1.1\r\n\r\n", "GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n", "GET /health HTTP/1.1\r\nHost: a:99999\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: [::1\r\n\r\n",
        "GET http:///health HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ])
    func `a request names exactly one host`(request: String) async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(request)
            #expect(try await client.answer().status == 400)
        }
    }

    @Test func `a target can be a whole URL, whose host takes precedence`() async throws {
        let server = try await TestServer()
        #expect(try await server.request("GET", "http://localhost/health").status == 200)
        #expect(
            try await server.request("GET", "http://127.0.0.1/health", ["Host: evil.example"]).status == 200)
        #expect(try await server.request("GET", "http://evil.example/tables/todoitem").status == 403)
    }

    @Test(arguments: ["/health", "/ready"])
    func `monitoring behind a proxy can use any host name`(_ path: String) async throws {
        let server = try await TestServer()
        #expect(try await server.request("GET", path, ["Host: todos.example.org"]).status == 200)
    }

    // MARK: Sizes

    @Test func `a URL that is too long is refused`() async throws {
        let server = try await TestServer()
        let path = "/health?" + String(repeating: "x", count: 16 << 10)
        #expect(try await server.request("GET", path).status == 414)
        #expect(try await server.request("GET", String(path.prefix(16 << 10))).status == 200)
    }

    @Test(arguments: [33 << 10, 200 << 10])
    func `a header that is too large is refused`(size: Int) async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(head("GET", "/health", ["X: " + String(repeating: "x", count: size)]))
            #expect(try await client.answer().status == 431)
            _ = try await client.end()
        }
    }

    @Test func `too many headers are refused`() async throws {
        let server = try await TestServer()
        let fields = (0..<1000).map { "X-\($0): y" }
        #expect(try await server.request("GET", "/health", fields).status == 431)
    }

    @Test(arguments: ["/tables/todoitem", "/$batch"])
    func `a body that is announced as too large is refused before it is sent`(path: String) async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(
                head("POST", path, ["Content-Length: \((64 << 20) + 1)", "Expect: 100-continue"]))
            let answer = try await client.answer()
            #expect(answer.status == 413)
            #expect(answer["Connection"] == "close")
            #expect(try await client.end() == [])
        }
    }

    @Test func `a body that becomes too large is refused, and the client can read the reason`() async throws {
        let server = try await TestServer(.testing { $0.limits.body = 100_000 })
        try await TestClient.connect(to: server) { client in
            try await client.send(head("POST", "/tables/todoitem", ["Transfer-Encoding: chunked"]))
            let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
            for _ in 0..<8 { try? await client.send(chunk) }
            #expect(try await client.answer().status == 413)
            #expect(try await client.end() == [])
        }
    }

    @Test func `a batch can be larger than a record`() async throws {
        let server = try await TestServer(.testing { $0.limits.body = 1000 })
        let body = String(repeating: " ", count: 2000) + "{\"requests\":[]}"
        #expect(try await server.request("POST", "/tables/todoitem", body: body).status == 413)
        #expect(try await server.request("POST", "/$batch", body: body).status == 200)
    }

    @Test func `a batch has at most 16 MiB`() async throws {
        let server = try await TestServer()
        let requests = #"{"requests":[]}"#
        for (size, status) in [(16 << 20, 200), (16 << 20 + 1, 413)] {
            let body = String(repeating: " ", count: size - requests.utf8.count) + requests
            #expect(try await server.request("POST", "/$batch", body: body).status == status)
        }
    }

    @Test func `a client that disconnects early occupies no memory`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            try await client.send(head("POST", "/tables/todoitem", ["Content-Length: 900"]) + "{")
            while server.heldBytes == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `a client that waits for 100 Continue receives it`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            let fields = ["Content-Length: 2", "Expect: 100-continue"]
            for _ in 0..<2 {
                try await client.send(head("POST", "/tables/todoitem", fields))
                #expect(try await client.answer().status == 100)
                try await client.send("[]")
                #expect(try await client.answer().status >= 200)
            }
        }
    }

    // MARK: Time

    @Test(arguments: ["", "GET /health HTTP/1.1\r\nHo"])
    func `a connection without a complete header is closed`(text: String) async throws {
        let server = try await TestServer(.testing { $0.limits.headTime = .milliseconds(50) })
        try await TestClient.connect(to: server) { client in
            if !text.isEmpty { try await client.send(text) }
            #expect(try await client.end() == [])
        }
    }

    @Test func `a body that takes too long is refused`() async throws {
        let server = try await TestServer(.testing { $0.limits.bodyTime = .milliseconds(50) })
        try await TestClient.connect(to: server) { client in
            try await client.send(head("POST", "/tables/todoitem", ["Content-Length: 10"]) + "[")
            #expect(try await client.answer().status == 408)
            #expect(try await client.end() == [])
        }
    }

    @Test func `a body that keeps arriving gets more time`() async throws {
        let server = try await TestServer(
            .testing {
                // Long, because a busy machine can stop the test for a second.
                $0.limits.bodyTime = .seconds(5)
                $0.limits.receivingRate = 1
            })
        try await TestClient.connect(to: server) { client in
            try await client.send(head("POST", "/tables/todoitem", ["Content-Length: 10"]))
            // The body takes longer than `bodyTime`, but each pause is much shorter than `receivingRate`
            // allows.
            for byte in #"{"id":"a"}"# {
                try await client.send(String(byte))
                try await Task.sleep(for: .milliseconds(600))
            }
            #expect(try await client.answer().status == 201)
        }
    }

    @Test func `an idle connection is closed`() async throws {
        let server = try await TestServer(.testing { $0.limits.idleTime = .milliseconds(50) })
        try await TestClient.connect(to: server) { client in
            let answer = try await client.request("GET", "/health")
            #expect(answer.status == 200)
            #expect(try await client.end() == [])
        }
    }

    @Test func `the server doesn't wait for a client that doesn't read its last response`() async throws {
        let server = try await TestServer(.testing { $0.limits.lingerTime = .milliseconds(50) })
        try await TestClient.connect(to: server) { client in
            try await client.send("nonsense\r\n\r\n")
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test func `a server closes its connections when it ends`() async throws {
        let server = try await TestServer()
        try await TestClient.connect(to: server) { client in
            #expect(try await client.request("GET", "/health").status == 200)
            try await server.end()
            #expect(try await client.end() == [])
        }
    }
}
