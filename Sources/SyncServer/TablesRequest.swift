internal import LosslessYAML
package import Remotes
internal import TodoModel
internal import Values

/// A request of the tables protocol, independent of the HTTP framework.
package struct TablesRequest: Sendable {
    package var method: String
    /// The path below the server's root, percent-encoded as received: `/tables/todoitem/a%20b`.
    package var path: String
    /// The part after the `?`, percent-encoded as received.
    package var query: String
    package var headers: Headers
    package var body: [UInt8]
    /// The URL of the server's root as the client reached it, used for `Location` and `Link`:
    /// `http://127.0.0.1:8080`.
    package var root: String
    /// The name of the client, whose requests share the store's connections with those of others; nil for no
    /// limit.
    package var client: String?
    /// The time when the request had arrived; a query's time counts from then.
    package var arrival: Arrival

    package init(
        method: String, path: String, query: String = "", headers: Headers = Headers(), body: [UInt8] = [],
        root: String, client: String? = nil, arrival: Arrival = .now
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.root = root
        self.client = client
        self.arrival = arrival
    }
}

/// The response to a ``TablesRequest``.
package struct TablesResponse: Sendable {
    package var status: Int
    package var headers: Headers
    package var body: [UInt8]
    /// Returns the next part of a body that is sent while it is being created; nil at its end.
    ///
    /// Without this function, ``body`` is the whole body.
    package var nextPart: (@Sendable () async -> [UInt8]?)?

    package init(status: Int, headers: Headers = Headers(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An error response to a request: a status and a message.
struct Refusal: Error {
    let status: Int
    let message: String
    let headers: [Headers.Field]

    init(_ status: Int, _ message: String, headers: [Headers.Field] = []) {
        self.status = status
        self.message = message
        self.headers = headers + Self.headers(of: status)
    }

    /// Returns the headers for a status: the authentication scheme (RFC 9110, section 11.6.1), or the time to
    /// retry.
    private static func headers(of status: Int) -> [Headers.Field] {
        switch status {
        case 401: [Headers.Field(name: "WWW-Authenticate", value: "Bearer")]
        case 429, 503: [Headers.Field(name: "Retry-After", value: "1")]
        default: []
        }
    }

    /// Returns the refusal of a malformed request, with a sentence that describes the problem and its
    /// location.
    static func malformed(_ message: String) -> Refusal { Refusal(400, message) }
}

extension Refusal {
    /// Creates the refusal for an error in the store.
    ///
    /// The details go to the server's log, not to the client.
    init(storeFailure error: any Error) {
        switch error {
        case RemoteError.otherHistory:
            self.init(410, "The token or the operation is not from this table's history.")
        case RemoteError.store(.notAStore), RemoteError.store(.unsupportedFormat),
            RemoteError.store(.damaged),
            RemoteError.store(.lost):
            self.init(500, "The store can't be used; ask the server's administrator.")
        default: self.init(503, "The store can't be used at the moment; try again later.")
        }
    }

    /// Creates the refusal of a query that the store doesn't run beside others.
    init(_ refusal: ReadRefusal) {
        switch refusal {
        case .ownReads:
            self.init(429, "Too many queries of this client are running; try again later.")
        case .allReads: self.init(503, "The server is busy with queries; try again later.")
        }
    }

    static let unauthorized = Refusal(401, "Unauthorized")

    /// A refusal that only the log shows, with the usual status 499.
    static let clientIsGone = Refusal(499, "The client closed the connection.")

    static func noSuchTable(_ name: String) -> Refusal {
        Refusal(404, "Table '\(name.shortened)' does not exist.")
    }

    static func noSuchRecord(_ id: String) -> Refusal {
        Refusal(404, "An item with id '\(id.shortened)' does not exist.")
    }
}

extension Refusal {
    /// Returns the refusal as a response.
    ///
    /// Clients of both flavors read `error`; clients of the first v2 server read `message`.
    func response(_ flavor: Flavor) -> TablesResponse {
        var body: [UInt8] = []
        JSON.write(.mapping(members(flavor)), to: &body)
        return TablesResponse(status: status, headers: Headers(headers), body: body)
    }

    /// Returns the members of an error's body; clients of v1 recognize messages by their beginning.
    func members(_ flavor: Flavor) -> Mapping {
        let text = flavor == .v1 ? "Error: \(message)" : message
        return [
            "code": .number(Number(status)), "error": .string(text), "message": .string(text),
        ]
    }
}

extension String {
    /// The text, limited to 255 characters, for quoting it in a message.
    var shortened: String {
        unicodeScalars.count <= 255
            ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(255))) + "…"
    }
}
