internal import Remotes

/// A request as received on a connection.
struct ReceivedRequest: Sendable {
    var method: String
    var path: String
    var query: String
    /// The host and port that the client used to reach the server; nil if they are missing or invalid.
    var authority: Authority?
    var headers: Headers
    var body: [UInt8]
    var connection: Connection
    /// The client's address, even behind trusted proxies.
    var client: String
    /// The time when the request had arrived.
    let arrival = Arrival.now

    /// A request's connection.
    struct Connection: Sendable {
        var id: OpenConnections.ID
        /// The peer's address.
        var address: String
        var isLoopback: Bool
        var isEncrypted: Bool
        var proxies: [TrustedProxy]
    }

    init(method: String, target: String, headers: Headers, body: [UInt8], connection: Connection) {
        let target = RequestTarget(target)
        self.method = method
        path = target.path
        query = target.query
        let hosts = headers.values("Host")
        authority = (target.authority ?? (hosts.count == 1 ? hosts[0] : nil)).flatMap { Authority($0) }
        self.headers = headers
        self.body = body
        self.connection = connection
        client = connection.proxies.client(
            behind: connection.address, forwardedFor: headers.values("X-Forwarded-For"))
    }

    /// The scheme and authority for links to this server; a proxy's `X-Forwarded-Proto` can set the scheme.
    var origin: String {
        let isEncrypted = connection.isEncrypted || headers["X-Forwarded-Proto"] == "https"
        return (isEncrypted ? "https://" : "http://") + (authority?.description ?? "")
    }

    /// The URL of the server's root, for links to this server.
    ///
    /// Behind a trusted proxy, it includes the prefix that the proxy strips from paths.
    var root: String {
        guard connection.proxies.include(connection.address), let prefix = headers["X-Forwarded-Prefix"],
            let path = PathPrefix(prefix)
        else { return origin }
        return origin + path.string
    }

    /// Whether a proxy forwarded the request.
    var isForwarded: Bool { headers["Forwarded"] != nil || headers["X-Forwarded-For"] != nil }

    /// Whether the client uses version 2 of the tables protocol, and expects error bodies in its format.
    var isVersion2: Bool { Self.isVersion2(header: headers["ZUMO-API-VERSION"], query: query) }

    static func isVersion2(header: String?, query: String) -> Bool {
        let name = "zumo-api-version="
        let parameter = query.lowercased().split(separator: "&").first { $0.hasPrefix(name) }
        return (parameter.map { String($0.dropFirst(name.utf8.count)) } ?? header ?? "").hasPrefix("2.")
    }
}

/// The path prefix that a proxy strips before it forwards requests.
private struct PathPrefix {
    /// The prefix: empty, or segments that each begin with a slash.
    let string: String

    /// Parses a path of percent-encoded segments, with or without a trailing slash; nil for other text.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/-._~%".utf8.contains(byte)
            }
        }
        guard isPlain, text.hasPrefix("/"), !text.hasPrefix("//") else { return nil }
        string = text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

/// The target of a request line, in any of its forms (RFC 9112, section 3.2).
struct RequestTarget {
    /// The path; empty for the authority-form, which is for proxies.
    var path: String
    var query: String
    /// The authority in the absolute-form, which overrides the `Host` header.
    var authority: String?

    init(_ text: String) {
        var rest = text[...]
        if let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) {
            rest = rest.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
            if rest.first != "/" { rest = "/" + rest }
        }
        let end = rest.firstIndex(of: "?") ?? rest.endIndex
        path = rest.hasPrefix("/") || rest == "*" ? String(rest[..<end]) : ""
        query = end < rest.endIndex ? String(rest[rest.index(after: end)...]) : ""
    }
}
