internal import Platform

/// A proxy, or a network of proxies, whose `X-Forwarded-For` header is trusted.
package struct TrustedProxy: Sendable, Hashable {
    private let network: IPAddress
    /// The length of the network's prefix, in bits.
    private let length: Int

    /// Parses an address, such as `192.0.2.1` or `::1`, or a network, such as `192.0.2.0/24`; nil for other
    /// text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let network = IPAddress(parts[0]) else { return nil }
        self.network = network
        guard parts.count == 2 else {
            length = network.bitCount
            return
        }
        guard (1...3).contains(parts[1].utf8.count), let length = Int(parts[1]),
            (0...network.bitCount).contains(length)
        else { return nil }
        self.length = length
    }

    fileprivate func includes(_ address: IPAddress) -> Bool {
        guard address.bitCount == network.bitCount else { return false }
        return (0..<length).allSatisfy { address.bit($0) == network.bit($0) }
    }
}

extension [TrustedProxy] {
    func include(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return contains { $0.includes(address) }
    }

    /// Returns the address of a request's client.
    ///
    /// This is the connection's peer. If the peer is a trusted proxy, it is the last address in
    /// `X-Forwarded-For` that doesn't belong to a trusted proxy.
    /// - Parameter forwardedFor: The values of `X-Forwarded-For`; each proxy appends an address.
    func client(behind peer: String, forwardedFor: [String]) -> String {
        var client = peer
        for element in forwardedFor.joined(separator: ",").split(separator: ",").reversed() {
            guard include(client), let address = Self.address(String(element).trimmedOfBlanks) else { break }
            client = address
        }
        return client
    }

    /// Parses an address, with or without a port, because some proxies append the port.
    private static func address(_ text: String) -> String? {
        if IPAddress(text) != nil { return text }
        return Authority(text).flatMap { IPAddress($0.host) == nil ? nil : $0.host }
    }
}

/// The bytes of an address: four for IPv4, sixteen for IPv6.
private struct IPAddress: Hashable {
    private let bytes: [UInt8]

    /// Parses an address.
    ///
    /// An IPv4-mapped IPv6 address, such as `::ffff:192.0.2.1`, becomes an IPv4 address.
    init?(_ text: some StringProtocol) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, String(text), &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, String(text), &bytes) == 1 {
            let isOfVersion4 = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
            self.bytes = isOfVersion4 ? Array(bytes.suffix(4)) : bytes
        } else {
            return nil
        }
    }

    var bitCount: Int { 8 * bytes.count }

    func bit(_ index: Int) -> Bool { bytes[index / 8] & (0x80 >> (index % 8)) != 0 }
}
