internal import NIOCore
internal import NIOHTTP1

/// Enforces a connection's size and time limits and the rules of HTTP.
///
/// This handler comes before the decompressor and the compressor, so that neither runs for a refused request.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case awaitingHead
        case receiving
        case answering
        /// The last response has been sent; further input is discarded.
        case lingering
    }

    private let responder: Responder
    private let connection: ReceivedRequest.Connection
    private let limits: ConnectionLimits
    private var phase = Phase.awaitingHead
    /// The header of the request that is being received or answered.
    private var head: HTTPRequestHead?
    private var bodyLimit = 0
    private var bodySize = 0
    /// The value of ``bodySize`` when the read timer was last restarted.
    private var formerBodySize = 0
    private var hasBegunAnswer = false
    private var isLastAnswer = false
    /// The timer that fires when a client takes too long to send a request.
    private var readTimer: Scheduled<Void>?
    private var writeTimer: Scheduled<Void>?
    private var unsentAnswers = 0
    private var unsentParts = 0
    /// The size of all parts of bodies so far, sent or not.
    private var writtenSize = 0
    /// The end of a response, held back until the client has read most of the response.
    private var heldEnd: HeldEnd?

    private struct HeldEnd {
        let part: NIOAny
        let isSent: EventLoopPromise<Void>
    }

    init(responder: Responder, connection: ReceivedRequest.Connection) {
        self.responder = responder
        self.connection = connection
        limits = responder.settings.limits
    }

    func channelActive(context: ChannelHandlerContext) {
        responder.metrics.connectionBegan()
        startReadTimer(limits.headTime, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        responder.metrics.connectionEnded()
        readTimer?.cancel()
        writeTimer?.cancel()
        heldEnd?.isSent.fail(ChannelError.ioOnClosedChannel)
        heldEnd = nil
        context.fireChannelInactive()
    }

    // MARK: Inbound requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .lingering else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let part):
            bodySize += part.readableBytes
            responder.connections.moved(
                connection.id, bytes: part.readableBytes, rate: limits.receivingRate)
            guard bodySize <= bodyLimit else {
                return refuse(413, "The request's body is too large.", context)
            }
            context.fireChannelRead(data)
        case .end:
            phase = .answering
            responder.connections.beginAnswer(connection.id)
            readTimer?.cancel()
            context.fireChannelRead(data)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard responder.connections.beginRequest(connection.id) else {
            phase = .lingering
            return context.close(promise: nil)
        }
        phase = .receiving
        self.head = head
        bodySize = 0
        formerBodySize = 0
        bodyLimit = limits.body(ofTarget: head.uri)
        startReadTimer(limits.bodyTime, context)
        if let problem = head.problem(limits, bodyLimit: bodyLimit) {
            return refuse(problem.status, problem.message, context)
        }
        if head.expectsContinue {
            let interim = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
        }
        context.fireChannelRead(wrapInboundOut(.head(head.withPlainEncodings)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        // Invalid input after the last request doesn't affect the response to it.
        case is HTTPParserError where phase == .lingering: break
        case is ByteToMessageDecoderError where phase == .lingering: break
        case HTTPParserError.headerOverflow: refuse(431, "The request's header is too large.", context)
        case is HTTPParserError: refuse(400, "The request is not valid HTTP.", context)
        default: context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        switch phase {
        case .awaitingHead, .receiving, .lingering: context.close(promise: nil)
        case .answering: isLastAnswer = true
        }
    }

    // MARK: Outbound responses

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard phase != .lingering else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let answer):
            hasBegunAnswer = true
            responder.connections.beginSending(connection.id)
            isLastAnswer = isLastAnswer || answer.headers[canonicalForm: "Connection"].contains("close")
            context.write(data, promise: promise)
        case .body(let part): send(data, size: part.readableBytes, promise, context)
        case .end: end(data, promise, context)
        }
    }

    private func send(
        _ part: NIOAny, size: Int, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) {
        unsentParts += 1
        writtenSize += size
        let isSent = promise ?? context.eventLoop.makePromise()
        isSent.futureResult.assumeIsolated().whenComplete { [self] _ in
            unsentParts -= 1
            stopWatchingWriting()
            responder.connections.moved(connection.id, bytes: size, rate: limits.sendingRate)
        }
        context.write(part, promise: isSent)
    }

    /// Ends a response once most of it has been sent.
    ///
    /// The end makes the pipeline deliver the next request. Holding it back keeps a client that doesn't read
    /// from queuing many responses.
    private func end(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        unsentAnswers += 1
        let isSent = promise ?? context.eventLoop.makePromise()
        isSent.futureResult.assumeIsolated().whenComplete { [self] _ in
            unsentAnswers -= 1
            stopWatchingWriting()
            if phase == .lingering { linger(context) }
            if phase == .awaitingHead, unsentAnswers == 0 {
                responder.connections.awaitRequest(connection.id)
            }
        }
        heldEnd = HeldEnd(part: data, isSent: isSent)
        if context.channel.isWritable { releaseEnd(context) } else { flush(context: context) }
    }

    private func releaseEnd(_ context: ChannelHandlerContext) {
        guard let held = heldEnd else { return }
        heldEnd = nil
        hasBegunAnswer = false
        // Do this first, because the write can deliver the next request.
        phase = isLastAnswer ? .lingering : .awaitingHead
        if phase == .awaitingHead { startReadTimer(limits.idleTime, context) }
        context.write(held.part, promise: held.isSent)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, heldEnd != nil {
            releaseEnd(context)
            flush(context: context)
        }
        context.fireChannelWritabilityChanged()
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if hasUnsent, writeTimer == nil { watchWriting(context) }
    }

    /// Responds with an error, without involving the later handlers, and closes the connection.
    private func refuse(_ status: Int, _ message: String, _ context: ChannelHandlerContext) {
        guard !hasBegunAnswer else { return context.close(promise: nil) }
        let response = responder.refuse(
            ReceivedRequest(head, body: [], connection), status, message, receivedBytes: bodySize)
        let answer = HTTPResponse(response, to: head, closing: true)
        isLastAnswer = true
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        if let body = answer.body {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        end(wrapOutboundOut(.end(nil)), nil, context)
        flush(context: context)
    }

    // MARK: Timers

    private func startReadTimer(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        readTimer?.cancel()
        readTimer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            if phase == .receiving, isReceivingFastEnough {
                formerBodySize = bodySize
                startReadTimer(limits.bodyTime, context)
            } else if phase == .receiving {
                refuse(408, "The request took too long to arrive.", context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private var isReceivingFastEnough: Bool {
        bodySize - formerBodySize >= ConnectionLimits.bytes(at: limits.receivingRate, in: limits.bodyTime)
    }

    private var hasUnsent: Bool { unsentAnswers + unsentParts > 0 }

    /// Closes the connection if the client reads what is sent too slowly.
    private func watchWriting(_ context: ChannelHandlerContext) {
        let sent = writtenSize - context.unsentBytes
        writeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: limits.stallTime) { [self] in
            writeTimer = nil
            let least = ConnectionLimits.bytes(at: limits.sendingRate, in: limits.stallTime)
            if writtenSize - context.unsentBytes - sent >= least {
                watchWriting(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    private func stopWatchingWriting() {
        guard !hasUnsent else { return }
        writeTimer?.cancel()
        writeTimer = nil
    }

    /// Closes the connection, but gives the client time to read the last response.
    ///
    /// If bytes arrived after the socket was closed, the system would reset the connection, and the client
    /// could lose the response.
    private func linger(_ context: ChannelHandlerContext) {
        context.close(mode: .output, promise: nil)
        startReadTimer(limits.lingerTime, context)
    }
}

extension ChannelHandlerContext {
    /// The number of bytes that wait to be sent to the client.
    fileprivate var unsentBytes: Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}

extension HTTPRequestHead {
    /// The reason why a request is refused because of its header alone.
    struct Problem {
        var status: Int
        var message: String
    }

    /// Returns the problem with the header; nil if it is valid.
    func problem(_ limits: ConnectionLimits, bodyLimit: Int) -> Problem? {
        if uri.utf8.count > limits.target { return Problem(status: 414, message: "The URL is too long.") }
        if headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) > limits.header {
            return Problem(status: 431, message: "The request's header is too large.")
        }
        guard version == .http1_1 || version == .http1_0 else {
            return Problem(status: 505, message: "This version of HTTP is not supported; use HTTP/1.1.")
        }
        // The values of these two headers are compared in lowercase: HTTP ignores their case.
        let codings = headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
        guard codings.isEmpty || codings == ["chunked"] else {
            return Problem(status: 501, message: "This Transfer-Encoding is not supported; use chunked.")
        }
        let encodings = headers[canonicalForm: "Content-Encoding"].map { $0.lowercased() }
        guard encodings.isEmpty || encodings == ["identity"] || isGzipped else {
            return Problem(status: 415, message: "This Content-Encoding is not supported; use gzip.")
        }
        if let length = headers.first(name: "Content-Length"), (Int(length) ?? .max) > bodyLimit {
            return Problem(status: 413, message: "The request's body is too large.")
        }
        let expectations = headers[canonicalForm: "Expect"].map { $0.lowercased() }
        guard expectations.isEmpty || expectations == ["100-continue"] else {
            return Problem(status: 417, message: "This Expect is not supported; use 100-continue.")
        }
        return nil
    }

    /// Whether the client waits for status 100 (Continue) before it sends the body.
    var expectsContinue: Bool { version == .http1_1 && headers.contains(name: "Expect") }

    /// Whether the connection can carry another request after this one.
    ///
    /// After a request to upgrade the protocol, the parser waits for the upgrade and reads no more HTTP.
    var leavesConnectionOpen: Bool {
        let offersUpgrade = headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
        return isKeepAlive && !offersUpgrade && method != .CONNECT
    }

    /// The header, with `Content-Encoding` and `Accept-Encoding` in the form that the later handlers need.
    ///
    /// Otherwise, the compressor would choose deflate over gzip if the client accepts both equally, and would
    /// compress the absent body of a response to HEAD.
    var withPlainEncodings: HTTPRequestHead {
        var head = self
        if isGzipped { head.headers.replaceOrAdd(name: "Content-Encoding", value: "gzip") }
        if head.headers.contains(name: "Accept-Encoding") {
            let accepted = method != .HEAD && acceptsGzip
            head.headers.replaceOrAdd(name: "Accept-Encoding", value: accepted ? "gzip" : "identity")
        }
        return head
    }

    /// Whether the body is compressed with gzip, which has two names (RFC 9110, section 8.4.1.3).
    private var isGzipped: Bool {
        ["gzip", "x-gzip"].contains(
            headers[canonicalForm: "Content-Encoding"].joined(separator: ",").lowercased())
    }

    private var acceptsGzip: Bool {
        headers[canonicalForm: "Accept-Encoding"].contains { element in
            let parts = element.lowercased().split(separator: ";", omittingEmptySubsequences: false)
                .map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            return quality.map { (Double($0) ?? 0) > 0 } ?? true
        }
    }
}
