/// A Markdown page's code blocks, code spans, links and tables.
struct Markdown {
    struct Block {
        let language: Substring
        let lines: [Substring]
        /// The line directly above the block.
        let lineAbove: Substring

        /// Returns what the comment directly above the block says after some words, such as
        /// `<!-- not run: REASON -->`; nil without such a comment.
        func note(after words: String) -> Substring? {
            let beginning = "<!-- " + words
            guard lineAbove.hasPrefix(beginning), lineAbove.hasSuffix(" -->") else { return nil }
            let note = lineAbove.dropFirst(beginning.count).dropLast(" -->".count)
            return note.isEmpty ? nil : note
        }
    }

    struct Table {
        /// The heading above the table, without its number signs.
        let heading: Substring
        /// The cells of each line except the second; the first line contains the titles.
        let rows: [[Substring]]
    }

    private(set) var blocks: [Block] = []
    /// The lines outside of code blocks.
    private(set) var prose: [Substring] = []

    init(_ text: String) {
        var block: (language: Substring, lines: [Substring], lineAbove: Substring)?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let ended = block {
                    blocks.append(
                        Block(language: ended.language, lines: ended.lines, lineAbove: ended.lineAbove))
                    block = nil
                } else {
                    block = (line.dropFirst(3), [], prose.last ?? "")
                }
            } else if block != nil {
                block?.lines.append(line)
            } else {
                prose.append(line)
            }
        }
    }

    /// The texts between backticks.
    var codeSpans: [Substring] { prose.flatMap(Self.codeSpans) }

    static func codeSpans(in text: Substring) -> [Substring] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    }

    var tables: [Table] {
        var tables: [Table] = []
        var heading: Substring = ""
        var rows: [[Substring]] = []
        for line in prose + [""] {
            if line.hasPrefix("|") {
                rows.append(cells(of: line))
            } else if !rows.isEmpty {
                rows.remove(at: 1)
                tables.append(Table(heading: heading, rows: rows))
                rows = []
            }
            if line.hasPrefix("#") { heading = line.drop { $0 == "#" || $0 == " " } }
        }
        return tables
    }

    /// Returns the cells of a table's line; a vertical bar in a cell is escaped.
    private func cells(of line: Substring) -> [Substring] {
        line.dropFirst().dropLast().replacing("\\|", with: "\u{0}").split(
            separator: "|", omittingEmptySubsequences: false
        ).map { cell in
            let text = cell.drop { $0 == " " }.replacing("\u{0}", with: "|")
            return Substring(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The targets of the links.
    var links: [Substring] {
        prose.flatMap { line in line.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1) }
    }

    /// The paths of the pictures.
    var pictures: [Substring] {
        prose.flatMap { line in line.matches(of: /(?:src|srcset)="([^"]+)"/).map(\.output.1) }
    }

    /// The names of the pages that links in DocC's form lead to: `<doc:Dates>`.
    var documents: [String] {
        prose.flatMap { line in line.matches(of: /<doc:([^>]+)>/).map { String($0.output.1) } }
    }

    /// The headings in the form that links use: `#how-it-works`.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
                let kept = title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
                return "#" + kept.map { $0 == " " ? "-" : String($0) }.joined()
            })
    }
}
