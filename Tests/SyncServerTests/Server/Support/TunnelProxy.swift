import NIOCore
import NIOPosix
import Synchronization

/// A proxy that tunnels to one port of this machine, whatever host a client requests (RFC 9110, section
/// 9.3.6).
final class TunnelProxy: Sendable {
    let port: Int
    private let received: Received
    private let listener: any Channel

    private final class Received: Sendable {
        let heads = Mutex<[String]>([])
    }

    /// The headers of the requests so far.
    var heads: [String] { received.heads.withLock { $0 } }

    init(to target: Int) async throws {
        let received = Received()
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Tunnel(target: target) { head in received.heads.withLock { $0.append(head) } })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.received = received
        port = listener.localAddress?.port ?? 0
    }

    deinit { listener.close(promise: nil) }
}

/// The client's end of a tunnel: reads the request for it, then forwards data.
private final class Tunnel: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let target: Int
    private let note: (String) -> Void
    private var head = ""
    private var server: (any Channel)?

    init(target: Int, note: @escaping (String) -> Void) {
        self.target = target
        self.note = note
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if let server { return server.writeAndFlush(bytes, promise: nil) }
        head += String(buffer: bytes)
        guard head.hasSuffix("\r\n\r\n") else { return }
        note(head)
        let client = context.channel
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TunnelEnd(client: client))
                }
            }
            .connect(host: "127.0.0.1", port: target)
            .assumeIsolated().whenSuccess { [self] channel in
                server = channel
                context.writeAndFlush(
                    wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n")), promise: nil)
            }
    }

    func channelInactive(context: ChannelHandlerContext) { server?.close(promise: nil) }
}

/// The server's end of a tunnel.
private final class TunnelEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
}
