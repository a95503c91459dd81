internal import AsyncHTTPClient
internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL
package import Remotes
internal import Synchronization
package import TodoModel

/// Connections to one server over HTTP/1.1, with TLS for https.
package final class HTTPConnections: ServerTransport {
    private let client: HTTPClient
    private let server: ServerOrigin
    private let timeouts: HTTPTimeouts
    /// The proxy's host and port; nil without a proxy.
    private let proxy: String?
    /// Whether to compress data; data that stays on this machine isn't worth compressing.
    private let isPackingWorthIt: Bool

    /// The event loop of all connections, with one thread.
    ///
    /// With one thread per processor, the library would read files to count the processors, and would
    /// terminate the process if it couldn't close one of them.
    private static let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Creates a transport without connecting.
    ///
    /// - Parameter environment: Returns an environment variable, such as `HTTPS_PROXY` or `SSL_CERT_FILE`.
    /// - Throws: `RemoteError.badVariable` if the environment names a proxy or certificates that can't be
    ///   used.
    package convenience init(
        _ server: ServerOrigin, environment: @escaping (String) -> String?
    ) throws(RemoteError) {
        try self.init(server, environment: environment, timeouts: HTTPTimeouts())
    }

    init(
        _ server: ServerOrigin, environment: @escaping (String) -> String?, timeouts: HTTPTimeouts
    ) throws(RemoteError) {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: timeouts.connect, read: timeouts.idle, write: timeouts.idle),
            decompression: .enabled(limit: .size(ServerResponse.maximumSize)))
        configuration.httpVersion = .http1Only
        // The caller retries connections that can succeed later.
        configuration.connectionPool.retryConnectionEstablishment = false
        let proxy = try ProxySettings(environment).proxy(for: server)
        configuration.proxy = proxy.map { proxy in
            .server(
                host: proxy.host, port: proxy.port,
                authorization: proxy.credentials.map { .basic(username: $0.user, password: $0.password) })
        }
        if server.isSecure { configuration.tlsConfiguration = try Self.tlsConfiguration(environment) }
        client = HTTPClient(eventLoopGroupProvider: .shared(Self.eventLoop), configuration: configuration)
        self.server = server
        self.timeouts = timeouts
        self.proxy = proxy.map { "\($0.host):\($0.port)" }
        isPackingWorthIt = !server.isLoopback
    }

    deinit {
        // Nothing waits for the shutdown: the process closes open connections when it exits.
        client.shutdown { _ in }
    }

    private static func tlsConfiguration(
        _ environment: (String) -> String?
    ) throws(RemoteError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        let variable = "SSL_CERT_FILE"
        if let path = environment(variable), !path.isEmpty {
            do {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
            } catch {
                throw .badVariable(.noCertificates(variable: variable, path: path))
            }
        }
        return configuration
    }

    package func send(_ request: ServerRequest) async throws(TransferFailure) -> ServerResponse {
        var message = HTTPClientRequest(url: "\(server)" + request.target)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for header in request.headers { message.headers.add(name: header.name, value: header.value) }
        message.headers.add(name: "accept", value: "application/json")
        message.headers.add(name: "user-agent", value: "todosync")
        // Without this header, the client would request compressed responses.
        message.headers.add(name: "accept-encoding", value: isPackingWorthIt ? "gzip" : "identity")
        if var body = request.body {
            message.headers.add(name: "content-type", value: "application/json")
            if isPackingWorthIt, request.mayBePacked, body.count >= Packing.smallestSize,
                let packed = Packing.packed(body)
            {
                message.headers.add(name: "content-encoding", value: "gzip")
                body = packed
            }
            message.body = .bytes(ByteBuffer(bytes: body))
        }
        do {
            let response = try await client.execute(message, timeout: timeouts.whole)
            return ServerResponse(
                status: Int(response.status.code),
                headers: Headers(response.headers.map { Headers.Field(name: $0.name, value: $0.value) }),
                body: try await collect(response.body))
        } catch {
            var failure = (error as? TransferFailure) ?? TransferFailure(error)
            if let proxy, !failure.wasSent {
                failure.reason = "through the proxy \(proxy): \(failure.reason)"
            }
            throw failure
        }
    }

    /// The number of bytes of a response that were received.
    private final class Received: Sendable {
        let count = Mutex(0)
    }

    /// Reads a whole body; fails if it arrives too slowly.
    private func collect(_ body: HTTPClientResponse.Body) async throws -> [UInt8] {
        let received = Received()
        let (pause, least) = (timeouts.progress, timeouts.leastProgress)
        return try await withThrowingTaskGroup(of: [UInt8].self) { group in
            group.addTask {
                var bytes: [UInt8] = []
                for try await part in body {
                    guard bytes.count + part.readableBytes <= ServerResponse.maximumSize else {
                        throw NIOTooManyBytesError(maxBytes: ServerResponse.maximumSize)
                    }
                    bytes += part.readableBytesView
                    received.count.withLock { $0 = bytes.count }
                }
                return bytes
            }
            group.addTask {
                try await Task.sleep(for: pause)
                while true {
                    let before = received.count.withLock { $0 }
                    try await Task.sleep(for: pause)
                    guard received.count.withLock({ $0 }) - before >= least else {
                        throw TransferFailure(
                            reason: "the response is too slow", wasSent: true, isWorthARetry: false)
                    }
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }
}

/// The timeouts for a server.
struct HTTPTimeouts: Sendable {
    /// The time to establish a connection.
    var connect = TimeAmount.seconds(10)
    /// The maximum time without a byte sent or received.
    var idle = TimeAmount.seconds(60)
    /// The time for a request and its whole response.
    var whole = TimeAmount.minutes(10)
    /// The period for ``leastProgress``; the first period is exempt.
    var progress = Duration.seconds(60)
    /// The minimum number of bytes to receive in each period, decompressed.
    var leastProgress = 64 << 10
}

/// Compresses the bodies of requests with gzip (RFC 1952).
enum Packing {
    /// The smallest size in bytes that is worth compressing.
    static let smallestSize = 4096

    /// Returns the compressed body; nil if it isn't smaller.
    static func packed(_ body: [UInt8]) -> [UInt8]? {
        // The package compresses only data that passes through a channel, so this channel isn't connected to
        // anything.
        let channel = EmbeddedChannel(handler: NIOHTTPRequestCompressor(encoding: .gzip))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        var result: [UInt8] = []
        do {
            try channel.writeOutbound(HTTPClientRequestPart.head(head))
            try channel.writeOutbound(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body))))
            try channel.writeOutbound(HTTPClientRequestPart.end(nil))
            while let part = try channel.readOutbound(as: HTTPClientRequestPart.self) {
                if case .body(.byteBuffer(let bytes)) = part { result += bytes.readableBytesView }
            }
        } catch {
            return nil
        }
        return result.isEmpty || result.count >= body.count ? nil : result
    }
}
