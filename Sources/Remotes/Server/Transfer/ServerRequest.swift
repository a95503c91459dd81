internal import LosslessYAML
internal import TodoModel
internal import Values

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

extension ServerResponse {
    /// Reads the body as JSON.
    ///
    /// - Parameter recordDepth: The nesting level of the records. An unreadable record doesn't affect the
    ///   others.
    func json(recordDepth: Int) throws(InvalidResponse) -> Value {
        do {
            // A page of large todos can have more values than a request may have.
            return try JSON.readRecords(
                body, recordDepth: recordDepth, maximumSize: ServerResponse.maximumSize,
                maximumValueCount: 8_000_000)
        } catch {
            throw InvalidResponse("the response is not JSON: \(error.message)")
        }
    }

    /// The version in the header `ETag`.
    var version: Version? { headers["etag"].flatMap(EntityTag.version) }

    /// The server's message in a form that is safe to show; nil if there isn't one.
    var message: String? {
        (body.count <= ServerMessage.maximumSource ? try? JSON.read(body) : nil).flatMap(ServerMessage.text)
    }

    /// The server's message, or the status if there isn't one.
    var words: String { message ?? RemoteError.words(ofStatus: status, message: nil) }
}

/// The message in the body of a server's error.
enum ServerMessage {
    static let maximumSource = 65_536
    private static let maximumLength = 300

    /// Returns the message of an error's body (the member `error`, `message` or `description`, or a string)
    /// on one line, without control characters and of limited length; nil if there isn't one.
    static func text(_ body: Value) -> String? {
        var text: String?
        switch body {
        case .string(let string): text = string
        case .mapping(let mapping):
            for name in ["error", "message", "description"] where text == nil {
                switch mapping[name] {
                case .string(let string): text = string
                // This is the format of OData's errors.
                case .mapping(let inner):
                    if case .string(let string)? = inner["message"] { text = string }
                default: break
                }
            }
        default: break
        }
        return text.map(oneLine).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns text on one line, without control characters and of limited length.
    static func oneLine(_ text: String) -> String {
        let words = text.prefix(4 * maximumLength).unicodeScalars.split { scalar in
            scalar.value <= 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.properties.isBidiControl
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator
        }
        let line = words.map { String($0) }.joined(separator: " ")
        return line.count <= maximumLength ? line : line.prefix(maximumLength) + "…"
    }
}

extension LayoutProperty {
    /// Returns the property; nil for an empty layout.
    static func value(_ layout: Layout, hasDevice: Bool = true) -> Value? {
        var mapping = Mapping()
        mapping["path"] = layout.path.map { .string($0) }
        mapping["yaml"] = layout.yaml.map { .string($0) }
        if mapping.isEmpty { return nil }
        if hasDevice { mapping["device"] = layout.device.map { .string($0) } }
        return .mapping(mapping)
    }
}
