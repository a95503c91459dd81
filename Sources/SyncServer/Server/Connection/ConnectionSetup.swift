internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression

/// Sets up each connection that Hummingbird accepts: TLS, HTTP/1.1, the limits and compression.
struct ConnectionSetup: ServerChildChannel {
    let responder: Responder
    let certificate: ServedCertificate?

    /// The size in bytes below which compressing a response isn't worth the time.
    private static let leastCompressedSize = 1024

    struct Connection: ServerChildChannelValue {
        let channel: any Channel
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
        let connection = open(channel)
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let certificate { try pipeline.addHandler(certificate.makeHandler()) }
            var decoderLimits = NIOHTTPDecoderLimitConfiguration()
            decoderLimits.maxHeaderFieldSize = ConnectionLimits.parser
            decoderLimits.maxHeaderListSize = ConnectionLimits.parser
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: true, withErrorHandling: false, withOutboundHeaderValidation: true,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoderLimits)
            try pipeline.addHandler(ConnectionGuard(responder: responder, connection: connection))
            try pipeline.addHandler(HTTPResponseCompressor(responseCompressionPredicate: compression))
            try pipeline.addHandler(
                NIOHTTPRequestDecompressor(limit: .size(responder.settings.limits.batchBody)))
            try pipeline.addHandler(RequestHandler(responder: responder, connection: connection))
            return Connection(channel: channel)
        }
    }

    /// Adds a connection to the open connections until it closes.
    private func open(_ channel: any Channel) -> ReceivedRequest.Connection {
        let address = channel.remoteAddress
        let text = address?.ipAddress ?? ""
        let isLoopback = address?.isLoopback ?? false
        let proxies = responder.settings.trustedProxies
        let isExempt = isLoopback || proxies.include(text)
        let connections = responder.connections
        let id = connections.open(from: isExempt ? nil : text) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in connections.close(id) }
        return ReceivedRequest.Connection(
            id: id, address: text, isLoopback: isLoopback, isEncrypted: certificate != nil, proxies: proxies)
    }

    func handle(value: Connection, logger: Logger) async {
        await withTaskCancellationHandler {
            try? await value.channel.closeFuture.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }

    private func compression(
        _ head: inout HTTPResponseHead, isSupported: Bool
    ) -> HTTPResponseCompressor.CompressionIntent {
        let size = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard size > Self.leastCompressedSize else { return .doNotCompress }
        let vary = head.headers[canonicalForm: "Vary"] + ["Accept-Encoding"]
        head.headers.replaceOrAdd(name: "Vary", value: vary.joined(separator: ", "))
        return isSupported && responder.compression.take(size) ? .compressIfPossible : .doNotCompress
    }
}

/// The limits of connections: sizes, counts and times.
struct ConnectionLimits: Sendable {
    /// The maximum size of a request's target, in bytes.
    var target = 16 << 10
    /// The maximum size of a request's headers, names and values together, in bytes.
    var header = 32 << 10
    /// The maximum size of a request's body after decompression, in bytes.
    var body = (8 << 20) + (64 << 10)
    /// The maximum size of a batch's body after decompression, in bytes.
    var batchBody = 16 << 20
    /// The maximum memory for all request bodies, the values parsed from them, and all unsent response
    /// bodies, in bytes.
    var allBodies = 512 << 20
    /// The maximum number of open connections, without those that wait for changes.
    ///
    /// A new connection above the limit closes the one whose client is furthest behind.
    var connections = 512
    /// The room for connections that have been asked to close, and for those above the limit while the server
    /// works on a response to all others.
    var closingConnections = 64
    /// The time from the start of a connection to the end of its first request's header.
    var headTime = TimeAmount.seconds(15)
    /// The time from the end of a request's header to the end of its body.
    ///
    /// The time restarts while bytes arrive at ``receivingRate`` or faster.
    var bodyTime = TimeAmount.seconds(60)
    /// The minimum rate of a request's body, in bytes a second.
    var receivingRate = 64 << 10
    /// The time between a response and the next request.
    var idleTime = TimeAmount.seconds(75)
    /// The maximum time for a client to read a response.
    ///
    /// The time restarts while the client reads at ``sendingRate`` or faster.
    var stallTime = TimeAmount.seconds(60)
    /// The minimum rate of a response, in bytes a second: the rate of a slow mobile connection.
    var sendingRate = 16 << 10
    /// The size of the parts in which a response's body is compressed and sent, in bytes.
    ///
    /// Between two parts, the other connections of the thread have their turn.
    static let part = 256 << 10
    /// How far behind the minimum rate a client has to be to lose its connection when memory is short.
    var timeBehind = TimeAmount.seconds(5)
    /// The time that a client has to read the last response while further input is discarded.
    var lingerTime = TimeAmount.seconds(2)
    /// The time that requests in progress have to finish when the server shuts down.
    var shutdownTime = Duration.seconds(10)

    /// The HTTP parser's limit in bytes.
    ///
    /// The limit is larger than ``target`` and ``header``, so that the error can name the part that is too
    /// long.
    static let parser = 96 << 10

    /// Returns the number of bytes that a rate transfers in a time.
    static func bytes(at rate: Int, in time: TimeAmount) -> Int {
        Int(Double(rate) * Double(time.nanoseconds) / 1e9)
    }

    func body(ofTarget target: String) -> Int {
        Route(path: RequestTarget(target).path) == .batch ? batchBody : body
    }
}
