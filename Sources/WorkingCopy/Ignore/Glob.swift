import Platform

/// A pattern in gitignore's language, without its negation, leading slash and trailing slash.
///
/// Matching takes time that is at most proportional to the pattern's length times the path's length. Most
/// paths don't match because they lack a byte or a word that the pattern needs, which takes little time to
/// see.
struct Glob: Sendable {
    private let tokens: [Token]
    /// The bytes to compare, if the pattern has no special characters.
    private let literal: [UInt8]?
    /// The suffix to compare, if the pattern is `*` followed by bytes that are neither special characters nor
    /// slashes.
    private let suffix: [UInt8]?
    /// The bytes that every matching text has.
    let neededBytes: ByteSet
    /// The longest sequence of bytes that every matching text has.
    private let neededWord: [UInt8]
    /// The minimum number of bytes of a matching text.
    private let neededCount: Int

    fileprivate enum Token: Sendable, Equatable {
        case byte(UInt8)
        /// `?`: one byte except a slash. It matches bytes rather than characters, as in git.
        case anyByte
        /// `[…]`: one byte of a set, but not a slash.
        case oneOf(ByteSet)
        /// `*`: any bytes except slashes.
        case anyBytes
        /// `**` at the end: any bytes.
        case anyPath
        /// `**/`: nothing, or any bytes and a slash.
        case anyFolders
    }

    /// Parses a pattern; nil if the pattern can't match anything, for example because of an unclosed `[` or a
    /// trailing `\`.
    ///
    /// - Parameter isPath: Whether the pattern applies to whole paths, where only `**` matches slashes.
    init?(_ pattern: ArraySlice<UInt8>, isPath: Bool) {
        var parser = GlobParser(pattern, isPath: isPath)
        guard let tokens = parser.parse() else { return nil }
        self.tokens = tokens
        literal = Glob.literal(tokens[...])
        let rest = tokens.first == .anyBytes ? Glob.literal(tokens.dropFirst()) : nil
        suffix = rest.flatMap { $0.contains(slash) ? nil : $0 }
        var (bytes, words) = (ByteSet(), [[UInt8]()])
        for token in tokens {
            if case .byte(let byte) = token {
                bytes.insert(byte)
                words[words.count - 1].append(byte)
            } else if words.last != [] {
                words.append([])
            }
        }
        neededBytes = bytes
        neededWord = words.max { $0.count < $1.count } ?? []
        neededCount = tokens.count(where: \.isOneByte)
    }

    private static func literal(_ tokens: ArraySlice<Token>) -> [UInt8]? {
        var bytes: [UInt8] = []
        for token in tokens {
            guard case .byte(let byte) = token else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        if let literal { return text.elementsEqual(literal) }
        if let suffix {
            return text.count >= suffix.count && text.suffix(suffix.count).elementsEqual(suffix)
                && !text.dropLast(suffix.count).contains(slash)
        }
        guard text.count >= neededCount else { return false }
        if let first = tokens.first, let byte = text.first, !first.canMatch(byte) { return false }
        if let last = tokens.last, let byte = text.last, !last.canMatch(byte) { return false }
        // Looking for a word takes much less time than trying it at each position.
        guard neededWord.isEmpty || text.contains(neededWord) else { return false }
        return text.withUnsafeBufferPointer { text in
            tokens.withUnsafeBufferPointer { Self.matches($0, text) }
        }
    }

    /// Lets each token for several bytes match as few as possible.
    ///
    /// If the tokens after such a token don't match, it takes more bytes. A token before it never needs to
    /// take more: the later one can match whatever the earlier one would leave to it.
    private static func matches(
        _ tokens: UnsafeBufferPointer<Token>, _ text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var (token, offset) = (0, 0)
        // The positions after the last token for bytes without slashes, and after the last one for any bytes.
        var (bytes, path): (Position?, Position?) = (nil, nil)
        while true {
            if token < tokens.count, !tokens[token].isOneByte {
                let position = Position(token: token + 1, offset: offset)
                if tokens[token] == .anyBytes { bytes = position } else { (bytes, path) = (nil, position) }
                token += 1
            } else if token < tokens.count, offset < text.count, tokens[token].matches(text[offset]) {
                token += 1
                offset += 1
            } else if token == tokens.count, offset == text.count {
                return true
            } else if let last = bytes, last.offset < text.count, text[last.offset] != slash {
                (token, offset) = (last.token, last.offset + 1)
                bytes?.offset = offset
            } else if let last = path {
                var next = last.offset
                if tokens[last.token - 1] == .anyFolders {
                    while next < text.count, text[next] != slash { next += 1 }
                }
                if next >= text.count { return false }
                (token, offset, bytes) = (last.token, next + 1, nil)
                path?.offset = offset
            } else {
                return false
            }
        }
    }

    private struct Position {
        /// The index of the next token.
        var token: Int
        /// The offset of the next byte.
        var offset: Int
    }
}

extension Glob.Token {
    /// Whether the token matches exactly one byte.
    fileprivate var isOneByte: Bool {
        switch self {
        case .byte, .anyByte, .oneOf: true
        case .anyBytes, .anyPath, .anyFolders: false
        }
    }

    /// Returns whether the token can match a byte, alone or with others.
    fileprivate func canMatch(_ byte: UInt8) -> Bool { !isOneByte || matches(byte) }

    /// Returns whether a token for one byte matches a byte.
    fileprivate func matches(_ byte: UInt8) -> Bool {
        switch self {
        case .byte(let expected): byte == expected
        case .anyByte: byte != slash
        case .oneOf(let set): byte != slash && set.contains(byte)
        case .anyBytes, .anyPath, .anyFolders: false
        }
    }
}

/// A set of bytes such as `[a-z]`.
struct ByteSet: Sendable, Equatable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static func == (left: ByteSet, right: ByteSet) -> Bool { left.words == right.words }

    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(byte & 63) & 1 == 1
    }

    /// Returns whether the other set has all bytes of this one.
    func isSubset(of other: ByteSet) -> Bool {
        words.0 & ~other.words.0 | words.1 & ~other.words.1 | words.2 & ~other.words.2
            | words.3 & ~other.words.3 == 0
    }

    mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    mutating func insert(_ range: ClosedRange<UInt8>) {
        for byte in range { insert(byte) }
    }

    fileprivate mutating func invert() {
        words = (~words.0, ~words.1, ~words.2, ~words.3)
    }
}

let slash = UInt8(ascii: "/")

/// Parses a pattern into tokens as git's `wildmatch.c` does.
private struct GlobParser {
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
