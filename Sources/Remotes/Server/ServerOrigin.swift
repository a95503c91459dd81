internal import Platform

/// The scheme, host and port of a server.
///
/// Keys and trust belong to an origin.
///
/// Two origins are equal if they lead to the same server, regardless of their spelling.
package struct ServerOrigin: Sendable, Hashable {
    package let isSecure: Bool
    /// The host in lowercase; an IPv6 address is in its shortest form (RFC 5952), without brackets.
    package let host: String
    package let port: Int

    /// Creates the origin of an HTTP URL, ignoring the rest of the URL; nil if the string is not an HTTP URL.
    package init?(url: String) {
        guard let (origin, _) = Self.split(url) else { return nil }
        self = origin
    }

    private init(isSecure: Bool, host: String, port: Int) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// The scheme in lowercase.
    package var scheme: String { isSecure ? "https" : "http" }

    /// The host and port as in a URL, without the scheme's default port.
    package var authority: String {
        let written = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return written + (port == standardPort ? "" : ":\(port)")
    }

    /// Whether the host is this machine, so no other machine can read the traffic.
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Whether nobody else can read a key that is sent to this origin.
    package var isSafeForKeys: Bool { isSecure || isLoopback }

    private var standardPort: Int { isSecure ? 443 : 80 }

    /// Splits an HTTP URL into its origin and the rest.
    static func split(_ url: String) -> (ServerOrigin, rest: Substring)? {
        guard let mark = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = url[mark.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let (host, port) = hostAndPort(authority) else { return nil }
        let isSecure = scheme == "https"
        return (
            ServerOrigin(isSecure: isSecure, host: host, port: port ?? (isSecure ? 443 : 80)),
            rest.dropFirst(authority.count)
        )
    }

    /// Splits `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`; returns nil for anything else.
    package static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        let found: String?
        let rest: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            found = address(authority[..<end].dropFirst())
            rest = authority[end...].dropFirst()
        } else {
            let name = authority.prefix { $0 != ":" }
            found = Self.name(name)
            rest = authority[name.endIndex...]
        }
        guard let host = found else { return nil }
        if rest.isEmpty { return (host, nil) }
        guard rest.first == ":", rest.dropFirst().utf8.allSatisfy(\.isDecimalDigit),
            let port = Int(rest.dropFirst()), (1...65_535).contains(port)
        else { return nil }
        return (host, port)
    }

    /// Returns a host name or an IPv4 address in lowercase; nil for anything else.
    private static func name(_ text: Substring) -> String? {
        // Longer names can't be looked up (RFC 1035, section 2.3.4).
        guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy(\.isPartOfHost) else { return nil }
        var labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        // A trailing dot makes a name fully qualified. A name with several labels counts as fully qualified
        // without the dot; a single label is looked up in the local network first.
        if labels.count > 2, labels.last == "" { labels.removeLast() }
        let isWhole = labels.count == 2 && labels[1] == ""
        guard labels.dropLast(isWhole ? 1 : 0).allSatisfy({ !$0.isEmpty }) else { return nil }
        return labels.joined(separator: ".")
    }

    /// Returns an IPv6 address in the system's notation; nil for anything else.
    private static func address(_ text: Substring) -> String? {
        var address = in6_addr()
        var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard text.utf8.count < written.count, inet_pton(AF_INET6, String(text), &address) == 1,
            inet_ntop(AF_INET6, &address, &written, socklen_t(written.count)) != nil
        else { return nil }
        return String(decoding: written.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension ServerOrigin: CustomStringConvertible {
    /// The origin as a URL, such as `https://example.org:8443`.
    package var description: String { "\(scheme)://\(authority)" }
}

extension UInt8 {
    var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte can be part of a host name or an address.
    ///
    /// International names are in ASCII form.
    fileprivate var isPartOfHost: Bool {
        isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || "-._".utf8.contains(self)
    }
}

/// The parts of `http(s)://HOST[:PORT][/PREFIX]/tables/TABLE`.
struct ServerURL: Sendable, Hashable {
    let origin: ServerOrigin
    /// The path between the origin and `/tables/`; it is empty or begins with `/`.
    let prefix: String
    let table: TableName
    /// The URL as the user gave it, for messages.
    let string: String

    /// Splits a URL; nil if it is not the URL of a table.
    init?(_ string: String) {
        guard let (origin, path) = ServerOrigin.split(string) else { return nil }
        var names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count >= 3, let table = names.popLast().flatMap({ TableName(String($0)) }),
            names.popLast() == "tables"
        else { return nil }
        self.origin = origin
        self.table = table
        prefix = PercentEncoding.ofPath(names.joined(separator: "/"))
        self.string = string
    }

    /// The path of the table below the prefix.
    var innerPath: String { "/tables/\(table.string)" }
    /// The path of the table in a request.
    var tablePath: String { prefix + innerPath }
}
