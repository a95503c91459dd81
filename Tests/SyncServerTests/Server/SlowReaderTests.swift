import NIOCore
import TestSupport
import Testing

@testable import SyncServer

/// Clients that don't read their responses.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct SlowReaderTests {
    @Test func `a client that sends many requests without reading has few responses waiting`() async throws {
        let server = try await TestServer()
        let body = #"{"id":"a","text":""# + String(repeating: "x", count: 4 << 20) + #""}"#
        #expect(try await server.request("POST", "/tables/todoitem", body: body).status == 201)
        let count = 12
        try await TestClient.connect(to: server) { client in
            for _ in 0..<count { try await client.send(head("GET", "/tables/todoitem/a")) }
            while server.heldBytes == 0 { try await Task.sleep(for: .milliseconds(1)) }
            // This is long enough to answer all requests if nothing held them back.
            for _ in 0..<20 {
                try await Task.sleep(for: .milliseconds(20))
                #expect(server.heldBytes < 10 << 20)
            }
            for _ in 0..<count {
                let answer = try await client.answer()
                #expect(answer.status == 200 && answer.body.count > 4 << 20)
            }
        }
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `a client that reads a response too slowly is disconnected`() async throws {
        let server = try await TestServer(
            .testing {
                $0.limits.stallTime = .milliseconds(200)
                $0.limits.sendingRate = 64 << 20
            })
        let body = #"{"id":"a","text":""# + String(repeating: "x", count: 8_000_000) + #""}"#
        let minimal = ["Prefer: return=minimal"]
        #expect(try await server.request("POST", "/tables/todoitem", minimal, body: body).status == 204)
        try await TestClient.connect(to: server) { client in
            _ = try await client.request("GET", "/health")
            #expect(server.openConnections > 0)
            // This is more than the system buffers for a client that doesn't read.
            for _ in 0..<4 { try await client.send(head("GET", "/tables/todoitem/a")) }
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
