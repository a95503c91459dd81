/// Base64 (RFC 4648, section 4), for the few bytes of a version.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                let isPadding = place > group.count
                text.append(isPadding ? padding : alphabet[bits >> (18 - 6 * place) & 0x3F])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes; nil if the text is not a result of ``encode(_:)``.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var digits = 0
        for character in text.utf8.prefix(while: { $0 != padding }) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | value
            digits += 1
            if digits % 4 == 0 {
                bytes += [UInt8(bits >> 16), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
                bits = 0
            }
        }
        switch digits % 4 {
        case 2: bytes.append(UInt8(bits >> 4))
        case 3: bytes += [UInt8(bits >> 10), UInt8(bits >> 2 & 0xFF)]
        default: break
        }
        return encode(bytes) == text ? bytes : nil
    }
}
