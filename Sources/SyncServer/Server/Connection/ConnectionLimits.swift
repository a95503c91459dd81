internal import NIOCore

/// What a connection may take of a server.
struct ConnectionLimits: Sendable {
    /// Bytes of a request's target.
    var target = 16 << 10
    /// Bytes of a request's header fields, names and values.
    var header = 32 << 10
    /// Bytes of a request's body, after decompression.
    var body = (8 << 20) + (64 << 10)
    /// Bytes of the body of a batch, after decompression.
    var batchBody = 16 << 20
    /// Bytes that the bodies of all requests take at once, with what is read from them, and those of answers
    /// that wait to be sent.
    var allBodies = 512 << 20
    /// Connections that may stay open at once.
    ///
    /// One more is let in, and has one closed that waits for a request; where none waits, others wait until
    /// one ends.
    var connections = 512
    /// The time from a connection's begin to the end of its first request's header.
    var headTime = TimeAmount.seconds(15)
    /// The time from the end of a request's header to the end of its body, given again as long as bytes come
    /// at ``receivingRate``.
    var bodyTime = TimeAmount.seconds(60)
    /// Bytes a second.
    var receivingRate = 64 << 10
    /// The time between an answer and the next request.
    var idleTime = TimeAmount.seconds(75)
    /// The time in which a client takes what waits to be sent, given again as long as it takes it at
    /// ``sendingRate``.
    var stallTime = TimeAmount.seconds(60)
    /// Bytes a second: those of a telephone in bad weather.
    var sendingRate = 16 << 10
    /// The time that a client has to read a last answer, while what it still sends is thrown away.
    var lingerTime = TimeAmount.seconds(2)
    /// The time that is given at the end of the server to what is under way.
    var shutdownTime = Duration.seconds(10)

    /// The parser's own bound, above ``target`` and ``header``, so that it is known which was too long.
    static let parser = 96 << 10

    /// Returns the bytes that come or go in a time at a rate.
    static func bytes(at rate: Int, in time: TimeAmount) -> Int {
        Int(Double(rate) * Double(time.nanoseconds) / 1e9)
    }

    func body(ofTarget target: String) -> Int {
        Route(path: RequestTarget(target).path) == .batch ? batchBody : body
    }
}
