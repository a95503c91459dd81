import Foundation
import LosslessYAML
import NIOCore
import NIOHTTP1
import TestSupport
import Testing
import TodoModel

@testable import HTTPTransport
@testable import Remotes

/// An empty page of a todosync server.
private let empty: Value = [
    "@todosync.identity": "store/todoitem", "value": .list([]),
    "@odata.deltaLink": "http://elsewhere/tables/todoitem?$deltatoken=1",
]

@Suite struct `HTTP transfer` {
    @Test func `a server that can't be reached is reported in one line, at once`() async throws {
        // Another test can use a port that was free a moment ago. Nothing listens on this one.
        let url = "http://127.0.0.1:1/tables/todoitem"
        let waits = Waits()
        let remote = try HTTPRemote.testing(url, .testing(waits: waits))
        let message = await unavailable { _ = try await remote.meet(nil) }
        #expect(message == "\(url) can't be reached: connection refused")
        #expect(waits.all.isEmpty)
    }

    @Test func `an unknown host name is reported in one line`() async throws {
        let remote = try HTTPRemote.testing("http://nobody.invalid/tables/todoitem")
        let message = await unavailable { _ = try await remote.meet(nil) }
        #expect(
            message == "http://nobody.invalid/tables/todoitem can't be reached: the host name is unknown")
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `a temporary failure is retried with growing delays`(status: Int) async throws {
        let waits = Waits()
        let counter = Tally()
        try await FakeServer.running({ _ in
            counter.next() < 4 ? .text(status, "later") : .json(200, empty)
        }) { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(waits: waits))
            #expect(try await remote.meet(nil) == RemoteIdentity("store/todoitem"))
            #expect(server.requests.count == 4)
        }
        #expect(waits.all == [.milliseconds(499), .milliseconds(999), .milliseconds(1999)])
    }

    @Test func `the request fails after four tries, with the server's message`() async throws {
        try await FakeServer.running({ _ in .json(503, ["error": "busy\u{1B}[2J\nnow"]) }) { server in
            let remote = try HTTPRemote.testing(server.url())
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect(message == "\(server.url()): busy [2J now (status 503)")
            #expect(server.requests.count == 4)
        }
    }

    struct Wish: Sendable, CustomTestStringConvertible {
        var header: String
        var waits: [Duration]
        var testDescription: String { header }
    }

    @Test(arguments: [
        Wish(header: "7", waits: [.seconds(7)]),
        Wish(header: "Sun, 06 Nov 1994 08:49:57 GMT", waits: [.seconds(20)]),
        Wish(header: "31", waits: []),
        Wish(header: "soon", waits: [.milliseconds(499)]),
    ])
    func `a requested delay of up to 30 seconds is respected`(wish: Wish) async throws {
        let waits = Waits()
        let counter = Tally()
        try await FakeServer.running({ _ in
            counter.next() > 1
                ? .json(200, empty)
                : .text(
                    429, "later",
                    headers: [("retry-after", wish.header), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        }) { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(waits: waits))
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect((message == nil) == !wish.waits.isEmpty)
            if let message { #expect(message.contains("a pause of 31 seconds")) }
        }
        #expect(waits.all == wish.waits)
    }

    @Test(arguments: [429, 503], ["999999999", "99999999999999999999", "Sun, 06 Nov 9994 08:49:57 GMT"])
    func `a requested pause of years counts as an hour`(status: Int, header: String) async throws {
        let answer = FakeAnswer.text(
            status, "later", headers: [("retry-after", header), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        try await FakeServer.running({ _ in answer }) { server in
            let remote = try HTTPRemote.testing(server.url())
            let error = await #expect(throws: RemoteError.self) { try await remote.meet(nil) }
            #expect(error?.requestedPause == .seconds(3600))
            let words = "the server asks for a pause of more than an hour, which counts as an hour"
            #expect(error?.description.hasPrefix("\(server.url()): \(words): ") == true)
        }
    }

    @Test func `the total delay is at most a minute`() async throws {
        let waits = Waits()
        try await FakeServer.running({ _ in .text(503, "later", headers: [("retry-after", "25")]) }) {
            server in
            let remote = try HTTPRemote.testing(server.url(), .testing(waits: waits))
            #expect(await unavailable { _ = try await remote.meet(nil) } != nil)
        }
        #expect(waits.all == [.seconds(25), .seconds(25)])
    }

    @Test func `a broken connection is replaced`() async throws {
        let counter = Tally()
        try await FakeServer.running({ _ in counter.next() < 3 ? .close : .json(200, empty) }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.meet(nil) == RemoteIdentity("store/todoitem"))
            #expect(server.requests.count == 3)
        }
    }

    @Test func `one connection serves many requests`() async throws {
        try await FakeServer.running({ _ in .json(200, empty) }) { server in
            let remote = try HTTPRemote.testing(server.url())
            for _ in 0..<5 { _ = try await remote.meet(nil) }
            // On a busy machine, a slow connection can have been replaced.
            #expect((1..<5).contains(server.connectionCount))
        }
    }

    @Test func `a silent server causes a timeout`() async throws {
        try await FakeServer.running({ _ in .silence }) { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(timeouts: .testing))
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect(message == "\(server.url()) can't be reached: the request timed out after 60 seconds")
            #expect(server.requests.count <= 1)
        }
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}",
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{",
    ])
    func `an answer that is not HTTP is reported in one line`(text: String) async throws {
        try await FakeServer.running({ _ in .raw(Array(text.utf8)) }) { server in
            let remote = try HTTPRemote.testing(server.url())
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect(
                message?.hasPrefix("\(server.url()) can't be reached: ") == true, "\(message ?? "nothing")")
        }
    }

    @Test func `an endless body ends at 64 MiB, and an endless header earlier`() async throws {
        let more = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
        for beginning in ["HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n", "HTTP/1.1 200 OK\r\nx: "]
        {
            try await FakeServer.running({ _ in .endless(Array(beginning.utf8), then: more) }) { server in
                let remote = try HTTPRemote.testing(server.url())
                let message = await unavailable { _ = try await remote.meet(nil) }
                #expect(message == "\(server.url()) can't be reached: the response is too large")
            }
        }
    }

    static let truncated: [[UInt8]] = [
        Array("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{".utf8),
        Array("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n50\r\n[{".utf8),
        Array("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[{\r\n".utf8),
        Array("HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd".utf8),
        Array("HTTP/1.1 200 OK\r\ncontent-len".utf8),
    ]

    @Test(arguments: truncated)
    func `an incomplete answer counts as a broken connection and is retried`(bytes: [UInt8]) async throws {
        let counter = Tally()
        try await FakeServer.running({ _ in counter.next() == 1 ? .raw(bytes) : .json(200, empty) }) {
            server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.meet(nil) == RemoteIdentity("store/todoitem"))
        }
        try await FakeServer.running({ _ in .raw(bytes) }) { server in
            let remote = try HTTPRemote.testing(server.url())
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect(message?.contains("no HTTP") == false, "\(message ?? "nothing")")
        }
    }

    @Test func `an endless chunked body and a gzip bomb end at 64 MiB`() async throws {
        let chunk =
            Array("100000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20) + [13, 10]
        let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
        let bomb = try #require(Packing.packed([UInt8](repeating: UInt8(ascii: " "), count: 65 << 20)))
        let answers: [FakeAnswer] = [
            .endless(Array(head.utf8), then: chunk),
            .answer(200, headers: [("content-encoding", "gzip")], body: bomb),
        ]
        for answer in answers {
            try await FakeServer.running({ _ in answer }) { server in
                let remote = try HTTPRemote.testing(server.url())
                let message = await unavailable { _ = try await remote.meet(nil) }
                #expect(message == "\(server.url()) can't be reached: the response is too large")
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func `an answer that arrives byte by byte is abandoned`() async throws {
        let head = "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n"
        var timeouts = HTTPTimeouts.patient
        (timeouts.progress, timeouts.leastProgress) = (.milliseconds(50), .max)
        try await FakeServer.running({ _ in .beginning(Array((head + "[").utf8)) }) { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(timeouts: timeouts))
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect(message == "\(server.url()) can't be reached: the response is too slow")
        }
    }

    @Test func `a todosync server's refusal to identify the table doesn't make it another kind of server`()
        async throws
    {
        try await FakeServer.running({ _ in
            .json(400, ["error": "no"], headers: [("x-zumo-server-version", "todosync")])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(await unavailable { _ = try await remote.meet(nil) }?.contains("can't be used") == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a redirect within the origin is followed, with the key`() async throws {
        try await FakeServer.running({ request in
            request.path == "/new/tables/todoitem"
                ? .json(200, empty)
                : .text(308, "", headers: [("location", "/new/tables/todoitem?$top=0")])
        }) { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(key: "secret"))
            _ = try await remote.meet(nil)
            #expect(
                server.requests.map { $0.headers["authorization"] } == [["Bearer secret"], ["Bearer secret"]])
        }
    }

    @Test(arguments: [
        "http://localhost:PORT/tables/todoitem", "https://127.0.0.1:PORT/", "//example.org/", "",
    ])
    func `a redirect to another origin is not followed`(location: String) async throws {
        let port = Tally()
        try await FakeServer.running({ _ in
            let there = location.replacingOccurrences(of: "PORT", with: String(port.value))
            return .text(302, "", headers: [("location", there)])
        }) { server in
            port.value = server.port
            let remote = try HTTPRemote.testing(server.url(), .testing(key: "secret"))
            let message = await unavailable { _ = try await remote.meet(nil) }
            #expect(message?.contains("the server redirects to a different server") == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `endless redirects are abandoned, and writes are never redirected`() async throws {
        try await FakeServer.running({ request in
            request.method == "GET" && request.query["$top"] == "0"
                ? .json(200, empty) : .text(307, "", headers: [("location", request.target)])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(
                await unavailable { _ = try await remote.changes(after: nil) }?.contains(
                    "redirects too often")
                    == true)
            let delete = PushOperation(
                operationID: "1", id: "one", change: .delete(base: Version("v")))
            #expect(
                await unavailable { _ = try await remote.push([delete]) }?.contains("redirects a write")
                    == true)
        }
    }
}

@Suite struct `HTTP keys` {
    @Test func `todosync does not send keys over plain http to another machine`() async throws {
        let remote = try HTTPRemote.testing("http://example.org/tables/todoitem", .testing(key: "secret"))
        let error = await #expect(throws: RemoteError.self) { _ = try await remote.meet(nil) }
        guard case .notAllowed(.exposed)? = error, let message = error.map({ "\($0)" }) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("use https") && !message.contains("secret"))
    }

    @Test(arguments: [
        (EHOSTUNREACH, "the connection was lost: no route to host", true),
        (ENETUNREACH, "the connection was lost: network is unreachable", true),
        (ECONNRESET, "the connection was lost: connection reset by peer", true),
        (ECONNREFUSED, "connection refused", false),
    ])
    func `a connection's system error is reported in the system's words`(
        code: Int32, reason: String, wasSent: Bool
    ) {
        let failure = TransferFailure(IOError(errnoCode: code, reason: "read"))
        #expect(failure.reason == reason)
        #expect(failure.wasSent == wasSent && failure.isWorthARetry == wasSent)
    }

    @Test(arguments: [401, 403])
    func `a refused key is reported, but not shown`(status: Int) async throws {
        try await FakeServer.running({ _ in .json(status, ["error": "no"]) }) { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(key: "secret"))
            await #expect(
                throws: RemoteError.notAllowed(
                    status == 403
                        ? .insufficient(
                            url: server.url(), needed: .read(table: "todoitem"), message: "no")
                        : .unknown(url: server.url(), message: "no"))
            ) {
                _ = try await remote.meet(nil)
            }
        }
    }

    @Test func `a key that doesn't fit in a header is refused`() async throws {
        let remote = try HTTPRemote.testing("https://example.org/tables/todoitem", .testing(key: "a\r\nb: c"))
        let error = await #expect(throws: RemoteError.self) { _ = try await remote.meet(nil) }
        guard case .notAllowed(.malformed)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
