/// Sends requests to one server; a layer for HTTP below ``HTTPRemote``.
package protocol ServerTransport: Sendable {
    /// Sends a request once, and returns the response, whatever its status is.
    func send(_ request: ServerRequest) async throws(TransferFailure) -> ServerResponse
}

/// A request to a server.
package struct ServerRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method = Method.get
    /// The path and query, percent-encoded.
    package var target: String
    package var headers: [(name: String, value: String)] = []
    /// The body as JSON.
    package var body: [UInt8]?
    /// Whether the server is known to accept a compressed body.
    package var mayBePacked = false
}

/// A server's response to a request.
package struct ServerResponse: Sendable {
    /// The maximum size of a response's body in bytes, decompressed.
    package static let maximumSize = 64 << 20

    var status: Int
    var headers: Headers
    var body: [UInt8]

    package init(status: Int, headers: Headers, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The statuses of responses to requests that can succeed later.
    static let temporaryStatuses: Set = [408, 429, 500, 502, 503, 504]

    var isTemporaryFailure: Bool { Self.temporaryStatuses.contains(status) }
}

/// The reason why a request got no response.
package struct TransferFailure: Error, Sendable, Hashable {
    /// The reason, phrased to follow "can't be reached: ".
    package var reason: String
    /// Whether the server might have received the request.
    package var wasSent: Bool
    /// Whether the same request can succeed if it is retried at once.
    var isWorthARetry: Bool
    /// Whether the response is larger than the maximum size.
    package var isTooLarge = false

    package init(reason: String, wasSent: Bool, isWorthARetry: Bool) {
        self.reason = reason
        self.wasSent = wasSent
        self.isWorthARetry = isWorthARetry
    }
}
