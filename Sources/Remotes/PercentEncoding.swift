internal import LosslessYAML

/// Percent-encoding (RFC 3986, section 2).
package enum PercentEncoding {
    /// Encodes a single component of a path, or a value in a query.
    package static func ofValue(_ text: String) -> String { encoded(text, keeping: \.isUnreserved) }

    /// Encodes the characters that a path can't contain, and keeps existing escapes.
    static func ofPath(_ text: String) -> String { encoded(text, keeping: \.isPartOfPath) }

    /// Encodes a path component, or a name or value in a query, for a link that people read: the names of
    /// OData's options and literals stay readable.
    package static func ofLink(_ text: String) -> String { encoded(text, keeping: \.isPlainInLink) }

    /// Returns the decoded text; nil for a `%` without two digits or for invalid UTF-8.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in forms.
    package static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var iterator = text.utf8.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next()?.hexadecimalDigit,
                    let low = iterator.next()?.hexadecimalDigit
                else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else {
                bytes += "%\(byte.hexadecimal(width: 2, uppercase: true))".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || "-._~".utf8.contains(self)
    }

    fileprivate var isPlainInLink: Bool { isUnreserved || "$'()*".utf8.contains(self) }

    fileprivate var isPartOfPath: Bool { isUnreserved || "/%!$&'()*+,;=:@".utf8.contains(self) }
}
