import LosslessYAML

/// A mapping's entry or a sequence's item in block style, with the comments and blank lines above it.
struct Section {
    /// The entry's key; empty for an item.
    var key: String
    /// The comments and blank lines above the entry or item.
    var leading: ArraySlice<UInt8>
    /// The whole lines of the entry or item.
    var lines: ArraySlice<UInt8>
    var node: Node
    /// The column of the key or of the `-`.
    var indentation: Int

    /// The lines with the comments and blank lines above them.
    var text: [UInt8] { Array(leading + lines) }
}

/// A block mapping or block sequence split into one or more sections.
struct SectionedText {
    /// The text above the first section.
    ///
    /// In a file, these are the directives and the first comments up to a blank line. In a nested collection,
    /// these are the lines with its key.
    private(set) var head: ArraySlice<UInt8>
    private(set) var sections: [Section]
    /// The comments and blank lines below the last section.
    private(set) var trailing: ArraySlice<UInt8>

    /// Creates the sections of a document; nil if its root mapping isn't in block style.
    init?(_ document: Document) {
        guard case .mapping(.block, let entries) = document.root.shape, !entries.isEmpty else { return nil }
        self.init(entries.map(Part.init), in: document.bytes[...])
        let leading = sections[0].leading
        head = leading.prefix(leading.headLength)
        sections[0].leading = leading.dropFirst(head.count)
    }

    /// Splits an entry or item whose value is a block mapping or block sequence; nil for any other value.
    init?(_ section: Section) {
        switch section.node.shape {
        case .mapping(.block, let entries) where !entries.isEmpty:
            self.init(entries.map(Part.init), in: section.lines)
        case .sequence(.block, let items) where !items.isEmpty:
            self.init(items.map(Part.init), in: section.lines)
        default: return nil
        }
        let leading = sections[0].leading
        sections[0].leading = leading.suffix(leading.commentsLength)
        head = leading.dropLast(sections[0].leading.count)
    }

    private init(_ parts: [Part], in lines: ArraySlice<UInt8>) {
        var end = lines.startIndex
        head = lines.prefix(0)
        sections = parts.map { part in
            let start = max(end, part.lines.lowerBound)
            defer { end = part.lines.upperBound }
            return Section(
                key: part.key, leading: lines[end..<start], lines: lines[start..<part.lines.upperBound],
                node: part.node, indentation: part.indentation)
        }
        trailing = lines[end...]
    }
}

/// An entry or item with its position in the text.
private struct Part {
    var key: String
    var lines: Range<Int>
    var node: Node
    var indentation: Int
}

extension Part {
    init(_ entry: Node.Entry) {
        self.init(key: entry.key, lines: entry.lines, node: entry.value, indentation: entry.indentation)
    }

    init(_ item: Node.Item) {
        self.init(key: "", lines: item.lines, node: item.value, indentation: item.indentation)
    }
}

extension ArraySlice<UInt8> {
    /// The length of the comments and blank lines at the end of the text.
    fileprivate var commentsLength: Int {
        var length = 0
        for range in lineRanges(Array(self)).reversed() {
            let line = dropFirst(range.lowerBound).prefix(range.count).drop { $0 == UInt8(ascii: " ") }
            guard let first = line.first,
                first == UInt8(ascii: "#") || first == LineEnding.cr || first == LineEnding.lf
            else { break }
            length += range.count
        }
        return length
    }

    /// The length of the first lines that belong to the file and not to its first field.
    ///
    /// These are the lines up to the last `---` or blank line.
    fileprivate var headLength: Int {
        var length = 0
        for range in lineRanges(Array(self)) {
            let line = dropFirst(range.lowerBound).prefix(range.count)
            let isBlank = line.allSatisfy {
                $0 == UInt8(ascii: " ") || $0 == LineEnding.cr || $0 == LineEnding.lf
            }
            // Directives come before the `---`.
            if isBlank || line.starts(with: "---".utf8) { length = range.upperBound }
        }
        return length
    }
}
