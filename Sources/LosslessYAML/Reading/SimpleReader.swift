/// Parses the kind of text that most todos have, without libyaml.
///
/// It accepts a mapping of plain keys to scalars on one line, lists of words in brackets, and literal block
/// scalars, with the same result as ``TreeBuilder``. Any other text, valid or not, is left to
/// ``TreeBuilder``.
struct SimpleReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var entries: [Node.Entry] = []
    private var mapping = Mapping()

    /// Returns a text's mapping; nil if the text needs the full parser.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: TextScan) -> Node? {
        guard scan.isASCII, scan.hasNoControlsButLineFeeds else { return nil }
        var reader = SimpleReader(bytes: bytes)
        return reader.readMapping()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func readMapping() -> Node? {
        entries.reserveCapacity(16)
        mapping.reserveCapacity(16)
        var line = 0
        while line < bytes.count {
            if bytes[line] == .lineFeed {
                line += 1
            } else if bytes[line] == .hash {
                line = bytes.startOfNextLine(from: line)
            } else {
                // A line that begins with white space would continue the text above it.
                guard let next = readEntry(at: line) else { return nil }
                line = next
            }
        }
        guard let first = entries.first, let last = entries.last else { return nil }
        return Node(
            value: .mapping(mapping), shape: .mapping(.block, entries),
            range: first.keyRange.lowerBound..<last.value.range.upperBound)
    }

    /// Reads the entry that begins on a line, and returns the start of the next line; nil if the entry needs
    /// the full parser.
    private mutating func readEntry(at start: Int) -> Int? {
        guard bytes[start].isLetter else { return nil }
        var end = start
        while end < bytes.count, bytes[end].isPartOfWord { end += 1 }
        guard Limits.keyLength.contains(end - start), byte(at: end) == .colon, byte(at: end + 1) == .space,
            case .string(let key)? = resolve(start..<end)
        else { return nil }
        var position = end + 1
        while byte(at: position) == .space { position += 1 }
        guard let value = readValue(at: position), mapping.append(key, value.value) else { return nil }
        let next = bytes.skipLineBreak(at: value.range.upperBound)
        let lines = start..<(isLiteral(value) ? value.range.upperBound : next)
        entries.append(
            Node.Entry(key: key, keyRange: start..<end, value: value, lines: lines, indentation: 0))
        return lines.upperBound
    }

    private func isLiteral(_ node: Node) -> Bool {
        if case .scalar(.literal) = node.shape { true } else { false }
    }

    /// Reads a value up to the end of its line, or a literal block scalar with the lines below.
    private func readValue(at start: Int) -> Node? {
        switch byte(at: start) {
        case .openBracket: readList(at: start)
        case UInt8(ascii: "\""): readQuoted(at: start, .doubleQuoted)
        case UInt8(ascii: "'"): readQuoted(at: start, .singleQuoted)
        case UInt8(ascii: "|"): readLiteral(at: start)
        case let first?: first.isLetter || first.isDigit ? readPlain(at: start) : nil
        case nil: nil
        }
    }

    private func readPlain(at start: Int) -> Node? {
        var end = start
        while end < bytes.count, bytes[end] != .lineFeed {
            // A colon before white space would make the text a key, and a `#` after white space would begin a
            // comment.
            if bytes[end] == .colon, isWhite(end + 1) { return nil }
            if bytes[end] == .hash, bytes[end - 1] == .space { return nil }
            end += 1
        }
        guard bytes[end - 1] != .space else { return nil }
        return plainNode(start..<end)
    }

    private func readQuoted(at start: Int, _ style: Node.ScalarStyle) -> Node? {
        var end = start + 1
        while end < bytes.count, bytes[end] != bytes[start] {
            if bytes[end] == .lineFeed { return nil }
            if bytes[end] == UInt8(ascii: "\\"), style == .doubleQuoted { return nil }
            end += 1
        }
        guard end < bytes.count, isEndOfLine(end + 1) else { return nil }
        return Node(
            value: .string(string(start + 1..<end)), shape: .scalar(style), range: start..<end + 1)
    }

    /// Reads a list of words in brackets, separated by a comma and a space.
    private func readList(at start: Int) -> Node? {
        var items: [Node.Item] = []
        var values: [Value] = []
        items.reserveCapacity(4)
        values.reserveCapacity(4)
        var position = start + 1
        while byte(at: position) != .closeBracket || !items.isEmpty {
            let first = position
            guard let byte = byte(at: first), byte.isLetter || byte.isDigit else { return nil }
            while position < bytes.count, bytes[position].isPartOfWord || bytes[position] == .space {
                position += 1
            }
            guard bytes[position - 1] != .space, let item = plainNode(first..<position) else { return nil }
            items.append(Node.Item(value: item, lines: item.range, indentation: 0))
            values.append(item.value)
            if self.byte(at: position) == .closeBracket { break }
            guard self.byte(at: position) == .comma, self.byte(at: position + 1) == .space else { return nil }
            position += 2
        }
        guard isEndOfLine(position + 1) else { return nil }
        return Node(value: .list(values), shape: .sequence(.flow, items), range: start..<position + 1)
    }

    /// Reads a literal block scalar without indicators; every line must have text and a line break.
    private func readLiteral(at start: Int) -> Node? {
        guard byte(at: start + 1) == .lineFeed else { return nil }
        var line = start + 2
        let indentation = bytes.skipBlanks(from: line) - line
        guard indentation > 0 else { return nil }
        var text: [UInt8] = []
        while byte(at: line) == .space {
            let first = bytes.skipBlanks(from: line)
            let end = bytes.endOfLineContent(from: first)
            guard first - line >= indentation, first < end, end < bytes.count else { return nil }
            text.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[(line + indentation)...end]))
            line = end + 1
        }
        return Node(
            value: .string(String(decoding: text, as: UTF8.self)), shape: .scalar(.literal),
            range: start..<line)
    }

    private func plainNode(_ range: Range<Int>) -> Node? {
        resolve(range).map { Node(value: $0, shape: .scalar(.plain), range: range) }
    }

    private func resolve(_ range: Range<Int>) -> Value? {
        try? CoreSchema.resolve(UnsafeBufferPointer(rebasing: bytes[range]))
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    private func byte(at position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private func isEndOfLine(_ position: Int) -> Bool {
        position == bytes.count || bytes[position] == .lineFeed
    }

    private func isWhite(_ position: Int) -> Bool { isEndOfLine(position) || bytes[position] == .space }
}

extension UInt8 {
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    fileprivate var isPartOfWord: Bool { isLetter || isDigit || self == .hyphen || self == UInt8(ascii: "_") }
}

/// A text in the form of most todos, where every entry can be read separately (see ``SimpleReader``).
///
/// This makes `status` with many edited todos a fifth faster, because the lines that both texts begin or end
/// with aren't read.
package struct SimpleText: Sendable {
    private let bytes: [UInt8]

    /// Creates the text of a document; nil if the document needed the full parser.
    package init?(_ document: Document) {
        guard document.isSimple else { return nil }
        bytes = document.bytes
    }

    /// Returns top-level entries of another valid text and of this text, including all entries that differ.
    ///
    /// Lines that both texts begin or end with aren't read. Returns nil if the entries can't be found without
    /// parsing both texts in full.
    package func entriesThatDiffer(from old: [UInt8]) -> (old: Mapping, new: Mapping)? {
        old.withUnsafeBufferPointer { old in
            bytes.withUnsafeBufferPointer { new in
                let (start, end) = Self.differingLines(old, new)
                guard let old = Self.entries(of: old[start..<(old.count - end)]),
                    let new = Self.entries(of: new[start..<(new.count - end)])
                else { return nil }
                return (old, new)
            }
        }
    }

    /// Returns the entries in a range of lines that begins and ends between entries.
    private static func entries(of lines: Slice<UnsafeBufferPointer<UInt8>>) -> Mapping? {
        let bytes = UnsafeBufferPointer(rebasing: lines)
        guard bytes.contains(where: { !$0.isLineBreak }) else { return Mapping() }
        guard let scan = try? TextScan(bytes),
            case .mapping(let mapping)? = SimpleReader.read(bytes, scan)?.value
        else { return nil }
        return mapping
    }

    /// Returns the number of bytes that both texts share before and after the entries that can differ.
    private static func differingLines(
        _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
    ) -> (start: Int, end: Int) {
        let count = min(old.count, new.count)
        var start = new.commonCount(old, atMost: count)
        var end = 0
        while end < count - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        // In either text, a line that doesn't begin with a letter can belong to the entry above it.
        while start > 0, !(isStart(start, of: old) && isStart(start, of: new)) { start -= 1 }
        while end > 0, !(isStart(old.count - end, of: old) && isStart(new.count - end, of: new)) { end -= 1 }
        return (start, end)
    }

    /// Returns whether an entry begins at an offset.
    private static func isStart(_ offset: Int, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        offset < bytes.count && bytes[offset].isLetter && (offset == 0 || bytes[offset - 1] == .lineFeed)
    }
}
