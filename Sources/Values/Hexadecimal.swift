internal import LosslessYAML

extension UInt8 {
    /// Creates the ASCII digit, in lowercase, for a number from 0 to 15.
    package init(hexadecimalDigitOf value: UInt8) {
        self = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension Sequence<UInt8> {
    /// The bytes as hexadecimal digits in lowercase.
    package var hexadecimal: String {
        let digits = flatMap { [UInt8(hexadecimalDigitOf: $0 >> 4), UInt8(hexadecimalDigitOf: $0 & 15)] }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Parses hexadecimal digits in uppercase or lowercase; nil if there is any other character or an odd
    /// number of digits.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap(\.hexadecimalDigit)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
