/// Writes entries and items in block style, as whole lines.
struct BlockWriter {
    private(set) var output: [UInt8] = []
    let lineBreak: [UInt8]
    /// The number of columns that nested collections are indented by.
    let step: Int
    let blockScalars: BlockScalars

    /// The strings that may be written as literal block scalars.
    enum BlockScalars {
        case all
        /// Strings that don't end in blank lines, because other blank lines might follow.
        case clipped
        case none
    }

    init(lineBreak: [UInt8] = [.lineFeed], step: Int = 2, blockScalars: BlockScalars) {
        (self.lineBreak, self.step, self.blockScalars) = (lineBreak, step, blockScalars)
    }

    /// Returns whether a list is written in brackets: it has only scalars and fits on a line.
    static func isShort(_ list: [Value]) -> Bool {
        let widest = 72
        var width = 0
        for element in list {
            switch element {
            case .null, .bool: width += 6
            case .number(let number): width += number.json.utf8.count + 2
            case .string(let string):
                guard !string.utf8.contains(.lineFeed) else { return false }
                width += string.utf8.count + 2
            case .list(let list):
                guard list.isEmpty else { return false }
                width += 4
            case .mapping(let mapping):
                guard mapping.isEmpty else { return false }
                width += 4
            }
            if width > widest { return false }
        }
        return true
    }

    /// Writes the entries of a mapping.
    ///
    /// The first entry isn't indented if it continues a line.
    mutating func write(_ mapping: Mapping, indentation: Int, continuesLine: Bool = false) {
        for (number, entry) in mapping.entries.enumerated() {
            write(entry, indentation: indentation, continuesLine: continuesLine && number == 0)
        }
    }

    /// Writes an entry of a mapping.
    mutating func write(_ entry: Mapping.Entry, indentation: Int, continuesLine: Bool = false) {
        if !continuesLine { indent(indentation) }
        let key = ScalarWriter.key(entry.key, inFlow: false)
        output += key
        if key.first == .questionMark {
            output += lineBreak
            indent(indentation)
        }
        output.append(.colon)
        switch entry.value {
        case .mapping(let mapping) where !mapping.isEmpty:
            output += lineBreak
            write(mapping, indentation: indentation + step)
        case .list(let list) where !Self.isShort(list):
            output += lineBreak
            for item in list { write(item: item, indentation: indentation + step) }
        default: writeScalar(entry.value, parentIndentation: indentation)
        }
    }

    /// Writes an item of a list.
    mutating func write(item: Value, indentation: Int, continuesLine: Bool = false) {
        if !continuesLine { indent(indentation) }
        output.append(.hyphen)
        switch item {
        case .mapping(let mapping) where !mapping.isEmpty:
            output.append(.space)
            write(mapping, indentation: indentation + 2, continuesLine: true)
        case .list(let list) where !Self.isShort(list):
            output.append(.space)
            for (number, item) in list.enumerated() {
                write(item: item, indentation: indentation + 2, continuesLine: number == 0)
            }
        default: writeScalar(item, parentIndentation: indentation)
        }
    }

    private mutating func writeScalar(_ value: Value, parentIndentation: Int) {
        output.append(.space)
        if blockScalars != .none, case .string(let string) = value, string.utf8.contains(.lineFeed),
            let text = BlockScalarText(literal: string, canKeep: blockScalars == .all)
        {
            output += text.header(
                folded: false, chomping: text.chomping, indicator: text.needsIndentationIndicator ? step : nil
            )
            output += lineBreak
            output += text.text(indentation: parentIndentation + step, lineBreak: lineBreak)
        } else {
            output += FlowWriter.value(value, inFlow: false)
            output += lineBreak
        }
    }

    private mutating func indent(_ width: Int) {
        output += [UInt8](repeating: .space, count: width)
    }
}

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

/// Returns the text of a new file with the given fields.
///
/// The text is in block style with LF line breaks. Short lists of scalars are in brackets, and strings with
/// line breaks are literal block scalars. Strings are quoted only if they would have a different value
/// without quotes. Parsing the text returns the same mapping.
package func emit(_ mapping: Mapping) -> [UInt8] {
    guard !mapping.isEmpty else { return Array("{}\n".utf8) }
    var writer = BlockWriter(blockScalars: .all)
    writer.write(mapping, indentation: 0)
    return writer.output
}
