internal import Platform

/// A proxy, or a network of proxies, that is believed when it says for whom it speaks.
package struct TrustedProxy: Sendable, Hashable {
    private let network: IPAddress
    /// The bits that an address has in common with ``network``.
    private let length: Int

    /// Reads an address, as `192.0.2.1` or `::1`, or a network, as `192.0.2.0/24`; nil if it is neither.
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

    /// Returns the address from which a request comes: the one at the connection's other end or, while that
    /// is a trusted proxy's, the one for which the proxy says that it speaks.
    ///
    /// - Parameter forwardedFor: the values of `X-Forwarded-For`; each proxy adds an address at the end.
    func client(behind peer: String, forwardedFor: [String]) -> String {
        var client = peer
        for element in forwardedFor.joined(separator: ",").split(separator: ",").reversed() {
            guard include(client), let address = Self.address(String(element).trimmedOfBlanks) else { break }
            client = address
        }
        return client
    }

    /// Reads an address, which some proxies write with its port.
    private static func address(_ text: String) -> String? {
        if IPAddress(text) != nil { return text }
        return Authority(text).flatMap { IPAddress($0.host) == nil ? nil : $0.host }
    }
}

/// The bytes of an address, four or sixteen.
private struct IPAddress: Hashable {
    private let bytes: [UInt8]

    /// An address of IPv4 that is written as one of IPv6, as `::ffff:192.0.2.1`, is one of IPv4.
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
