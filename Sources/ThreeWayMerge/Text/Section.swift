import LosslessYAML

/// A part of a text in block style: a mapping's entry or a sequence's item, with the comments and blank lines
/// before it.
struct Section {
    /// The entry's key; empty for an item.
    var key: String
    /// The comments and blank lines before the part's first line.
    var leading: ArraySlice<UInt8>
    /// The part's whole lines.
    var lines: ArraySlice<UInt8>
    var node: Node
    /// The column of the key or of the `-`.
    var indentation: Int

    /// The part with the comments and blank lines before it.
    var text: [UInt8] { Array(leading + lines) }
}

/// A block mapping or block sequence as its sections, at least one.
struct SectionedText {
    /// The text before the first section.
    ///
    /// In a file this is the directives and the first comments, up to a blank line; in a nested collection
    /// the lines with its key.
    private(set) var head: ArraySlice<UInt8>
    private(set) var sections: [Section]
    /// The comments and blank lines after the last section.
    private(set) var trailing: ArraySlice<UInt8>

    /// Divides a document; nil if its top mapping is not in block style.
    init?(_ document: Document) {
        guard case .mapping(.block, let entries) = document.root.shape, !entries.isEmpty else { return nil }
        self.init(entries.map(Part.init), in: document.bytes[...])
        let leading = sections[0].leading
        head = leading.prefix(leading.headLength)
        sections[0].leading = leading.dropFirst(head.count)
    }

    /// Divides the lines of an entry or item whose value is a block mapping or block sequence; nil for any
    /// other value.
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

/// The place of an entry or item in a text.
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
    /// The length of the comments and blank lines at the end.
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

    /// The length of the first lines that belong to the file rather than to its first field.
    ///
    /// These are all lines up to the `---` or the last blank line.
    fileprivate var headLength: Int {
        var length = 0
        for range in lineRanges(Array(self)) {
            let line = dropFirst(range.lowerBound).prefix(range.count)
            let isBlank = line.allSatisfy {
                $0 == UInt8(ascii: " ") || $0 == LineEnding.cr || $0 == LineEnding.lf
            }
            // Directives come before a `---`.
            if isBlank || line.starts(with: "---".utf8) { length = range.upperBound }
        }
        return length
    }
}
