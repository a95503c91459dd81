package import LosslessYAML

extension JSON {
    /// The default limit on depth: 64 levels for a todo, and a few more for the values around it.
    package static let defaultMaximumDepth = 70
    /// The default limit on size in bytes: the size of the largest record, 8 MiB.
    package static let defaultMaximumSize = 8 << 20
    /// The default limit on the number of values, including nested ones.
    ///
    /// A value can take as little as two bytes of text, but many times that in memory.
    package static let defaultMaximumValueCount = 1_000_000

    /// Parses a JSON value, which only white space can surround.
    ///
    /// Numbers keep their digits. A repeated key is an error, because parsers disagree about which value to
    /// use.
    package static func read(
        _ bytes: [UInt8], maximumDepth: Int = defaultMaximumDepth, maximumSize: Int = defaultMaximumSize,
        maximumValueCount: Int = defaultMaximumValueCount
    ) throws(Problem) -> Value {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Problem) in
            try read(
                buffer, maximumDepth: maximumDepth, maximumSize: maximumSize,
                maximumValueCount: maximumValueCount)
        }
    }

    /// Parses a JSON value from borrowed bytes without copying them.
    package static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int = defaultMaximumDepth,
        maximumSize: Int = defaultMaximumSize, maximumValueCount: Int = defaultMaximumValueCount
    ) throws(Problem) -> Value {
        guard bytes.count <= maximumSize else {
            throw Problem(reason: .tooLarge(maximum: maximumSize), offset: maximumSize)
        }
        if let offset = bytes.firstInvalidUTF8Offset {
            throw Problem(reason: .notUTF8, offset: offset)
        }
        var reader = JSONReader(
            bytes: bytes, maximumDepth: maximumDepth, maximumValueCount: maximumValueCount)
        return try reader.readDocument()
    }
}

