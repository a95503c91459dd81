import Foundation
import LosslessYAML
import NIOCore
import TestSupport
import Testing
import TodoModel

@testable import HTTPTransport
@testable import Remotes
@testable import SyncServer

/// The remote for a server's URL, through a proxy.
@Suite(
    .oneStoreAtATime, .timeLimit(.minutes(30)),
    .enabled(if: Scratch.has("openssl"), "openssl is not installed"))
struct ProxyTests {
    @Test func `the client reaches the server by TLS through a tunnel, and the proxy gets no key`()
        async throws
    {
        let scratch = try Scratch()
        try scratch.makeCertificate("example.org", names: "DNS:example.org")
        let certificate = scratch.url(of: "certificate.pem").path
        let files = CertificateFiles(certificate: certificate, key: scratch.url(of: "key.pem").path)
        let server = try await TestServer(.testing { $0.certificate = files })
        let secret = try await server.addKey(.testing("phone"))
        let proxy = try await TunnelProxy(to: server.port)
        let environment = [
            "HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)", "SSL_CERT_FILE": certificate,
        ]
        let remote = try HTTPRemote(
            url: "https://example.org/tables/todoitem",
            surroundings: ServerSurroundings(
                transport: { server throws(RemoteError) in
                    try HTTPConnections(server, environment: { environment[$0] }, timeouts: .patient)
                }, key: { _ in secret }, randomBytes: { [UInt8](repeating: 0, count: $0) }),
            pageSize: 10)
        let insert = PushOperation(
            operationID: "0f", id: "a",
            change: .insert(fields: ["text": .string("x")], layout: Layout(path: nil, yaml: nil)))
        guard case .accepted? = try await remote.push([insert]).answers.first else {
            Issue.record("the write is not accepted")
            return
        }
        #expect(try await remote.changes(after: nil).records.map(\.id) == ["a"])
        #expect(!proxy.heads.isEmpty)
        for head in proxy.heads {
            #expect(head.hasPrefix("CONNECT example.org:443 HTTP/1.1\r\n"))
            #expect(!head.contains(secret))
        }
    }
}
