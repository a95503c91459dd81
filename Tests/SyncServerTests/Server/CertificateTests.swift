import Foundation
import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import SyncServer

@Suite(
    .oneStoreAtATime, .timeLimit(.minutes(30)),
    .enabled(if: Scratch.has("openssl"), "openssl is not installed"))
struct CertificateTests {
    private let scratch: Scratch
    private let files: CertificateFiles

    init() throws {
        scratch = try Scratch()
        files = CertificateFiles(
            certificate: scratch.url(of: "certificate.pem").path, key: scratch.url(of: "key.pem").path)
        try scratch.makeCertificate("first")
    }

    private var settings: Server.Settings { .testing { $0.certificate = files } }

    @Test func `a server with a certificate speaks only TLS`() async throws {
        let server = try await TestServer(settings)
        #expect(server.url.hasPrefix("https://127.0.0.1:"))
        try await TestClient.connect(to: server, trusting: files.certificate) { client in
            for _ in 0..<2 {
                let answer = try await client.request("GET", "/health")
                #expect(answer.status == 200)
            }
            let answer = try await client.request("GET", "/health", ["Connection: close"])
            #expect(answer["Connection"] == "close")
            #expect(try await client.end() == [])
        }
        try await TestClient.connect(to: server) { client in
            try await client.send(head("GET", "/health"))
            let bytes = try await client.end()
            #expect(!String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP"))
        }
    }

    @Test func `a client that doesn't start the handshake is disconnected`() async throws {
        var settings = settings
        settings.limits.headTime = .milliseconds(50)
        let server = try await TestServer(settings)
        let received = try await TestClient.connect(to: server) { try await $0.end() }
        #expect(received == [])
    }

