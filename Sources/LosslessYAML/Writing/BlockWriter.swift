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
