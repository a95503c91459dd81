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
