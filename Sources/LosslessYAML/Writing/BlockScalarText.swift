/// A string split into the lines of a block scalar.
struct BlockScalarText {
    let chomping: BlockScalarHeader.Chomping
    /// Whether the header must specify the indentation because the first line begins with white space.
    let needsIndentationIndicator: Bool
    /// The lines without indentation and line breaks.
    let lines: [ArraySlice<UInt8>]

    /// Creates the lines of a literal block scalar; nil if that style can't represent the string.
    ///
    /// - Parameter canKeep: Whether the block scalar may end in blank lines that are content.
    init?(literal string: String, canKeep: Bool) {
        let isPlainText = string.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" || $0 == "\t" }
        let bytes = Array(string.utf8)
        let breaks = bytes.reversed().prefix { $0 == .lineFeed }.count
        guard isPlainText, breaks < bytes.count, breaks < 2 || canKeep else { return nil }
        chomping = breaks == 0 ? .strip : breaks == 1 ? .clip : .keep
        lines = bytes.dropLast(breaks == 0 ? 0 : 1).split(
            separator: .lineFeed, omittingEmptySubsequences: false)
        needsIndentationIndicator = lines.first { !$0.isEmpty }?.first?.isBlank == true
    }

    /// Creates the lines of a folded block scalar; nil if that style can't represent the string.
    init?(folded string: String, canKeep: Bool) {
        guard let literal = BlockScalarText(literal: string, canKeep: canKeep) else { return nil }
        // Breaks next to a line that begins with white space, and breaks at the beginning and end, aren't
        // folded.
        guard literal.lines.allSatisfy({ $0.first?.isBlank != true }) else { return nil }
        let content = literal.lines.drop(while: \.isEmpty)
        let end = content.lastIndex { !$0.isEmpty } ?? content.endIndex
        var lines = Array(literal.lines[..<content.startIndex])
        for (index, line) in zip(content.indices, content) {
            lines.append(line)
            let beginsGap = index < end && !line.isEmpty
            if beginsGap { lines.append([]) }
        }
        chomping = literal.chomping
        needsIndentationIndicator = false
        self.lines = lines
    }

    /// Returns the lines to add to a folded block scalar so that whole lines are added to its value; nil if
    /// the new string doesn't begin with the value, or its style can't represent what was added.
    ///
    /// The value's own lines stay as they are folded.
    static func linesAppended(to value: Value, in string: String) -> [ArraySlice<UInt8>]? {
        guard case .string(let old) = value else { return nil }
        let (oldBytes, new) = (Array(old.utf8), Array(string.utf8))
        let content = oldBytes.reversed().drop { $0 == .lineFeed }.count
        guard content > 0, oldBytes.count - content < 2, new.count > content + 1,
            new.starts(with: oldBytes[..<content]), new[content] == .lineFeed,
            new.last != .lineFeed || new[new.count - 2] != .lineFeed,
            let lastLine = oldBytes[..<content].split(separator: .lineFeed).last,
            lastLine.first?.isBlank != true,
            let text = BlockScalarText(
                folded: String(decoding: new[(content + 1)...], as: UTF8.self), canKeep: false)
        else { return nil }
        // A line break is a blank line.
        return [[]] + text.lines
    }

    /// Returns the lines as text.
    func text(indentation: Int, lineBreak: [UInt8]) -> [UInt8] {
        lines.flatMap { Self.line($0, indentation: indentation) + lineBreak }
    }

    /// Returns a line's text without its break.
    ///
    /// An empty line stays empty.
    static func line(_ line: ArraySlice<UInt8>, indentation: Int) -> [UInt8] {
        line.isEmpty ? [] : [UInt8](repeating: .space, count: indentation) + line
    }

    /// Returns the header's indicator characters.
    func header(folded: Bool, chomping: BlockScalarHeader.Chomping, indicator: Int?) -> [UInt8] {
        var header = [UInt8(ascii: folded ? ">" : "|")]
        if let indicator { header += Array(String(indicator).utf8) }
        switch chomping {
        case .clip: break
        case .strip: header.append(.hyphen)
        case .keep: header.append(UInt8(ascii: "+"))
        }
        return header
    }
}
