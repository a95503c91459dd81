internal import Remotes
internal import TodoModel

/// The proxies from the environment variables that curl uses: `HTTPS_PROXY`, `http_proxy`, `ALL_PROXY`,
/// `NO_PROXY`.
struct ProxySettings {
    private let environment: (String) -> String?

    init(_ environment: @escaping (String) -> String?) {
        self.environment = environment
    }

    /// Returns the proxy for a server; nil to connect directly.
    ///
    /// - Throws: ``RemoteError/badVariable(_:)`` if the variable's value is not an HTTP proxy.
    func proxy(for server: ServerOrigin) throws(RemoteError) -> HTTPProxy? {
        // Connections to this machine never use a proxy.
        if server.isLoopback || isExempt(server) { return nil }
        // For http, only the lowercase variable counts: web servers store the request header `Proxy` in
        // HTTP_PROXY.
        let names =
            server.isSecure
            ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            : ["http_proxy", "all_proxy", "ALL_PROXY"]
        for name in names {
            guard let text = environment(name) else { continue }
            // As in curl, an empty variable means no proxy.
            if text.isEmpty { return nil }
            guard let proxy = Self.proxy(text) else {
                throw .badVariable(.notAProxy(variable: name))
            }
            return proxy
        }
        return nil
    }

    private static func proxy(_ text: String) -> HTTPProxy? {
        var rest = text[...]
        if let mark = text.firstRange(of: "://") {
            guard text[..<mark.lowerBound].lowercased() == "http" else { return nil }
            rest = text[mark.upperBound...]
        }
        if rest.last == "/" { rest = rest.dropLast() }
        var credentials: HTTPProxy.Credentials?
        if let mark = rest.lastIndex(of: "@") {
            let parts = rest[..<mark].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = PercentEncoding.decoded(parts[0]),
                let password = parts.count == 2 ? PercentEncoding.decoded(parts[1]) : ""
            else { return nil }
            credentials = .init(user: user, password: password)
            rest = rest[mark...].dropFirst()
        }
        guard let (host, port) = ServerOrigin.hostAndPort(rest) else { return nil }
        // This is curl's default port for proxies.
        return HTTPProxy(host: host, port: port ?? 1080, credentials: credentials)
    }

    /// Returns whether `NO_PROXY` matches the server: `*`, or a list of hosts, which include their
    /// subdomains, with or without a port.
    private func isExempt(_ server: ServerOrigin) -> Bool {
        guard let list = environment("no_proxy") ?? environment("NO_PROXY") else { return false }
        return list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).contains { entry in
            if entry == "*" { return true }
            var name = entry.lowercased()[...]
            if name.hasPrefix("*") { name = name.dropFirst() }
            if name.hasPrefix(".") { name = name.dropFirst() }
            guard let (host, port) = ServerOrigin.hostAndPort(name) else { return false }
            return (port == nil || port == server.port)
                && (server.host == host || server.host.hasSuffix("." + host))
        }
    }
}

/// An HTTP proxy that tunnels connections (RFC 9110, section 9.3.6).
struct HTTPProxy: Sendable, Hashable {
    struct Credentials: Sendable, Hashable {
        var user: String
        var password: String
    }

    var host: String
    var port: Int
    var credentials: Credentials?
}
