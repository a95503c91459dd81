@testable import LosslessYAML

/// Checks that edits leave everything else unchanged, byte for byte.
///
/// In every block mapping, at the top or nested, entries whose value didn't change keep their lines, and the
/// text between entries (comments and blank lines) stays the same. The exceptions are the text's last line
/// break, and blank lines that would become content of a `|+` block.
enum UntouchedLines {
    /// Returns a description of a part that changed, or nil.
    static func violation(_ before: Document, _ after: Document) -> String? {
        if before.bytes.starts(with: [0xEF, 0xBB, 0xBF]) != after.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return "byte order mark"
        }
        if !isSameTrivia(before, after) { return "text between the fields" }
        return violation(before.root, before.bytes, after.root, after.bytes)
    }

    /// Returns whether every line before, between and after the top-level fields still exists, in order.
    ///
    /// There can be more lines: a comment between two items of a list at its key's column stays when the last
    /// item is removed.
    private static func isSameTrivia(_ before: Document, _ after: Document) -> Bool {
        guard case .mapping(.block, _) = before.root.shape else { return true }
        let (old, new) = (trivia(before), trivia(after))
        // A blank line can become the missing last line, or content of a block that keeps blank lines. A line
        // of spaces can become content of any block.
        let ignoresBlankLines =
            before.bytes.contains(UInt8(ascii: "+")) || before.bytes.last?.isLineBreak == false
        let isBlank = { (line: ArraySlice<UInt8>) in line.allSatisfy(\.isBlank) }
        var rest = new[...]
        return old.allSatisfy { line in
            if isBlank(line), ignoresBlankLines || !line.isEmpty { return true }
            rest = rest.drop { $0 != line }
            return rest.popFirst() != nil
        }
    }

    private static func trivia(_ document: Document) -> [ArraySlice<UInt8>] {
        guard case .mapping(_, let entries) = document.root.shape else { return [] }
        var position = 0
        var result: [UInt8] = []
        for entry in entries {
            result += document.bytes[position..<entry.lines.lowerBound]
            position = entry.lines.upperBound
        }
        return lines(result + document.bytes[position...])
    }

    private static func violation(_ old: Node, _ oldBytes: [UInt8], _ new: Node, _ newBytes: [UInt8])
        -> String?
    {
        guard case .mapping(let oldStyle, let oldEntries) = old.shape,
            case .mapping(let newStyle, let newEntries) = new.shape
        else { return nil }
        if oldStyle == .block, newStyle != .block, !newEntries.isEmpty { return "block became flow" }
        if oldStyle == .flow, newStyle != .flow, !oldEntries.isEmpty { return "flow became block" }
        // The remaining entries keep their order and come before the new ones.
        let oldKeys = Set(oldEntries.map { ByteKey($0.key) })
        let staying = newEntries.filter { oldKeys.contains(ByteKey($0.key)) }
        let isOrdered = newEntries.prefix(staying.count).allSatisfy { oldKeys.contains(ByteKey($0.key)) }
        if !isOrdered { return "a new key is not at the end" }
        var rest = oldEntries[...]
        for entry in staying {
            rest = rest.drop { !$0.key.isSameBytes(as: entry.key) }
            guard let before = rest.first else { return "order of keys" }
            if before.value.value == entry.value.value {
                let oldLines = text(before, oldBytes, oldStyle)
                let newLines = text(entry, newBytes, newStyle)
                if !isSame(oldLines, newLines, before) { return "lines of \(entry.key)" }
            } else if let inner = violation(before.value, oldBytes, entry.value, newBytes) {
                return inner
            }
        }
        return nil
    }

    /// Returns the entry's lines from its key on.
    private static func text(_ entry: Node.Entry, _ bytes: [UInt8], _ style: Node.CollectionStyle) -> [UInt8]
    {
        let start = style == .block ? entry.lines.lowerBound + entry.indentation : entry.lines.lowerBound
        return Array(bytes[start..<entry.lines.upperBound])
    }

    private static func isSame(_ old: [UInt8], _ new: [UInt8], _ entry: Node.Entry) -> Bool {
        if old == new { return true }
        // The entry became, or is no longer, the last one of a text without a last line break.
        guard (old.last?.isLineBreak == true) != (new.last?.isLineBreak == true) else { return false }
        // The header of a block scalar at the end then shows that its last line has no break.
        let (oldLines, newLines) = (lines(old), lines(new))
        let differing = zip(oldLines, newLines).filter { $0 != $1 }
        return oldLines.count == newLines.count && differing.count <= 1
            && differing.allSatisfy { old, new in
                old.contains { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: ">") } && new.contains(.hyphen)
            }
    }

    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        let end = text.reversed().prefix(while: \.isLineBreak).count
        return text.isEmpty
            ? [] : text.dropLast(end).split(omittingEmptySubsequences: false, whereSeparator: \.isLineBreak)
    }
}
