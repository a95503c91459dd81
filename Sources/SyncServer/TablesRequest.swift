package import Remotes

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
