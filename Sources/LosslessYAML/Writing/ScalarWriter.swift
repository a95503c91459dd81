/// Writes scalars and keys on one line.
enum ScalarWriter {
    /// Returns a string's spelling, in the preferred style if that style can represent it on one line.
    static func string(
        _ string: String, preferring style: Node.ScalarStyle = .plain, inFlow: Bool, isKey: Bool = false
    ) -> [UInt8] {
        let isPrintable = string.unicodeScalars.allSatisfy(\.isPrintable)
        switch style {
        case .doubleQuoted: return doubleQuoted(string)
        case .singleQuoted where isPrintable: return singleQuoted(string)
        default:
            if isPrintable, canBePlain(string, inFlow: inFlow, isKey: isKey) { return Array(string.utf8) }
            let wouldNeedEscapes = string.utf8.contains {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
            }
            let isBetterSingle = wouldNeedEscapes && !string.utf8.contains(UInt8(ascii: "'"))
            return isPrintable && isBetterSingle ? singleQuoted(string) : doubleQuoted(string)
        }
    }

    /// Returns a key's spelling, preceded by `? ` if the key is too long for libyaml to find its `:`.
    static func key(
        _ key: String, preferring style: Node.ScalarStyle = .plain, inFlow: Bool
    ) -> [UInt8] {
        let begins: (StaticString) -> Bool = { marker in
            key.utf8.starts(
                with: UnsafeBufferPointer(start: marker.utf8Start, count: marker.utf8CodeUnitCount))
        }
        // At the start of a line, the key would be a document marker.
        let isMarker = begins("---") || begins("...")
        let spelling = string(key, preferring: isMarker ? .doubleQuoted : style, inFlow: inFlow, isKey: true)
        let longestImplicitKey = 1000
        return spelling.count > longestImplicitKey ? [.questionMark, .space] + spelling : spelling
    }

    /// Returns the spelling of a scalar that isn't a string.
    fileprivate static func nonString(_ value: Value) -> [UInt8]? {
        switch value {
        case .null: Array("null".utf8)
        case .bool(let bool): Array((bool ? "true" : "false").utf8)
        case .number(let number): Array(number.json.utf8)
        case .string, .list, .mapping: nil
        }
    }

    /// Returns whether a printable string keeps its value without quotes, in YAML 1.1 and 1.2.
    private static func canBePlain(_ string: String, inFlow: Bool, isKey: Bool) -> Bool {
        var string = string
        return string.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last, !first.isIndicator else { return false }
            if first == .hyphen, bytes.count == 1 || bytes[1] == .space { return false }
            if first == .space || last == .space || last == .colon { return false }
            for (position, byte) in bytes.enumerated() {
                switch byte {
                case .colon:
                    if inFlow || bytes[position + 1] == .space { return false }
                case .hash:
                    if inFlow || bytes[position - 1] == .space { return false }
                case .comma, .openBracket, .closeBracket, .openBrace, .closeBrace:
                    if inFlow { return false }
                default: break
                }
            }
            guard case .string = try? CoreSchema.resolve(bytes) else { return false }
            return OlderSchema.isString(bytes, isKey: isKey)
        }
    }

    private static func singleQuoted(_ string: String) -> [UInt8] {
        let quote = UInt8(ascii: "'")
        return [quote] + string.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    private static func doubleQuoted(_ string: String) -> [UInt8] {
        var result = [UInt8(ascii: "\"")]
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += Array("\\\"".utf8)
            case "\\": result += Array("\\\\".utf8)
            case "\n": result += Array("\\n".utf8)
            case "\t": result += Array("\\t".utf8)
            case "\r": result += Array("\\r".utf8)
            case "\0": result += Array("\\0".utf8)
            default:
                if scalar.isPrintable {
                    result += Array(String(Character(scalar)).utf8)
                } else {
                    result += escape(scalar)
                }
            }
        }
        result.append(UInt8(ascii: "\""))
        return result
    }

    private static func escape(_ scalar: Unicode.Scalar) -> [UInt8] {
        let (letter, length) = scalar.value <= 0xFF ? ("x", 2) : scalar.value <= 0xFFFF ? ("u", 4) : ("U", 8)
        return Array("\\\(letter)\(scalar.value.hexadecimal(width: length))".utf8)
    }
}

extension UInt8 {
    /// Whether a string that begins with the byte is always quoted.
    fileprivate var isIndicator: Bool {
        switch self {
        case .questionMark, .colon, .comma, .openBracket, .closeBracket, .openBrace, .closeBrace, .hash,
            .ampersand,
            UInt8(ascii: "*"), .exclamationMark, UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "'"),
            UInt8(ascii: "\""), UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
            true
        default: false
        }
    }
}

/// The values that readers of YAML 1.1, such as PyYAML and Ruby's Psych, give to plain scalars
/// (yaml.org/type).
///
/// The days in `due` (`2026-12-01`) count as strings here, although these readers parse them as dates. They
/// are meant as dates, and todos have always been written this way.
private enum OlderSchema {
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

/// Writes values on one line, with collections in flow style.
enum FlowWriter {
    /// Returns a value's spelling.
    ///
    /// - Parameters:
    ///   - inFlow: Whether the value goes between brackets or braces.
    ///   - isJSON: Whether to write all keys and strings in double quotes.
    static func value(
        _ value: Value, preferring style: Node.ScalarStyle = .plain, inFlow: Bool, isJSON: Bool = false
    ) -> [UInt8] {
        switch value {
        case .null, .bool, .number: ScalarWriter.nonString(value) ?? []
        case .string(let string):
            ScalarWriter.string(string, preferring: isJSON ? .doubleQuoted : style, inFlow: inFlow)
        case .list(let list):
            [.openBracket] + joined(list.map { Self.value($0, inFlow: true, isJSON: isJSON) })
                + [.closeBracket]
        case .mapping(let mapping):
            [.openBrace] + joined(mapping.entries.map { entry($0, isJSON: isJSON) }) + [.closeBrace]
        }
    }

    static func entry(_ entry: Mapping.Entry, isJSON: Bool) -> [UInt8] {
        let key = ScalarWriter.key(entry.key, preferring: isJSON ? .doubleQuoted : .plain, inFlow: true)
        // An alias and a `?` key need the space before the colon; other keys look better without it.
        let colon = key.first == .questionMark ? " : " : ": "
        return key + Array(colon.utf8) + value(entry.value, inFlow: true, isJSON: isJSON)
    }

    static func joined(_ elements: [[UInt8]]) -> [UInt8] {
        Array(elements.joined(separator: [.comma, .space]))
    }
}