/// Parses JSON by recursive descent.
struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    let maximumValueCount: Int
    /// The depth of the objects that are records; nil if the text has no records.
    let recordDepth: Int?
    /// Whether the whole text is already known to be valid UTF-8.
    let isUTF8: Bool
    var position = 0
    var valueCount = 0
    /// The maximum number of values up to the end of the current record.
    private var valueLimit: Int

    init(
        bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumValueCount: Int, recordDepth: Int? = nil,
        isUTF8: Bool = true
    ) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumValueCount = maximumValueCount
        self.recordDepth = recordDepth
        self.isUTF8 = isUTF8
        valueLimit = maximumValueCount
    }

    mutating func readDocument() throws(JSON.Problem) -> Value {
        skipWhitespace()
        let value = try readValue(depth: 0)
        skipWhitespace()
        guard position == bytes.count else { throw problem(.textAfterEnd) }
        return value
    }

    private mutating func readValue(depth: Int) throws(JSON.Problem) -> Value {
        guard valueCount < valueLimit else {
            let isWhole = valueLimit == maximumValueCount
            throw problem(
                .tooManyValues(maximum: isWhole ? maximumValueCount : JSON.defaultMaximumValueCount))
        }
        valueCount += 1
        switch try peek() {
        case UInt8(ascii: "{"): return .mapping(try readMapping(depth: depth + 1))
        case UInt8(ascii: "["): return .list(try readList(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        default: throw unexpected()
        }
    }

    private mutating func readMapping(depth: Int) throws(JSON.Problem) -> Mapping {
        guard depth <= maximumDepth else { throw problem(.tooDeep(maximum: maximumDepth)) }
        let isRecord = depth == recordDepth
        if isRecord { valueLimit = min(maximumValueCount, valueCount + JSON.defaultMaximumValueCount) }
        defer { if isRecord { valueLimit = maximumValueCount } }
        var mapping = Mapping()
        position += 1
        skipWhitespace()
        if try take(UInt8(ascii: "}")) { return mapping }
        while true {
            if isRecord {
                try readRecordMember(into: &mapping, depth: depth)
            } else {
                try readMember(into: &mapping, depth: depth)
            }
            skipWhitespace()
            if try take(UInt8(ascii: "}")) { return mapping }
            guard try take(UInt8(ascii: ",")) else { throw unexpected() }
            skipWhitespace()
        }
    }

    mutating func readMember(into mapping: inout Mapping, depth: Int) throws(JSON.Problem) {
        let keyOffset = position
        let key = try readName()
        skipWhitespace()
        guard try take(UInt8(ascii: ":")) else { throw unexpected() }
        skipWhitespace()
        guard mapping.append(key, try readValue(depth: depth)) else {
            throw JSON.Problem(reason: .repeatedKey(key), offset: keyOffset)
        }
    }

    /// Reads a member's name.
    mutating func readName() throws(JSON.Problem) -> String {
        guard try peek() == UInt8(ascii: "\"") else { throw unexpected() }
        return try readString()
    }

    /// Returns whether a problem means that the whole text has too many values, so that skipping one value
    /// wouldn't help.
    func isFull(_ problem: JSON.Problem) -> Bool {
        guard case .tooManyValues = problem.reason else { return false }
        return valueLimit == maximumValueCount
    }

    private mutating func readList(depth: Int) throws(JSON.Problem) -> [Value] {
        guard depth <= maximumDepth else { throw problem(.tooDeep(maximum: maximumDepth)) }
        var list: [Value] = []
        position += 1
        skipWhitespace()
        if try take(UInt8(ascii: "]")) { return list }
        while true {
            list.append(try readValue(depth: depth))
            skipWhitespace()
            if try take(UInt8(ascii: "]")) { return list }
            guard try take(UInt8(ascii: ",")) else { throw unexpected() }
            skipWhitespace()
        }
    }

    private mutating func readNumber() throws(JSON.Problem) -> Number {
        let start = position
        while position < bytes.count, bytes[position].isPartOfNumber { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Number(json: text) else {
            throw JSON.Problem(reason: .badNumber(String(text.prefix(40))), offset: start)
        }
        return number
    }

    private mutating func expect(_ word: StaticString) throws(JSON.Problem) {
        for index in 0..<word.utf8CodeUnitCount {
            guard try take(word.utf8Start[index]) else { throw unexpected() }
        }
    }
}

// MARK: - Strings

extension JSONReader {
    /// Reads a string, including both quotation marks.
    private mutating func readString() throws(JSON.Problem) -> String {
        let start = position
        let string = try readUncheckedString()
        if !isUTF8,
            let offset = UnsafeBufferPointer(rebasing: bytes[start..<position]).firstInvalidUTF8Offset
        {
            throw JSON.Problem(reason: .notUTF8, offset: start + offset)
        }
        return string
    }

    private mutating func readUncheckedString() throws(JSON.Problem) -> String {
        position += 1
        let start = position
        skipPlainBytes()
        if try peek() == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: bytes[start..<position - 1], as: UTF8.self)
        }
        var unescaped = Array(bytes[start..<position])
        while true {
            switch try peek() {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"): try readEscape(into: &unescaped)
            case let byte: throw problem(.controlCharacter(byte))
            }
            let plainStart = position
            skipPlainBytes()
            unescaped.append(contentsOf: bytes[plainStart..<position])
        }
    }

    /// Skips to the next quotation mark, backslash or control character in a string.
    mutating func skipPlainBytes() {
        while position < bytes.count {
            if let eight = EightBytes(bytes, at: position) {
                let matches =
                    eight.controls | eight.matches(of: UInt8(ascii: "\""))
                    | eight.matches(of: UInt8(ascii: "\\"))
                position += EightBytes.count(before: matches)
                if matches != 0 { return }
                continue
            }
            let byte = bytes[position]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            position += 1
        }
    }

    private mutating func readEscape(into unescaped: inout [UInt8]) throws(JSON.Problem) {
        let escapeOffset = position
        position += 1
        let byte = try peek()
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try readScalar(escapeOffset: escapeOffset)
            unescaped.append(contentsOf: UTF8.encode(scalar)?.map { $0 } ?? [])
        default: throw JSON.Problem(reason: .badEscape, offset: escapeOffset)
        }
    }

    /// Reads the rest of an escape after `\u`: four digits, and the second escape of a surrogate pair.
    private mutating func readScalar(escapeOffset: Int) throws(JSON.Problem) -> Unicode.Scalar {
        let loneSurrogate = JSON.Problem(reason: .loneSurrogate, offset: escapeOffset)
        let first = try readFourDigits(escapeOffset: escapeOffset)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw loneSurrogate }
        position += 2
        let second = try readFourDigits(escapeOffset: position - 2)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw loneSurrogate }
        return scalar
    }

    private mutating func readFourDigits(escapeOffset: Int) throws(JSON.Problem) -> UInt32 {
        var result: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = try peek().hexadecimalDigit else {
                throw JSON.Problem(reason: .badEscape, offset: escapeOffset)
            }
            result = result << 4 | UInt32(digit)
            position += 1
        }
        return result
    }
}

// MARK: - Bytes

extension JSONReader {
    func peek() throws(JSON.Problem) -> UInt8 {
        guard position < bytes.count else { throw problem(.endsTooEarly) }
        return bytes[position]
    }

    mutating func take(_ byte: UInt8) throws(JSON.Problem) -> Bool {
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private func problem(_ reason: JSON.Reason) -> JSON.Problem {
        JSON.Problem(reason: reason, offset: position)
    }

    func unexpected() -> JSON.Problem {
        problem(position < bytes.count ? .unexpectedByte(bytes[position]) : .endsTooEarly)
    }
}

extension UInt8 {
    fileprivate var isPartOfNumber: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
