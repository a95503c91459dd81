import NIOCore
import NIOPosix
import NIOSSL

/// A client that can send any bytes.
struct TestClient {
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var buffer: [UInt8] = []

    struct NoAnswer: Error {
        var received: String
    }

    /// A response from the server.
    struct Answer {
        var status: Int
        var fields: [(name: String, value: String)]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        subscript(name: String) -> String? {
            fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// Connects, and disconnects after `body` returns.
    static func connect<Result>(
        to server: TestServer, at host: String = "127.0.0.1", trusting certificate: String? = nil,
        _ body: (inout TestClient) async throws -> Result
    ) async throws -> Result {
        let context = try certificate.map { path in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(path)
            return try NIOSSLContext(configuration: configuration)
        }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connectTimeout(.minutes(20))
            .connect(host: host, port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var client = TestClient(outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&client)
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Ends the sending side of the connection.
    func endSending() { outbound.finish() }

    /// Sends a request with the necessary headers, and returns the response.
    mutating func request(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8] = []
    ) async throws -> Answer {
        try await send(head(method, target, fields + (body.isEmpty ? [] : ["Content-Length: \(body.count)"])))
        if !body.isEmpty { try await send(body) }
        return try await answer(to: method)
    }

    /// Reads one response.
    mutating func answer(to method: String = "GET") async throws -> Answer {
        while true {
            if let answer = try takeAnswer(to: method) { return answer }
            guard try await receive() else {
                throw NoAnswer(received: String(decoding: buffer, as: UTF8.self))
            }
        }
    }

    /// Reads until the server closes the connection, and returns everything.
    mutating func end() async throws -> [UInt8] {
        do {
            while try await receive() {}
        } catch is IOError {}
        return buffer
    }

    /// Reads until the received text contains a part; returns the text so far.
    mutating func receive(until part: String) async throws -> String {
        while true {
            let text = String(decoding: buffer, as: UTF8.self)
            if text.contains(part) { return text }
            guard try await receive() else { throw NoAnswer(received: text) }
        }
    }

    private mutating func receive() async throws -> Bool {
        guard let part = try await inbound.next(isolation: #isolation) else { return false }
        buffer += part.readableBytesView
        return true
    }

    private mutating func takeAnswer(to method: String) throws -> Answer? {
        let separator = Array("\r\n\r\n".utf8)
        guard
            let end = buffer.indices.first(where: { buffer[$0...].starts(with: separator) })
        else { return nil }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: parts.last?.drop { $0 == " " }.description ?? "")
        }
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw NoAnswer(received: String(decoding: buffer, as: UTF8.self))
        }
        var answer = Answer(status: status, fields: fields, body: [])
        let length = method == "HEAD" ? 0 : answer["Content-Length"].flatMap { Int($0) } ?? 0
        let begin = end + separator.count
        guard buffer.count >= begin + length else { return nil }
        answer.body = Array(buffer[begin..<(begin + length)])
        buffer.removeFirst(begin + length)
        return answer
    }
}

/// Returns a request's header.
func head(_ method: String, _ target: String, _ fields: [String] = []) -> String {
    let hasHost = fields.contains { $0.lowercased().hasPrefix("host:") }
    return (["\(method) \(target) HTTP/1.1"] + (hasHost ? [] : ["Host: localhost"]) + fields)
        .map { $0 + "\r\n" }.joined() + "\r\n"
}

extension TestServer {
    /// Sends one request on a new connection.
    func request(
        _ method: String, _ target: String, _ fields: [String] = [], body: String = ""
    ) async throws -> TestClient.Answer {
        try await TestClient.connect(to: self) {
            try await $0.request(method, target, fields, body: Array(body.utf8))
        }
    }
}
