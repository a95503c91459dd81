import NIOCore
import TestSupport
import Testing

@testable import SyncServer

/// Sends arbitrary bytes to the server.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct AnyBytesTests {
    private static let requests = [
        head("GET", "/tables/todoitem?$top=1"), head("HEAD", "/openapi.json", ["Accept-Encoding: gzip"]),
        head("POST", "/tables/todoitem", ["Content-Length: 10"]) + #"{"id":"a"}"#,
        head("POST", "/$batch", ["Transfer-Encoding: chunked"]) + "f\r\n{\"requests\":[]}\r\n0\r\n\r\n",
        head("POST", "/tables/t", ["Content-Encoding: gzip", "Content-Length: 4"]) + "\u{1F}abc",
        head("OPTIONS", "*", ["Origin: https://app.example", "Connection: close"]),
        head("PATCH", "/tables/t/a", ["Expect: 100-continue", "Content-Length: 2"]) + "{}",
        head("GET", "/", ["Connection: Upgrade", "Upgrade: websocket"]), head("CONNECT", "localhost:1"),
    ]

    @Test(arguments: UInt64(0)..<8)
    func `the server survives any bytes in any pieces`(seed: UInt64) async throws {
        let server = try await TestServer(
            .testing {
                $0.limits.bodyTime = .milliseconds(20)
                $0.limits.headTime = .milliseconds(20)
                $0.limits.idleTime = .milliseconds(20)
                $0.limits.lingerTime = .milliseconds(5)
            })
        var random = SplitMix64(seed: seed)
        for _ in 0..<60 {
            let bytes = Self.bytes(&random)
            let size = Int.random(in: 1...max(1, bytes.count), using: &random)
            let ends = Bool.random(using: &random)
            try await TestClient.connect(to: server) { client in
                for begin in stride(from: 0, to: bytes.count, by: size) {
                    // The server can have closed the connection already.
                    try? await client.send(Array(bytes[begin..<min(begin + size, bytes.count)]))
                }
                if ends { client.endSending() }
                let answer = try await client.end()
                #expect(answer.isEmpty || answer.starts(with: Array("HTTP/1.1 ".utf8)))
            }
        }
        let failures = server.log.filter { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            let status = words.dropFirst(3).first ?? ""
            return line.contains(" error: ") || status.hasPrefix("5") && !["501", "505"].contains(status)
        }
        #expect(failures == [])
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Returns consecutive requests with some bytes changed, removed or repeated.
    private static func bytes(_ random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes += requests[Int.random(in: requests.indices, using: &random)].utf8
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let position = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(contentsOf: bytes[position...].prefix(20), at: position)
            default: bytes.insert(contentsOf: Array("\r\n".utf8), at: position)
            }
        }
        return bytes
    }
}
