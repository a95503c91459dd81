internal import NIOCore
internal import NIOEmbedded
internal import NIOHTTP1
internal import NIOHTTPCompression

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
