import NIOCore
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import HTTPTransport
@testable import Remotes

/// The remote for a server's URL, tested with a running server.
@Suite(.oneStoreAtATime) struct HTTPRemoteTests {
    @Test(arguments: RemoteConformance.all + RemoteConformance.waiting)
    func `a server's table conforms`(_ conformance: RemoteConformance) async throws {
        let servers = Mutex<[TestServer]>([])
        try await conformance.check { pageSize in
            let server = try await TestServer()
            servers.withLock { $0.append(server) }
            let clients = try (0..<2).map { _ in
                try HTTPRemote(
                    url: server.url + "/tables/todoitem", surroundings: .withoutKey, pageSize: pageSize)
            }
            return (clients[0], clients[1])
        }
    }
}

extension HTTPTimeouts {
    /// For a busy machine.
    static let patient = HTTPTimeouts(connect: .minutes(20), idle: .minutes(20))
}

extension ServerSurroundings {
    /// A client without a key, in an environment without variables.
    fileprivate static let withoutKey = ServerSurroundings(
        transport: { server throws(RemoteError) in
            try HTTPConnections(server, environment: { _ in nil }, timeouts: .patient)
        }, key: { _ in nil },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        })
}
