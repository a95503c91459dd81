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
