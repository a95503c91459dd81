/// Percent-encoding (RFC 3986, section 2).
enum PercentEncoding {
    /// Encodes what is to stand as one part of a path or as a value in a query.
    static func ofValue(_ text: String) -> String { encoded(text, keeping: \.isUnreserved) }

    /// Encodes what can't stand in a path; what is encoded already stays so.
    static func ofPath(_ text: String) -> String { encoded(text, keeping: \.isPartOfPath) }

    /// Returns the text that was encoded, or nil if that is no UTF-8.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(\.isHexadecimalDigit),
                let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces what is no UTF-8 by another character.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }

    fileprivate var isUnreserved: Bool {
        isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || "-._~".utf8.contains(self)
    }

    fileprivate var isPartOfPath: Bool { isUnreserved || "/%!$&'()*+,;=:@".utf8.contains(self) }
}
