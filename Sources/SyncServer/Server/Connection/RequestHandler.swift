internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import Remotes

/// Collects a request's parts, passes the request to the responder, and sends the response.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let responder: Responder
    private let connection: ReceivedRequest.Connection
    /// The header of the request that is being received.
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var limit = 0
    /// Whether the sender of a request that is still being received was checked.
    private var isAdmitted = false
    /// The number of requests so far, which keeps a late result for one request from being used for the next.
    private var count = 0
    /// The task that computes the response to the current request.
    private var answering: Task<Void, Never>?

    private static let firstCapacity = 1 << 20

    init(responder: Responder, connection: ReceivedRequest.Connection) {
        self.responder = responder
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            limit = responder.settings.limits.body(ofTarget: head.uri)
            let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
            body.reserveCapacity(min(announced, limit, Self.firstCapacity))
            count += 1
            isAdmitted = false
        case .body(let part):
            guard head != nil else { return }
            guard body.count + part.readableBytes <= limit else {
                return refuse(413, "The request's body is too large.", context)
            }
            guard take(part.readableBytes) else {
                return refuse(503, "The server is busy with large requests; try again later.", context)
            }
            body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head else { return }
            answer(head, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // The sender of a request that has arrived as a whole is checked only when it is answered.
        if let head, !isAdmitted {
            isAdmitted = true
            admit(head, context)
        }
        context.fireChannelReadComplete()
    }

    /// Refuses a request whose body the decompressor can't read.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard head != nil else { return context.close(promise: nil) }
        switch error {
        case NIOHTTPDecompression.DecompressionError.limit:
            refuse(413, "The request's body is too large.", context)
        default:
            refuse(400, "The request's body doesn't match its Content-Encoding.", context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        drop()
        answering?.cancel()
        context.fireChannelInactive()
    }

    /// Refuses a request before its body arrives if its sender has no access at all.
    private func admit(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let request = ReceivedRequest(head, body: [], connection)
        let number = count
        let promise = context.eventLoop.makePromise(of: TablesResponse?.self)
        promise.completeWithTask { [responder] in await responder.earlyRefusal(of: request) }
        promise.futureResult.assumeIsolated().whenSuccess { [self] response in
            guard let response, count == number, self.head != nil else { return }
            drop()
            responder.log(response, to: request, seconds: 0)
            send(response, to: head, closing: true, context)
        }
    }

    /// Reserves memory; if there isn't enough, returns false and makes room for later requests.
    private func take(_ count: Int) -> Bool {
        if responder.memory.take(count) { return true }
        responder.connections.closeSlow(behindBy: responder.settings.limits.timeBehind)
        return false
    }

    private func drop() {
        responder.memory.give(body.count)
        head = nil
        body = []
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let body = body
        let need = BodyMemory.need(ofReading: body)
        guard take(need) else {
            return refuse(503, "The server is busy with large requests; try again later.", context)
        }
        self.head = nil
        self.body = []
        let request = ReceivedRequest(head, body: body, connection)
        let promise = context.eventLoop.makePromise(of: TablesResponse.self)
        answering = promise.completeWithTask { [responder] in await responder.respond(to: request) }
        promise.futureResult.assumeIsolated().whenSuccess { [self] response in
            answering = nil
            responder.memory.give(body.count + need)
            send(response, to: head, closing: false, context)
            if let nextPart = response.nextPart {
                sendParts(nextPart, NIOLoopBound(context, eventLoop: context.eventLoop))
            }
        }
    }

    /// Sends a body part by part until its end, or until the connection is closed.
    private func sendParts(
        _ nextPart: @escaping @Sendable () async -> [UInt8]?, _ context: NIOLoopBound<ChannelHandlerContext>
    ) {
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        answering = Task { [responder] in
            while let part = await nextPart(), !Task.isCancelled {
                guard responder.memory.take(part.count) else { break }
                defer { responder.memory.give(part.count) }
                do {
                    try await eventLoop.flatSubmit {
                        handler.value.send(ByteBuffer(bytes: part), context.value)
                    }.get()
                } catch {
                    return
                }
            }
            eventLoop.execute { handler.value.endParts(context.value) }
        }
    }

    private func send(_ part: ByteBuffer, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part))))
    }

    private func endParts(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        answering = nil
        responder.connections.endWatching(connection.id)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Refuses a request before its end, and ignores the rest.
    private func refuse(_ status: Int, _ message: String, _ context: ChannelHandlerContext) {
        guard let head else { return }
        let received = body.count
        drop()
        let response = responder.refuse(
            ReceivedRequest(head, body: [], connection), status, message, receivedBytes: received)
        send(response, to: head, closing: true, context)
    }

    private func send(
        _ response: TablesResponse, to head: HTTPRequestHead, closing: Bool, _ context: ChannelHandlerContext
    ) {
        var answer = HTTPResponse(response, to: head, closing: closing)
        var size = answer.body?.readableBytes ?? 0
        if !take(size) {
            size = 0
            let refusal = responder.refusal(
                of: ReceivedRequest(head, body: [], connection), 503,
                "The server is busy with large responses; try again later.")
            answer = HTTPResponse(refusal, to: head, closing: closing)
        }
        let isSent = context.eventLoop.makePromise(of: Void.self)
        isSent.futureResult.whenComplete { [size, memory = responder.memory] _ in memory.give(size) }
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        if response.nextPart != nil {
            isSent.succeed()
            return context.flush()
        }
        send(answer.body ?? ByteBuffer(), isSent, context)
    }

    /// Sends a body part by part, and then the end of the response.
    private func send(_ body: ByteBuffer, _ isSent: EventLoopPromise<Void>, _ context: ChannelHandlerContext)
    {
        var rest = body
        let size = ConnectionLimits.part
        guard rest.readableBytes > size, let part = rest.readSlice(length: size) else {
            if rest.readableBytes > 0 {
                context.write(wrapOutboundOut(.body(.byteBuffer(rest))), promise: nil)
            }
            return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: isSent)
        }
        send(part, context).assumeIsolated().whenComplete { [self, rest] result in
            switch result {
            case .success: send(rest, isSent, context)
            case .failure(let error): isSent.fail(error)
            }
        }
    }
}

