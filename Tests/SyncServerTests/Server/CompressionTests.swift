import Foundation
import NIOCore
import TestSupport
import Testing

@testable import SyncServer

@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct CompressionTests {
    /// A response of more than a kilobyte, whatever the tables contain.
    private static let largeAnswer = "/openapi.json"

    @Test func `a large response is compressed for a client that accepts it`() async throws {
        let server = try await TestServer()
        let plain = try await server.request("GET", Self.largeAnswer)
        #expect(plain["Content-Encoding"] == nil)
        try #require(plain.body.count > 1024)
        for accepted in ["gzip", "gzip, deflate", "deflate, GZIP;q=0.5", "x-gzip"] {
            let answer = try await server.request("GET", Self.largeAnswer, ["Accept-Encoding: \(accepted)"])
            #expect(answer["Content-Encoding"] == "gzip", "\(accepted)")
            #expect(answer["Vary"] == "ZUMO-API-VERSION, Accept-Encoding")
            #expect(answer.body.count < plain.body.count)
            #expect(try gzip("-dc", answer.body) == plain.body)
        }
    }

    @Test(arguments: ["identity", "deflate", "gzip;q=0", "br", "", "gzip;q=x"])
    func `a response is not compressed for a client that doesn't accept gzip`(accepted: String) async throws {
        let server = try await TestServer()
        let answer = try await server.request("GET", Self.largeAnswer, ["Accept-Encoding: \(accepted)"])
        #expect(answer["Content-Encoding"] == nil)
    }

    @Test func `many large responses are not all compressed`() {
        let budget = CompressionBudget()
        let now = NIODeadline.now()
        #expect(!budget.take(2 << 20, at: now))
        #expect((0..<4).map { _ in budget.take(900_000, at: now) } == [true, true, false, false])
        #expect(budget.take(900_000, at: now + .milliseconds(200)))
    }

    @Test func `a small response is not compressed`() async throws {
        let server = try await TestServer()
        let answer = try await server.request("GET", "/health", ["Accept-Encoding: gzip"])
        #expect(answer["Content-Encoding"] == nil)
        #expect(answer.text == "{\"status\":\"ok\"}")
    }

    @Test func `a compressed body is decompressed`() async throws {
        let server = try await TestServer()
        let body = try gzip("-c", Array("{\"requests\":[]}".utf8))
        try await TestClient.connect(to: server) { client in
            for encoding in ["gzip", "GZIP", "x-gzip"] {
                let answer = try await client.request(
                    "POST", "/$batch", ["Content-Encoding: \(encoding)", "Content-Type: application/json"],
                    body: body)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `a body that decompresses to too much data is refused during decompression`() async throws {
        let server = try await TestServer(
            .testing {
                $0.limits.body = 1_000_000
                $0.limits.batchBody = 4_000_000
            })
        let bomb = try gzip("-9c", [UInt8](repeating: 0x20, count: 100_000_000))
        try #require(bomb.count < 200_000)
        for path in ["/tables/todoitem", "/$batch"] {
            try await TestClient.connect(to: server) { client in
                let answer = try await client.request("POST", path, ["Content-Encoding: gzip"], body: bomb)
                #expect(answer.status == 413)
                #expect(try await client.end() == [])
            }
        }
    }

    @Test(arguments: [0, 10, 25])
    func `a body that is not gzip, or is incomplete, is refused`(length: Int) async throws {
        let server = try await TestServer()
        let whole = try gzip("-c", Array("{\"requests\":[]}".utf8))
        let body = length == 0 ? Array("{\"requests\":[]}".utf8) : Array(whole.prefix(length))
        let answer = try await TestClient.connect(to: server) {
            try await $0.request("POST", "/$batch", ["Content-Encoding: gzip"], body: body)
        }
        #expect(answer.status == 400)
        #expect(answer["Connection"] == "close")
    }

    private func gzip(_ options: String, _ bytes: [UInt8]) throws -> [UInt8] {
        let folder = try Scratch()
        try Data(bytes).write(to: folder.url(of: "in"))
        return try folder.run("gzip", [options, "in"])
    }
}
