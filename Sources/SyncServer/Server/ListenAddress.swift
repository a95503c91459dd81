/// The address that a server listens on: a host of this machine and a port, where 0 picks a free port.
package struct ListenAddress: Sendable, Hashable {
    /// A name, or an address without brackets.
    package let host: String
    package let port: Int

    package static let standard = ListenAddress(host: "127.0.0.1", port: 8080)

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses `HOST:PORT`, such as `127.0.0.1:8080` or `[::1]:0`; nil for other text.
    package init?(_ text: String) {
        guard let authority = Authority(text), let port = authority.port else { return nil }
        self.init(host: authority.host, port: port)
    }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool { Authority(description)?.isLoopback == true }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
