/// A Markdown page, with the blocks that the documentation uses: headings, paragraphs, lists, tables and
/// code.
struct MarkdownPage {
    enum Block: Equatable {
        case heading(String)
        case paragraph(String)
        /// An item of a list, with its mark: `-` or `1.`.
        case item(mark: String, String)
        /// A table's rows with their cells; the first row has the titles.
        case table([[String]])
        case code([String])
    }

    let title: String
    private(set) var blocks: [Block] = []

    /// Parses a page, which begins with its title.
    init(_ page: String) {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        title = lines.first.map { String($0.drop { $0 == "#" || $0 == " " }) } ?? ""
        read(Array(lines.dropFirst()))
    }

    /// The targets of the links, except in code.
    var links: [Substring] {
        blocks.flatMap { block -> [String] in
            switch block {
            case .heading(let text), .paragraph(let text), .item(_, let text): [text]
            case .table(let rows): rows.flatMap(\.self)
            case .code: []
            }
        }.flatMap { $0.matches(of: /\]\(([^)]+)\)/).map { Substring(String($0.output.1)) } }
    }

    private mutating func read(_ lines: [Substring]) {
        var rest = lines[...]
        while let line = rest.popFirst() {
            // A comment says how the code below it is tested.
            if line.isEmpty || line.hasPrefix("<!--") { continue }
            if line.hasPrefix("##") {
                blocks.append(.heading(String(line.drop { $0 == "#" || $0 == " " })))
            } else if line.hasPrefix("```") {
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
    /// A link is reduced to its text. If it leads to a file of the repository that isn't the page of a topic,
    /// the file's path from the repository's root follows.
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
                let path = path(ofLink: link.target).map { " (\($0))" } ?? ""
                // The link's text can contain code.
                rest = link.text + path + rest[link.range.upperBound...]
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

    /// Returns the path of the file that a page's link leads to, from the repository's root; nil for pages of
    /// topics and for links to anything else.
    private static func path(ofLink target: Substring) -> String? {
        let name = HelpTopic.pageName(ofLink: target)
        if let name, HelpTopic.allCases.contains(where: { $0.pageName == String(name) }) { return nil }
        let path = target.prefix { $0 != "#" }
        if path.hasPrefix("../../../") { return String(path.dropFirst("../../../".count)) }
        return path.hasPrefix("../../") ? "Sources/" + path.dropFirst("../../".count) : nil
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
