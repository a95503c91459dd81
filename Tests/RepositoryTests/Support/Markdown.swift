/// A page in Markdown: its blocks of code, its spans of code, its links.
struct Markdown {
    struct Block {
        let language: Substring
        let lines: [Substring]
    }

    private(set) var blocks: [Block] = []
    /// The lines outside blocks of code.
    private(set) var prose: [Substring] = []

    init(_ text: String) {
        var block: (language: Substring, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let ended = block {
                    blocks.append(Block(language: ended.language, lines: ended.lines))
                    block = nil
                } else {
                    block = (line.dropFirst(3), [])
                }
            } else if block != nil {
                block?.lines.append(line)
            } else {
                prose.append(line)
            }
        }
    }

    /// What stands between backticks.
    var codeSpans: [Substring] {
        prose.flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        }
    }

    /// Where the links lead.
    var links: [Substring] {
        prose.flatMap { line in line.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1) }
    }

    /// The headings as links name them: `#how-it-works`.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.hasPrefix("#") }.map { line in
                let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
                let kept = title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
                return "#" + kept.map { $0 == " " ? "-" : String($0) }.joined()
            })
    }
}
