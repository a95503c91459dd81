internal import NIOHTTP1

/// A request to a server.
struct ServerRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    var method = Method.get
    /// The path and query, percent-encoded.
    var target: String
    var headers: [(name: String, value: String)] = []
    /// The body as JSON.
    var body: [UInt8]?
    /// Whether the server is known to accept a compressed body.
    var mayBePacked = false
}

/// A server's response to a request.
struct ServerResponse: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The statuses of responses to requests that can succeed later.
    static let temporaryStatuses: Set = [408, 429, 500, 502, 503, 504]

    var isTemporaryFailure: Bool { Self.temporaryStatuses.contains(status) }
}

/// The reason why a request got no response.
struct TransferFailure: Error, Sendable, Hashable {
    /// The reason, phrased to follow "can't be reached: ".
    var reason: String
    /// Whether the server might have received the request.
    var wasSent: Bool
    /// Whether the same request can succeed if it is retried at once.
    var isWorthARetry: Bool
    /// Whether the response is larger than the maximum size.
    var isTooLarge = false
}
