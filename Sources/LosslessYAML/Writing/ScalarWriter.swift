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
    static func nonString(_ value: Value) -> [UInt8]? {
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
