/// Parses a pattern into tokens as git's `wildmatch.c` does.
struct GlobParser {
    private let pattern: ArraySlice<UInt8>
    private let isPath: Bool
    private var position: Int
    private var tokens: [Glob.Token] = []
    /// Whether no special character has been read yet.
    private var isAtLiteralStart = true

    init(_ pattern: ArraySlice<UInt8>, isPath: Bool) {
        self.pattern = pattern
        self.isPath = isPath
        position = pattern.startIndex
    }

    /// Returns the tokens; nil if the pattern can't match anything.
    mutating func parse() -> [Glob.Token]? {
        while let byte = peek() {
            position += 1
            switch byte {
            case UInt8(ascii: "*"):
                readStars()
            case UInt8(ascii: "?"):
                tokens.append(.anyByte)
            case UInt8(ascii: "["):
                guard let set = readSet() else { return nil }
                tokens.append(.oneOf(set))
            case UInt8(ascii: "\\"):
                guard let escaped = peek() else { return nil }
                position += 1
                tokens.append(.byte(escaped))
            default:
                tokens.append(.byte(byte))
                continue
            }
            isAtLiteralStart = false
        }
        return tokens
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < pattern.endIndex ? pattern[position + distance] : nil
    }

    private mutating func readStars() {
        let start = position - 1
        while peek() == UInt8(ascii: "*") { position += 1 }
        // Git compares the part before the first special character separately, so it reads `a/b**/c` as `a/b`
        // followed by `**/c`.
        let isAtBorder = isAtLiteralStart || pattern[start - 1] == slash
        guard isPath, position - start > 1, isAtBorder else {
            tokens.append(.anyBytes)
            return
        }
        switch peek() {
        case nil:
            tokens.append(.anyPath)
        case slash:
            position += 1
            tokens.append(.anyFolders)
        case UInt8(ascii: "\\") where peek(1) == slash:
            tokens.append(.anyPath)
        default:
            tokens.append(.anyBytes)
        }
    }

    /// Parses the rest of a set after its `[`; nil if the set is unclosed or names an unknown class.
    private mutating func readSet() -> ByteSet? {
        var set = ByteSet()
        let isNegated = peek() == UInt8(ascii: "!") || peek() == UInt8(ascii: "^")
        if isNegated { position += 1 }
        // The byte before a `-` that can begin a range; nil at the start, after a range and after a class.
        var previous: UInt8?
        var isFirst = true
        while true {
            guard let byte = peek() else { return nil }
            position += 1
            if byte == UInt8(ascii: "]"), !isFirst { break }
            isFirst = false
            if byte == UInt8(ascii: "-"), let lower = previous, let end = peek(), end != UInt8(ascii: "]") {
                guard let upper = readSetByte() else { return nil }
                if lower <= upper { set.insert(lower...upper) }
                previous = nil
            } else if byte == UInt8(ascii: "["), peek() == UInt8(ascii: ":") {
                switch readClass() {
                case .none: return nil
                case .some(.none):
                    set.insert(byte)
                    previous = byte
                case .some(.some(let bytes)):
                    bytes.forEach { set.insert($0) }
                    previous = nil
                }
            } else {
                position -= 1
                guard let member = readSetByte() else { return nil }
                set.insert(member)
                previous = member
            }
        }
        if isNegated { set.invert() }
        return set
    }

    private mutating func readSetByte() -> UInt8? {
        guard var byte = peek() else { return nil }
        position += 1
        if byte == UInt8(ascii: "\\") {
            guard let escaped = peek() else { return nil }
            position += 1
            byte = escaped
        }
        return byte
    }

    /// Parses the rest of a class such as `[:alpha:]`, from its first colon.
    ///
    /// - Returns: The class's bytes; `.some(nil)` without reading anything if the `[` is an ordinary member;
    ///   nil if the set is unclosed or the class is unknown.
    private mutating func readClass() -> [UInt8]?? {
        let rest = pattern[(position + 1)...]
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let content = rest[..<end]
        guard content.last == UInt8(ascii: ":") else { return .some(nil) }
        guard let members = GlobParser.classes[String(decoding: content.dropLast(), as: UTF8.self)] else {
            return nil
        }
        position = end + 1
        return members
    }

    private static let classes: [String: [UInt8]] = {
        let ascii = Array(UInt8(0)...0x7F)
        func bytes(_ belongs: (Unicode.Scalar) -> Bool) -> [UInt8] {
            ascii.filter { belongs(Unicode.Scalar($0)) }
        }
        let alphabetic = bytes { "a"..."z" ~= $0 || "A"..."Z" ~= $0 }
        let digits = bytes { "0"..."9" ~= $0 }
        let visible = bytes { "!"..."~" ~= $0 }
        return [
            "alpha": alphabetic, "digit": digits, "alnum": alphabetic + digits, "graph": visible,
            "upper": bytes { "A"..."Z" ~= $0 }, "lower": bytes { "a"..."z" ~= $0 },
            "punct": visible.filter { !alphabetic.contains($0) && !digits.contains($0) },
            "print": bytes { " "..."~" ~= $0 }, "blank": bytes { $0 == " " || $0 == "\t" },
            "space": bytes { $0 == " " || "\t"..."\r" ~= $0 }, "cntrl": bytes { $0 < " " || $0 == "\u{7F}" },
            "xdigit": digits + bytes { "a"..."f" ~= $0 || "A"..."F" ~= $0 },
        ]
    }()
}
