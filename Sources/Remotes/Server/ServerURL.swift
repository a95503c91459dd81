/// The parts of `http(s)://HOST[:PORT][/PREFIX]/tables/TABLE`.
struct ServerURL: Sendable, Hashable {
    let isSecure: Bool
    /// The host in lower case, an IPv6 address without its brackets.
    let host: String
    let port: Int
    /// Scheme, host and port, the port only where it is not the scheme's own.
    let origin: String
    /// What stands between the origin and `/tables/`, empty or beginning with `/`.
    let prefix: String
    let table: TableName
    /// The URL as the user gave it, for messages.
    let string: String

    /// Takes a URL apart; nil for one whose host or port is none.
    init?(_ string: String) {
        guard let mark = string.firstRange(of: "://") else { return nil }
        let scheme = string[..<mark.lowerBound]
        guard scheme == "http" || scheme == "https" else { return nil }
        isSecure = scheme == "https"
        let rest = string[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let standardPort = isSecure ? 443 : 80
        guard let (host, statedPort) = Self.hostAndPort(authority) else { return nil }
        let port = statedPort ?? standardPort
        self.host = host
        self.port = port
        let written = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        origin = "\(scheme)://\(written)" + (port == standardPort ? "" : ":\(port)")
        var names = rest.dropFirst(authority.count).split(separator: "/", omittingEmptySubsequences: false)
        guard names.count >= 3, let table = names.popLast().flatMap({ TableName(String($0)) }),
            names.popLast() == "tables"
        else { return nil }
        self.table = table
        prefix = PercentEncoding.ofPath(names.joined(separator: "/"))
        self.string = string
    }

    /// The path of the table below what the server's own path is.
    var innerPath: String { "/tables/\(table.string)" }
    /// The path of the table, as a request names it.
    var tablePath: String { prefix + innerPath }

    /// Whether the host is this machine, so that nobody else can listen.
    var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Takes `HOST`, `HOST:PORT` or `[ADDRESS]:PORT` apart; nil for what is none of them.
    static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
        var (host, rest) = (authority, Substring())
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[..<end].dropFirst()
            rest = authority[end...].dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            (host, rest) = (authority[..<colon], authority[colon...])
        }
        guard !host.isEmpty, host.utf8.allSatisfy(\.isPartOfHost) else { return nil }
        if rest.isEmpty { return (host.lowercased(), nil) }
        guard rest.first == ":", rest.dropFirst().utf8.allSatisfy(\.isDecimalDigit),
            let port = Int(rest.dropFirst()), (1...65_535).contains(port)
        else { return nil }
        return (host.lowercased(), port)
    }
}

extension UInt8 {
    var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// What names and addresses of hosts consist of, international names in their ASCII form.
    fileprivate var isPartOfHost: Bool {
        isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || "-._:".utf8.contains(self)
    }
}
