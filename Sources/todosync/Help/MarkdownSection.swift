/// A section of a Markdown page, with the blocks that README.md uses: paragraphs, lists, tables and code.
struct MarkdownSection {
    enum Block: Equatable {
        case paragraph(String)
        /// An item of a list, with its mark: `-` or `1.`.
        case item(mark: String, String)
        /// A table's rows with their cells; the first row has the titles.
        case table([[String]])
        case code([String])
    }

    private(set) var blocks: [Block] = []

    /// Creates the section below a third-level heading; nil if the page lacks it.
    init?(of page: String, below heading: String) {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == "### \(heading)" }) else { return nil }
        var isCode = false
        let section = lines[(start + 1)...].prefix { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return isCode || !line.hasPrefix("## ") && !line.hasPrefix("### ")
        }
        read(Array(section))
    }

    private mutating func read(_ lines: [Substring]) {
        var rest = lines[...]
        while let line = rest.popFirst() {
            if line.isEmpty { continue }
            if line.hasPrefix("```") {
                blocks.append(.code(rest.prefix { !$0.hasPrefix("```") }.map(String.init)))
                rest = rest.drop { !$0.hasPrefix("```") }.dropFirst()
            } else if line.hasPrefix("|") {
                let rows = [line] + rest.prefix { $0.hasPrefix("|") }
                rest = rest.drop { $0.hasPrefix("|") }
                blocks.append(.table((rows.prefix(1) + rows.dropFirst(2)).map(Self.cells)))
            } else {
                let mark = Self.mark(of: line)
                let more = rest.prefix { line in
                    !line.isEmpty && !line.hasPrefix("|") && !line.hasPrefix("```")
                        && Self.mark(of: line) == nil
                }
                rest = rest.dropFirst(more.count)
                let parts = [line.dropFirst(mark.map { $0.count + 1 } ?? 0)] + more
                let text = parts.map { $0.drop { $0 == " " } }.joined(separator: " ")
                blocks.append(mark.map { .item(mark: $0, text) } ?? .paragraph(text))
            }
        }
    }

    /// Returns the mark of a list's item; nil for other lines.
    private static func mark(of line: Substring) -> String? {
        if line.hasPrefix("- ") { return "-" }
        let number = line.prefix(while: \.isNumber)
        return !number.isEmpty && line.dropFirst(number.count).hasPrefix(". ") ? number + "." : nil
    }

    /// Returns the cells of a table's row; `\|` is not a border.
    private static func cells(_ row: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        var characters = row.dropFirst().makeIterator()
        while let character = characters.next() {
            switch character {
            case "\\": cell += characters.next().map(String.init) ?? ""
            case "|":
                cells.append(cell.trimmed)
                cell = ""
            default: cell.append(character)
            }
        }
        return cells
    }
}

/// A part of a text in Markdown.
enum MarkdownSpan: Equatable {
    case text(String)
    case code(String)
    case emphasis(String)

    /// Returns the parts of a text.
    ///
    /// A link is reduced to its text, followed by its path if it leads to a file of the repository.
    static func spans(of text: String) -> [MarkdownSpan] {
        var spans: [MarkdownSpan] = []
        var plain = ""
        var rest = text[...]
        func end() -> [MarkdownSpan] { plain.isEmpty ? [] : [.text(plain)] }
        while let character = rest.first {
            if character == "`", let close = rest.dropFirst().firstIndex(of: "`") {
                spans += end() + [.code(String(rest[rest.index(after: rest.startIndex)..<close]))]
                (plain, rest) = ("", rest[rest.index(after: close)...])
            } else if character == "*", let close = rest.dropFirst().firstIndex(of: "*") {
                spans += end() + [.emphasis(String(rest[rest.index(after: rest.startIndex)..<close]))]
                (plain, rest) = ("", rest[rest.index(after: close)...])
            } else if character == "[",
                let link = rest.prefixMatch(of: /\[(?<text>[^\]]+)\]\((?<target>[^)]+)\)/)
            {
                let isElsewhere = !link.target.hasPrefix("#") && !link.target.hasPrefix("https:")
                // The link's text can contain code.
                rest = link.text + (isElsewhere ? " (\(link.target))" : "") + rest[link.range.upperBound...]
            } else if rest.hasPrefix("<br>") {
                plain += " "
                rest = rest.dropFirst(4)
            } else {
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        return spans + end()
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
