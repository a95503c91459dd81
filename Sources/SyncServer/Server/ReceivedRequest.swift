/// A request as it came from a connection.
struct ReceivedRequest: Sendable {
    var method: String
    var path: String
    var query: String
    /// The host and port by which the client reached the server; nil where it names none or an invalid one.
    var authority: Authority?
    var headers: Headers
    var body: [UInt8]
    var peer: Peer
    /// Whether it came by TLS.
    var isEncrypted: Bool

    /// Who sent it.
    struct Peer: Sendable {
        var address: String
        var isLoopback: Bool
    }

    init(
        method: String, target: String, headers: Headers, body: [UInt8], peer: Peer, isEncrypted: Bool
    ) {
        let target = RequestTarget(target)
        self.method = method
        path = target.path
        query = target.query
        let hosts = headers.values("Host")
        authority = (target.authority ?? (hosts.count == 1 ? hosts[0] : nil)).flatMap { Authority($0) }
        self.headers = headers
        self.body = body
        self.peer = peer
        self.isEncrypted = isEncrypted
    }

    /// Scheme and authority for links that lead back here; behind a proxy, the scheme is what it says.
    var origin: String {
        let isEncrypted = isEncrypted || headers["X-Forwarded-Proto"] == "https"
        return (isEncrypted ? "https://" : "http://") + (authority?.description ?? "")
    }

    /// Whether somebody else's request was passed on by a proxy.
    var isForwarded: Bool { headers["Forwarded"] != nil || headers["X-Forwarded-For"] != nil }

    /// Whether its sender speaks the tables protocol's second version, by which errors have their shape.
    var isVersion2: Bool { Self.isVersion2(header: headers["ZUMO-API-VERSION"], query: query) }

    static func isVersion2(header: String?, query: String) -> Bool {
        let name = "zumo-api-version="
        let parameter = query.lowercased().split(separator: "&").first { $0.hasPrefix(name) }
        return (parameter.map { String($0.dropFirst(name.utf8.count)) } ?? header ?? "").hasPrefix("2.")
    }
}

/// The target of a request line, in the forms that a server meets (RFC 9112, section 3.2).
struct RequestTarget {
    /// Empty for the authority-form, which is for proxies.
    var path: String
    var query: String
    /// What stands before the path in the absolute-form, which takes the place of the `Host` field.
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
