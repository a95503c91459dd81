internal import LosslessYAML
internal import TodoModel
internal import Values

/// A token of a `$filter` or `$orderby`.
enum ODataToken: Equatable {
    case identifier(String)
    case literal(FilterExpression.Literal)
    case openParenthesis, closeParenthesis, comma, slash, minus
    case end
}

/// Splits a `$filter` or `$orderby` into tokens.
struct ODataLexer {
    /// The maximum size of the text in bytes: 16 KiB.
    static let maximumSize = 16 << 10

    private let bytes: [UInt8]
    private var position = 0
    /// The next token and its offset.
    private(set) var token = ODataToken.end
    private(set) var offset = 0

    init(_ text: String) throws(ODataProblem) {
        bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumSize else {
            throw ODataProblem(message: "more than \(Self.maximumSize) bytes", offset: Self.maximumSize)
        }
        try advance()
    }

    /// Whether the next token is directly followed by a parenthesis, as a function's name is.
    var isBeforeParenthesis: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "(") }

    /// Moves to the next token.
    mutating func advance() throws(ODataProblem) {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        offset = position
        guard position < bytes.count else {
            token = .end
            return
        }
        token = try read()
    }

    func problem(_ what: String, at offset: Int) -> ODataProblem {
        let position = String(decoding: bytes.prefix(offset), as: UTF8.self).unicodeScalars.count + 1
        return ODataProblem(message: "\(what), at character \(position)", offset: offset)
    }

    private mutating func read() throws(ODataProblem) -> ODataToken {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "("): return take(.openParenthesis)
        case UInt8(ascii: ")"): return take(.closeParenthesis)
        case UInt8(ascii: ","): return take(.comma)
        case UInt8(ascii: "/"): return take(.slash)
        case UInt8(ascii: "-"): return take(.minus)
        case UInt8(ascii: "'"): return .literal(.string(try readQuoted()))
        case _ where byte.isDigit: return try readNumber()
        case _ where byte.isIdentifierStart: return try readWord()
        default:
            // All characters beyond ASCII are parts of identifiers.
            throw problem("unexpected '\(Unicode.Scalar(byte).escaped(asASCII: true))'", at: offset)
        }
    }

    private mutating func take(_ token: ODataToken) -> ODataToken {
        position += 1
        return token
    }

    private mutating func takeBytes(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    /// Reads a string in single quotation marks; two quotation marks in a row stand for one.
    private mutating func readQuoted() throws(ODataProblem) -> String {
        let mark = UInt8(ascii: "'")
        var text: [UInt8] = []
        position += 1
        while true {
            text.append(contentsOf: takeBytes { $0 != mark })
            guard position < bytes.count else { throw problem("missing closing quotation mark", at: offset) }
            position += 1
            guard position < bytes.count, bytes[position] == mark else {
                return String(decoding: text, as: UTF8.self)
            }
            text.append(mark)
            position += 1
        }
    }

    /// Reads a number: digits with an optional fraction, exponent and type suffix; the suffix doesn't change
    /// the value.
    private mutating func readNumber() throws(ODataProblem) -> ODataToken {
        var text = Array(takeBytes(while: \.isDigit).drop { $0 == UInt8(ascii: "0") })
        if text.isEmpty { text = [UInt8(ascii: "0")] }
        if next(is: ".") {
            position += 1
            text.append(UInt8(ascii: "."))
            text += takeBytes(while: \.isDigit)
        }
        if next(is: "e") || next(is: "E") {
            position += 1
            text.append(UInt8(ascii: "e"))
            if next(is: "-") || next(is: "+") {
                text.append(bytes[position])
                position += 1
            }
            text += takeBytes(while: \.isDigit)
        }
        if position < bytes.count, "lLfFmMdD".utf8.contains(bytes[position]) { position += 1 }
        guard position == bytes.count || !bytes[position].isIdentifierPart,
            let number = Number(json: String(decoding: text, as: UTF8.self))
        else { throw problem("not a number", at: offset) }
        return .literal(.number(number))
    }

    private func next(is character: Unicode.Scalar) -> Bool {
        position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    /// Reads an identifier, or a literal that begins with its type's name.
    private mutating func readWord() throws(ODataProblem) -> ODataToken {
        let word = String(decoding: takeBytes(while: \.isIdentifierPart), as: UTF8.self)
        guard next(is: "'") else { return .identifier(word) }
        let text = try readQuoted()
        switch word {
        case "datetime", "datetimeoffset":
            guard let instant = Self.instant(text) else { throw problem("not a time", at: offset) }
            return .literal(.instant(instant))
        case "guid":
            let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard groups.map(\.count) == [8, 4, 4, 4, 12],
                groups.joined().allSatisfy({ $0.hexadecimalDigit != nil })
            else {
                throw problem("not a GUID", at: offset)
            }
            return .literal(.guid(text))
        default: throw problem("unknown type of literal", at: offset)
        }
    }

    /// Parses a time.
    ///
    /// The seconds are optional, and a time without a zone is in UTC.
    private static func instant(_ text: String) -> Instant? {
        ["", "Z", ":00Z", "T00:00:00Z"].lazy.compactMap { Instant(text + $0) }.first
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte can begin an identifier; beyond ASCII, every character can.
    fileprivate var isIdentifierStart: Bool {
        switch self | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: true
        default: self == UInt8(ascii: "_") || self == UInt8(ascii: "@")
        }
    }

    fileprivate var isIdentifierPart: Bool { isIdentifierStart || isDigit || self == UInt8(ascii: "-") }
}
