import Platform

/// A pattern in gitignore's language, without its negation, leading slash and trailing slash.
///
/// Matching follows all possible positions in the pattern at once, so its time is at most proportional to the
/// pattern's length times the path's length. Most paths don't match because they lack a byte or a word that
/// the pattern needs, which takes little time to see.
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

    enum Token: Sendable, Equatable {
        case byte(UInt8)
        /// `?`: one byte except a slash. It matches bytes rather than characters, as in git.
        case anyByte
        /// `[…]`: one byte of a set, but not a slash.
        case oneOf(ByteSet)
        /// `*`: any bytes except slashes.
        case anyBytes
        /// `**` at the end: any bytes.
        case anyPath
        /// `**/`: nothing, or any bytes and a slash. It is followed by ``insideFolders``.
        case anyFolders
        /// The position inside the folders that ``anyFolders`` matches, after their first byte.
        case insideFolders
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
        // Looking for a word takes much less time than following positions.
        guard neededWord.isEmpty || text.contains(neededWord) else { return false }
        return text.withUnsafeBufferPointer { text in
            tokens.count < FewPositions.limit
                ? matches(text, from: FewPositions())
                : matches(text, from: Positions(count: tokens.count + 1))
        }
    }

    private func matches(_ text: UnsafeBufferPointer<UInt8>, from none: some PositionSet) -> Bool {
        var (positions, next) = (none, none)
        positions.insert(0, skipping: tokens)
        for byte in text {
            next.removeAll()
            for position in positions.lowest..<max(positions.lowest, positions.end)
            where positions.contains(position) && position < tokens.count {
                advance(from: position, over: byte, into: &next)
            }
            if next.isEmpty { return false }
            swap(&positions, &next)
        }
        return positions.contains(tokens.count)
    }

    private func advance(from position: Int, over byte: UInt8, into next: inout some PositionSet) {
        switch tokens[position] {
        case .byte(let expected):
            if byte == expected { next.insert(position + 1, skipping: tokens) }
        case .anyByte:
            if byte != slash { next.insert(position + 1, skipping: tokens) }
        case .oneOf(let set):
            if byte != slash, set.contains(byte) { next.insert(position + 1, skipping: tokens) }
        case .anyBytes:
            if byte != slash { next.insert(position, skipping: tokens) }
        case .anyPath:
            next.insert(position, skipping: tokens)
        case .anyFolders:
            next.insert(position + 1, skipping: tokens)
            // A slash can only come first if the pattern was split after its literal prefix.
            if byte == slash { next.insert(position + 2, skipping: tokens) }
        case .insideFolders:
            next.insert(position, skipping: tokens)
            if byte == slash { next.insert(position + 1, skipping: tokens) }
        }
    }
}

/// The set of positions in a pattern that are reachable with the bytes read so far.
private protocol PositionSet {
    /// The lowest position, or a position beyond the end if the set is empty.
    var lowest: Int { get }
    /// The position after the highest one; 0 if the set is empty.
    var end: Int { get }

    func contains(_ position: Int) -> Bool
    mutating func insert(_ position: Int)
    mutating func removeAll()
}

extension PositionSet {
    fileprivate var isEmpty: Bool { end == 0 }

    /// Inserts a position, and the positions reachable from it without reading a byte.
    fileprivate mutating func insert(_ position: Int, skipping tokens: [Glob.Token]) {
        var position = position
        while true {
            if contains(position) { return }
            insert(position)
            guard position < tokens.count else { return }
            switch tokens[position] {
            case .anyBytes, .anyPath: position += 1
            case .anyFolders: position += 2
            default: return
            }
        }
    }

}

/// The positions in a pattern with few tokens.
private struct FewPositions: PositionSet {
    /// The number of positions that the set has room for.
    static let limit = UInt64.bitWidth

    private var bits: UInt64 = 0

    var lowest: Int { bits.trailingZeroBitCount }
    var end: Int { Self.limit - bits.leadingZeroBitCount }

    func contains(_ position: Int) -> Bool { bits >> UInt64(position) & 1 == 1 }

    mutating func insert(_ position: Int) { bits |= 1 << UInt64(position) }

    mutating func removeAll() { bits = 0 }
}

/// The positions in a pattern of any length.
private struct Positions: PositionSet {
    private var flags: [Bool]
    private(set) var lowest: Int
    private(set) var end = 0

    init(count: Int) {
        flags = Array(repeating: false, count: count)
        lowest = count
    }

    func contains(_ position: Int) -> Bool { flags[position] }

    mutating func insert(_ position: Int) {
        flags[position] = true
        lowest = min(lowest, position)
        end = max(end, position + 1)
    }

    mutating func removeAll() {
        for position in lowest..<max(lowest, end) { flags[position] = false }
        lowest = flags.count
        end = 0
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

    mutating func invert() {
        words = (~words.0, ~words.1, ~words.2, ~words.3)
    }
}

let slash = UInt8(ascii: "/")
