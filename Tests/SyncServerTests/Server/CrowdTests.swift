import NIOCore
import Remotes
import TestSupport
import Testing

@testable import SyncServer

/// Which connections are accepted and closed if there are many.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct CrowdTests {
    /// A body whose last byte hasn't been sent yet.
    private static let begun = head("POST", "/tables/todoitem", ["Content-Length: 2"]) + "["

    @Test func `a full server closes the connection that has waited longest for a request`() async throws {
        let server = try await TestServer(.testing { $0.limits.connections = 3 })
        try await TestClient.connect(to: server) { silent in
            try await TestClient.connect(to: server) { idle in
                try await TestClient.connect(to: server) { third in
                    // After these requests, the silent connection is the one that has waited longest.
                    for _ in 0..<2 { try await third.isServed("/health") }
                    try await idle.isServed("/health")
                    while server.openConnections < 3 { try await Task.sleep(for: .milliseconds(1)) }
                    try await TestClient.connect(to: server) { client in
                        try await client.isServed("/health")
                        let rest = try await silent.end()
                        #expect(rest == [])
                        try await idle.isServed("/health")
                        try await third.isServed("/health")
                    }
                }
            }
        }
    }

    @Test func `a full server serves new clients at once, however many connections are idle`() async throws {
        let server = try await TestServer(.testing { $0.limits.connections = 8 })
        try await withThrowingTaskGroup { group in
            for _ in 0..<40 {
                group.addTask { _ = try await TestClient.connect(to: server) { try await $0.end() } }
            }
            // Once 32 connections are closed, no other one arrives that could close a request's connection.
            for _ in 0..<32 { try await group.next() }
            for _ in 0..<40 { #expect(try await server.request("GET", "/health").status == 200) }
            group.cancelAll()
        }
    }

    @Test func `a full server closes the connection whose client is furthest behind`() async throws {
        let server = try await TestServer(.testing { ($0.limits.connections, $0.watchers) = (2, 0) })
        let size = 1 << 20
        try await TestClient.connect(to: server) { fast in
            let text = #"{"id":"a","text":""# + String(repeating: "x", count: size)
            try await fast.send(
                head("POST", "/tables/todoitem", ["Content-Length: \(text.utf8.count + 2)"]) + text)
            while server.heldBytes < size { try await Task.sleep(for: .milliseconds(1)) }
            try await TestClient.connect(to: server) { slow in
                try await slow.send(Self.begun)
                while server.heldBytes <= text.utf8.count { try await Task.sleep(for: .milliseconds(1)) }
                #expect(try await server.request("GET", "/health").status == 200)
                #expect(try await slow.end() == [])
                try await fast.send(#""}"#)
                #expect(try await fast.answer().status == 201)
            }
        }
    }

    @Test func `half requests leave room for others, however few requests may wait for changes`() async throws
    {
        let server = try await TestServer(.testing { ($0.limits.connections, $0.watchers) = (8, 0) })
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    try await TestClient.connect(to: server) { client in
                        try await client.send(Self.begun)
                        _ = try await client.end()
                    }
                }
            }
            // The others are still open, because no more connections come.
            for _ in 0..<92 { try await group.next() }
            for _ in 0..<20 { #expect(try await server.request("GET", "/health").status == 200) }
            group.cancelAll()
        }
    }

    @Test func `a connection isn't closed for others while the server works on its response`() async throws {
        let server = try await TestServer(.testing { ($0.limits.connections, $0.watchers) = (1, 0) })
        try await server.whileQueriesRun(2, of: "127.0.0.1") {
            try await TestClient.connect(to: server) { first in
                // The server waits a moment for the other queries.
                try await first.send(head("GET", "/tables/todoitem"))
                while server.metrics.requestsInFlight == 0 { try await Task.sleep(for: .milliseconds(1)) }
                #expect(try await server.request("GET", "/health").status == 200)
                #expect(try await first.answer().status == 429)
            }
        }
    }

    // MARK: Limits for an address

    /// An address of this machine that is not loopback.
    private static let address: String? = try? System.enumerateDevices().lazy
        .compactMap(\.address).first { !$0.isLoopback && $0.protocol == .inet }?.ipAddress

    /// Returns a server with keys on all addresses, with a limit of two connections per address.
    private func server(proxies: [String] = []) async throws -> TestServer {
        let settings = Server.Settings.testing {
            $0.address = ListenAddress(host: "0.0.0.0", port: 0)
            $0.connectionsPerAddress = 2
            $0.trustedProxies = proxies.compactMap { TrustedProxy($0) }
        }
        return try await TestServer(
            settings, keys: [.testing("all", .write, table: TableName("todoitem"), isAnonymous: true)])
    }

    @Test(.enabled(if: address != nil, "this machine has no address but loopback"))
    func `an address at its limit without a key has its longest idle connection closed`()
        async throws
    {
        let server = try await server()
        let address = try #require(Self.address)
        try await TestClient.connect(to: server, at: address) { first in
            try await first.isServed("/health")
            try await TestClient.connect(to: server, at: address) { second in
                try await second.isServed("/health")
                try await TestClient.connect(to: server, at: address) { third in
                    try await third.isServed("/health")
                    let rest = try await first.end()
                    #expect(rest == [])
                    try await second.isServed("/health")
                }
            }
        }
    }

    @Test(.enabled(if: address != nil, "this machine has no address but loopback"))
    func `an address without idle connections gets an error for one more without a key`() async throws {
        let server = try await server()
        let address = try #require(Self.address)
        let secret = try await server.addKey(.testing("phone", .write))
        try await TestClient.connect(to: server, at: address) { first in
            try await TestClient.connect(to: server, at: address) { second in
                try await first.send(Self.begun)
                try await second.send(Self.begun)
                while server.heldBytes < 2 { try await Task.sleep(for: .milliseconds(1)) }
                for fields in [[], ["Content-Length: 5"]] {
                    try await TestClient.connect(to: server, at: address) { third in
                        try await third.send(head("POST", "/tables/todoitem", fields))
                        let answer = try await third.answer()
                        #expect(answer.status == 429)
                        #expect(answer["Retry-After"] == "1")
                        #expect(answer.text.contains(#""error":"Error: This address has too many"#))
                        #expect(try await third.end() == [])
                    }
                }
                // A client with a key is served, and so are other addresses.
                try await TestClient.connect(to: server, at: address) { keyed in
                    for fields in [["x-zumo-application: \(secret)"], []] {
                        try await keyed.isServed("/tables/todoitem", fields)
                    }
                }
                #expect(try await server.request("GET", "/tables/todoitem").status == 200)
                for client in [first, second] { try await client.send("]") }
                #expect(try await first.answer().status == 400)
                #expect(try await second.answer().status == 400)
            }
        }
    }

    @Test(.enabled(if: address != nil, "this machine has no address but loopback"))
    func `connections with a valid key, from this machine or from trusted proxies don't count`() async throws
    {
        let address = try #require(Self.address)
        let keyed = try await server()
        let secret = try await keyed.addKey(.testing("phone", .write))
        let behindProxy = try await server(proxies: [address + "/24"])
        for (server, address, fields) in [
            (keyed, address, ["x-zumo-application: \(secret)"]), (keyed, "127.0.0.1", []),
            (behindProxy, address, []),
        ] {
            try await TestClient.connect(to: server, at: address) { first in
                for _ in 0..<2 {
                    try await first.isServed("/tables/todoitem", fields)
                    try await TestClient.connect(to: server, at: address) { second in
                        _ = try await second.request("GET", "/tables/todoitem", fields)
                        try await TestClient.connect(to: server, at: address) { third in
                            _ = try await third.request("GET", "/tables/todoitem", fields)
                        }
                    }
                }
            }
        }
    }
}

extension TestClient {
    /// Sends a request that must be answered.
    fileprivate mutating func isServed(
        _ path: String, _ fields: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await request("GET", path, fields)
        #expect(answer.status == 200, sourceLocation: sourceLocation)
    }
}
