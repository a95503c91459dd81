import Foundation
import LosslessYAML
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import TodoModel
import Values

/// A request that a client sent.
struct FakeRequest: Sendable {
    var method: String
    /// Path and query as received.
    var target: String
    var headers: HTTPHeaders
    var body: [UInt8]

    var path: String { String(target.prefix { $0 != "?" }) }

    /// The query's options, decoded.
    var query: [String: String] {
        let pairs = target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { option in
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count == 2 ? Self.decoded(parts[1]) : "")
        }
        return Dictionary(pairs) { $1 }
    }

    var json: Value { (try? JSON.read(body)) ?? .null }

    static func decoded(_ text: Substring) -> String {
        text.removingPercentEncoding ?? String(text)
    }
}

/// A server's answer, or what it does instead.
enum FakeAnswer: Sendable {
    case answer(Int, headers: [(String, String)] = [], body: [UInt8])
    /// Sends exactly these bytes, then closes the connection.
    case raw([UInt8])
    /// Sends the beginning of an answer, then the same bytes forever.
    case endless([UInt8], then: [UInt8])
    /// Sends these bytes, then nothing, and keeps the connection open.
    case beginning([UInt8])
    /// Closes the connection without an answer.
    case close
    /// Sends nothing, and keeps the connection open.
    case silence

    static func json(_ status: Int, _ value: Value, headers: [(String, String)] = []) -> FakeAnswer {
        .answer(status, headers: headers, body: JSON.write(value))
    }

    static func text(_ status: Int, _ text: String, headers: [(String, String)] = []) -> FakeAnswer {
        .answer(status, headers: headers, body: Array(text.utf8))
    }
}

/// A server on a port of this machine with answers that the test chooses.
///
/// It parses HTTP itself, so that it can send invalid answers.
final class FakeServer: Sendable {
    typealias Respond = @Sendable (FakeRequest) async -> FakeAnswer

    let port: Int
    private let received: Log

    private final class Log: Sendable {
        let requests = Mutex<[FakeRequest]>([])
        let connections = Mutex(0)
    }

    /// The requests so far.
    var requests: [FakeRequest] { received.requests.withLock { $0 } }
    var connectionCount: Int { received.connections.withLock { $0 } }

    private init(port: Int, _ received: Log) {
        self.port = port
        self.received = received
    }

    func url(_ host: String = "127.0.0.1", scheme: String = "http", table: String = "todoitem") -> String {
        "\(scheme)://\(host):\(port)/tables/\(table)"
    }

    /// Runs a server while `body` runs.
    @discardableResult
    static func running<Result: Sendable>(
        tls: NIOSSLContext? = nil, _ respond: @escaping Respond,
        _ body: (FakeServer) async throws -> Result
    ) async throws -> Result {
        let log = Log()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 64)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let server = FakeServer(port: listener.channel.localAddress?.port ?? 0, log)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await listener.executeThenClose { connections in
                    await withTaskGroup(of: Void.self) { group in
                        do {
                            for try await connection in connections {
                                log.connections.withLock { $0 += 1 }
                                group.addTask { try? await serve(connection, log, respond) }
                            }
                        } catch {}
                        group.cancelAll()
                    }
                }
            }
            defer { group.cancelAll() }
            return try await body(server)
        }
    }

    private static func serve(
        _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ log: Log, _ respond: Respond
    ) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var reader = RequestReader()
            for try await part in inbound {
                reader.bytes += Array(part.readableBytesView)
                while let request = reader.next() {
                    log.requests.withLock { $0.append(request) }
                    switch await respond(request) {
                    case .answer(let status, let headers, let body):
                        try await outbound.write(ByteBuffer(bytes: head(status, headers, body) + body))
                    case .raw(let bytes):
                        try await outbound.write(ByteBuffer(bytes: bytes))
                        return
                    case .endless(let beginning, let more):
                        try await outbound.write(ByteBuffer(bytes: beginning))
                        while true { try await outbound.write(ByteBuffer(bytes: more)) }
                    case .beginning(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
                    case .close: return
                    case .silence: break
                    }
                }
            }
        }
    }

    private static func head(_ status: Int, _ headers: [(String, String)], _ body: [UInt8]) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) Whatever"] + headers.map { "\($0.0): \($0.1)" }
        if status != 204 { lines.append("content-length: \(body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

/// Extracts requests with a `content-length` from received bytes.
private struct RequestReader {
    var bytes: [UInt8] = []

    mutating func next() -> FakeRequest? {
        if bytes.first == 0x16 {
            // A client begins TLS with a server that doesn't support it.
            bytes = []
            return FakeRequest(method: "TLS", target: "", headers: [:], body: [])
        }
        let mark = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: mark) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines[0].split(separator: " ")
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[colon...].dropFirst().drop { $0 == " " }
            headers.add(name: String(line[..<colon]), value: String(value))
        }
        let length = headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard bytes.count >= end.upperBound + length, words.count == 3 else { return nil }
        let body = Array(bytes[end.upperBound..<end.upperBound + length])
        bytes = Array(bytes[(end.upperBound + length)...])
        return FakeRequest(
            method: String(words[0]), target: String(words[1]), headers: headers, body: body)
    }
}
