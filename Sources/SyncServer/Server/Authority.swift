internal import NIOCore

/// A host and an optional port, such as `example.org:8080` and `[::1]:8080` (RFC 3986, section 3.2).
struct Authority: Sendable, Hashable {
    /// A name in lowercase, or an address without brackets.
    var host: String
    var port: Int?

    /// Parses the value of a `Host` header or a user's input; nil if it is not valid.
    init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let hostEnd: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = String(decoding: bytes[1..<end], as: UTF8.self).lowercased()
            hostEnd = end + 1
            guard host.contains(":"), (try? SocketAddress(ipAddress: host, port: 0)) != nil else {
                return nil
            }
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard hostEnd > 0, bytes[..<hostEnd].allSatisfy(\.isPartOfName) else { return nil }
            host = String(decoding: bytes[..<hostEnd], as: UTF8.self).lowercased()
        }
        guard hostEnd < bytes.count else { return }
        let digits = bytes[(hostEnd + 1)...]
        guard bytes[hostEnd] == UInt8(ascii: ":"), (1...5).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(String(decoding: digits, as: UTF8.self)), number <= 65_535
        else { return nil }
        port = number
    }

    /// Whether the host is `localhost` or a loopback address, which DNS can't point to another machine.
    var isLoopback: Bool {
        host == "localhost" || (try? SocketAddress(ipAddress: host, port: 0))?.isLoopback == true
    }
}

extension Authority: CustomStringConvertible {
    var description: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }
}

extension SocketAddress {
    /// Whether the address is a loopback address, which other machines can't reach.
    var isLoopback: Bool {
        guard let address = ipAddress else { return false }
        return address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }
}

extension UInt8 {
    fileprivate var isPartOfName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(self)
        }
    }
}

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