extension ReceivedRequest {
    /// Creates a request from its header; the header is nil if it couldn't be read.
    init(_ head: HTTPRequestHead?, body: [UInt8], _ connection: Connection) {
        let fields = head?.headers.map { Headers.Field(name: $0.name, value: $0.value) } ?? []
        self.init(
            method: head?.method.rawValue ?? "-", target: head?.uri ?? "", headers: Headers(fields),
            body: body,
            connection: connection)
    }
}

extension HTTPRequestHead {
    var isVersion2: Bool {
        ReceivedRequest.isVersion2(
            header: headers.first(name: "ZUMO-API-VERSION"), query: RequestTarget(uri).query)
    }
}

/// A response in the parts that NIO sends.
struct HTTPResponse {
    var head: HTTPResponseHead
    var body: ByteBuffer?

    /// Creates the response to a request; the request's header is nil if it couldn't be read.
    init(_ response: TablesResponse, to request: HTTPRequestHead?, closing: Bool) {
        var headers = HTTPHeaders(response.headers.fields.map { ($0.name, $0.value) })
        let status = HTTPResponseStatus(statusCode: response.status)
        if response.nextPart != nil {
            // NIO sends the body in chunks, or until the end of the connection to a client of HTTP/1.0.
            headers.remove(name: "Content-Length")
        } else if status.mayHaveResponseBody {
            headers.replaceOrAdd(name: "Content-Length", value: String(response.body.count))
            if request?.method != .HEAD, !response.body.isEmpty { body = ByteBuffer(bytes: response.body) }
        }
        if closing || response.headers["Connection"] == "close" || request?.leavesConnectionOpen != true {
            headers.replaceOrAdd(name: "Connection", value: "close")
        } else if request?.version == .http1_0 {
            headers.replaceOrAdd(name: "Connection", value: "keep-alive")
        }
        head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