    @Test func `links in responses use TLS`() async throws {
        let server = try await TestServer(settings)
        try await TestClient.connect(to: server, trusting: files.certificate) { client in
            let answer = try await client.request(
                "POST", "/tables/todoitem", ["ZUMO-API-VERSION: 2.0.0", "Host: localhost:\(server.port)"],
                body: Array(#"{"id":"a"}"#.utf8))
            #expect(answer["Location"] == "https://localhost:\(server.port)/tables/todoitem/a")
        }
    }

    @Test(arguments: [("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true)])
    func `TLS 1.2 is the minimum version`(version: String, isSpoken: Bool) async throws {
        let server = try await TestServer(settings)
        let port = String(server.port)
        let arguments = [
            "s_client", version, "-cipher", "DEFAULT:@SECLEVEL=0", "-connect", "127.0.0.1:\(port)", "-CAfile",
            files.certificate, "-verify_return_error",
        ]
        let isConnected = await Task.detached { (try? scratch.run("openssl", arguments)) != nil }.value
        #expect(isConnected == isSpoken)
    }

    @Test(arguments: [
        ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
        ("ECDHE-ECDSA-CHACHA20-POLY1305", true), ("ECDHE-ECDSA-AES128-SHA", false),
        ("ECDHE-ECDSA-AES256-SHA", false), ("ECDHE-RSA-AES128-GCM-SHA256", true),
        ("ECDHE-RSA-AES128-SHA", false), ("AES128-GCM-SHA256", false), ("AES128-SHA", false),
    ])
    func `TLS 1.2 uses forward secrecy and authenticated encryption`(
        suite: String, isSpoken: Bool
    ) async throws {
        if !suite.contains("ECDSA") { try scratch.makeCertificate("first", keys: ["rsa:2048"]) }
        let server = try await TestServer(settings)
        let arguments = [
            "s_client", "-tls1_2", "-cipher", suite + ":@SECLEVEL=0", "-connect", "127.0.0.1:\(server.port)",
            "-CAfile", files.certificate, "-verify_return_error",
        ]
        let isConnected = await Task.detached { (try? scratch.run("openssl", arguments)) != nil }.value
        #expect(isConnected == isSpoken)
    }

    @Test(arguments: ["certificate.pem", "key.pem"])
    func `reloading a missing certificate keeps the old one`(name: String) async throws {
        let server = try await TestServer(settings)
        try scratch.run("cp", ["certificate.pem", "first.pem"])
        try scratch.run("rm", [name])
        server.reloadCertificate()
        let line = try #require(server.log.last)
        #expect(
            line.hasSuffix(
                "error: can't reload the certificate; the old one stays in use: \(scratch.url(of: name).path): no such file"
            ))
        try await TestClient.connect(to: server, trusting: scratch.url(of: "first.pem").path) { client in
            let answer = try await client.request("GET", "/health")
            #expect(answer.status == 200)
        }
    }

    @Test func `a new certificate applies to new connections, and open ones continue`()
        async throws
    {
        let server = try await TestServer(settings)
        let first = scratch.url(of: "first.pem").path
        try scratch.run("cp", ["certificate.pem", "first.pem"])
        try await TestClient.connect(to: server, trusting: first) { client in
            _ = try await client.request("GET", "/health")
            try scratch.makeCertificate("second")
            server.reloadCertificate()
            let answer = try await client.request("GET", "/health")
            #expect(answer.status == 200)
        }
        try await TestClient.connect(to: server, trusting: files.certificate) { client in
            let answer = try await client.request("GET", "/health")
            #expect(answer.status == 200)
        }
        await #expect(throws: (any Error).self) {
            try await TestClient.connect(to: server, trusting: first) { client in
                _ = try await client.request("GET", "/health")
            }
        }
        #expect(server.log.contains { $0.hasSuffix("reloaded the certificate") })
    }

    @Test(arguments: ["certificate.pem", "key.pem"])
    func `reloading an invalid certificate keeps the old one`(name: String)
        async throws
    {
        let server = try await TestServer(settings)
        try scratch.run("cp", ["certificate.pem", "first.pem"])
        try Data("broken".utf8).write(to: scratch.url(of: name))
        server.reloadCertificate()
        #expect(server.log.contains { $0.contains("error: can't reload the certificate") })
        let first = scratch.url(of: "first.pem").path
        try await TestClient.connect(to: server, trusting: first) { client in
            let answer = try await client.request("GET", "/health")
            #expect(answer.status == 200)
        }
    }

    @Test func `an unusable certificate is reported at startup`() async throws {
        let other = try Scratch()
        try other.makeCertificate("other")
        let strange = try Scratch()
        try strange.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ed448", "-nodes", "-keyout", "key.pem", "-out", "certificate.pem",
                "-days", "2", "-subj", "/CN=strange",
            ])
        let pairs = [
            (scratch.url(of: "missing.pem").path, files.key, "missing.pem"),
            (files.certificate, scratch.url(of: "missing.pem").path, "missing.pem"),
            (files.key, files.key, "key.pem"), (files.certificate, files.certificate, "certificate.pem"),
            (files.certificate, other.url(of: "key.pem").path, "key.pem"),
            (strange.url(of: "certificate.pem").path, files.key, "certificate.pem"),
        ]
        for (certificate, key, named) in pairs {
            let settings = Server.Settings.testing {
                $0.certificate = CertificateFiles(certificate: certificate, key: key)
            }
            let error = await #expect(throws: ServerError.self) { try await TestServer(settings) }
            guard case .badCertificate(let path, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(path.hasSuffix(named))
        }
    }
}

extension Scratch {
    /// Creates `certificate.pem`, by default for localhost, and `key.pem`.
    func makeCertificate(
        _ name: String, names: String = "DNS:localhost,IP:127.0.0.1",
        keys: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    ) throws {
        try run(
            "openssl",
            ["req", "-x509", "-newkey"] + keys + [
                "-nodes", "-keyout", "key.pem", "-out", "certificate.pem", "-days", "2", "-subj",
                "/CN=\(name)",
                "-addext", "subjectAltName=\(names)",
            ])
    }
}
