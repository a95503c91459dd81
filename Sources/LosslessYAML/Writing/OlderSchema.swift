/// The values that readers of YAML 1.1, such as PyYAML and Ruby's Psych, give to plain scalars
/// (yaml.org/type).
///
/// The days in `due` (`2026-12-01`) count as strings here, although these readers parse them as dates. They
/// are meant as dates, and todos have always been written this way.
enum OlderSchema {
    /// Returns whether a plain scalar that is a string in YAML 1.2 is a string in YAML 1.1, too.
    ///
    /// - Parameter isKey: Whether the scalar is a key. The keys `y` and `n` count as strings, as they do in
    ///   all known readers, because they are common names.
    static func isString(_ text: UnsafeBufferPointer<UInt8>, isKey: Bool) -> Bool {
        guard let first = text.first else { return false }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), .hyphen, UInt8(ascii: "."):
            return !isNumber(text)
        default: return text.count > 5 || !isWord(text, isKey: isKey)
        }
    }

    /// Returns whether a text is a word for a Boolean or for null, in any letter case as in Psych, or a sign
    /// with a type of its own.
    private static func isWord(_ text: UnsafeBufferPointer<UInt8>, isKey: Bool) -> Bool {
        let lowercase = text.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        return switch String(decoding: lowercase, as: UTF8.self) {
        case "yes", "no", "on", "off", "true", "false", "null", "=", "<<": true
        case "y", "n": !isKey
        default: false
        }
    }

    /// Returns whether a text is a number in YAML 1.1: with `_` between digits, in base 2, 8, 16 or 60, or
    /// with a fraction.
    ///
    /// Psych also reads `1,000` as a number.
    private static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = text[...]
        func skip(_ isIncluded: (UInt8) -> Bool) -> Int {
            let digits = rest.prefix(while: isIncluded)
            rest = rest[digits.endIndex...]
            return digits.count
        }
        _ = skip(isSign)
        if text.count - rest.count > 1 { return false }
        if rest.first == UInt8(ascii: "0"), rest.count > 2 {
            let digits = rest.dropFirst(2)
            switch rest[rest.startIndex + 1] {
            case UInt8(ascii: "b"):
                return digits.allSatisfy { isSpacer($0) || $0 & 0xFE == UInt8(ascii: "0") }
            case UInt8(ascii: "x"): return digits.allSatisfy { isSpacer($0) || $0.hexadecimalDigit != nil }
            default: break
            }
        }
        let wholeDigits = rest.first?.isDigit == true ? skip { $0.isDigit || isSpacer($0) } : 0
        while wholeDigits > 0, rest.first == .colon {
            rest = rest.dropFirst()
            let (begin, digits) = (rest.first, skip(\.isDigit))
            guard digits == 1 || digits == 2 && begin.map({ $0 < UInt8(ascii: "6") }) == true else {
                return false
            }
        }
        var fractionDigits = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fractionDigits = skip { $0.isDigit || isSpacer($0) }
        }
        guard wholeDigits + fractionDigits > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if let first = rest.first, isSign(first) { rest = rest.dropFirst() }
            guard skip(\.isDigit) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func isSign(_ byte: UInt8) -> Bool { byte == .hyphen || byte == UInt8(ascii: "+") }

    private static func isSpacer(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte == .comma }
}
