/// Writes a page of the manual in the requests of man(7).
struct RoffWriter {
    private(set) var text: String
    /// Whether the next paragraph needs no request, because it follows a heading.
    private var isBegun = false

    /// Creates a page with its title and the section NAME.
    init(title: String, section: Int, abstract: String) {
        let summary = abstract.hasSuffix(".") ? String(abstract.dropLast()) : abstract
        text = ".TH \(Self.quoted(title.uppercased())) \(section) \"\" \"todosync\" \"todosync\"\n"
        heading("NAME")
        line("\(Self.escaped(title)) \\- \(Self.escaped(summary))")
    }

    mutating func heading(_ title: String) {
        text += ".SH \(Self.quoted(title))\n"
        isBegun = true
    }

    mutating func usage(_ usage: String) {
        if !isBegun { text += ".br\n" }
        line(Self.escaped(usage))
    }

    mutating func paragraph(_ paragraph: String) {
        beginParagraph()
        line(Self.escaped(paragraph))
    }

    private mutating func beginParagraph() {
        if !isBegun { text += ".PP\n" }
    }

    /// Writes a word with its explanation.
    mutating func term(bold word: String, _ explanation: String) {
        text += ".TP\n"
        line("\\fB\(Self.escaped(word))\\fR")
        line(Self.escaped(explanation))
    }

    mutating func arguments(_ arguments: [CommandOutline.Argument]) {
        for argument in arguments {
            let value = argument.kind == .flag ? "" : "<\(argument.valueName)>"
            let name = argument.names.joined(separator: ", ")
            var explanation = argument.abstract
            if !argument.values.isEmpty {
                explanation += " One of: " + argument.values.joined(separator: ", ") + "."
            }
            if let standard = argument.defaultValue, argument.kind != .flag {
                explanation += " Default: \(standard)."
            }
            term(
                bold: [name, value].filter { !$0.isEmpty }.joined(separator: " "),
                explanation.isEmpty ? value : explanation)
        }
    }

    /// Writes a block of a Markdown section.
    mutating func block(_ block: MarkdownSection.Block) {
        switch block {
        case .paragraph(let paragraph):
            beginParagraph()
            line(Self.formatted(paragraph))
        case .item(let mark, let item):
            text += ".IP \(mark == "-" ? "\\(bu" : Self.quoted(mark)) 4\n"
            line(Self.formatted(item))
        case .table(let rows):
            for row in rows.dropFirst() {
                text += ".TP\n"
                line(Self.formatted(row.first ?? ""))
                let cells = zip(rows[0], row).dropFirst().filter { !$1.isEmpty }
                for (number, (title, cell)) in cells.enumerated() {
                    if number > 0 { text += ".br\n" }
                    line(Self.formatted(rows[0].count > 2 && cells.count > 1 ? "\(title): \(cell)" : cell))
                }
            }
        case .code(let lines):
            beginParagraph()
            text += ".RS 4\n.nf\n"
            for code in lines { line(Self.escaped(code)) }
            text += ".fi\n.RE\n"
        }
    }

    /// Writes a line of text, escaped if it looks like a request.
    private mutating func line(_ line: String) {
        text += (line.first.map(".'".contains) == true ? "\\&" : "") + line + "\n"
        isBegun = false
    }

    private static func formatted(_ text: String) -> String {
        MarkdownSpan.spans(of: text).map { span in
            switch span {
            case .text(let text): escaped(text)
            case .code(let code): "\\fB\(escaped(code))\\fR"
            case .emphasis(let text): "\\fI\(escaped(text))\\fR"
            }
        }.joined()
    }

    /// Returns a text with roff's special characters escaped, as man-pages(7) recommends.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            default: escaped.append(character)
            }
        }
    }

    /// Returns a text as the quoted argument of a request.
    private static func quoted(_ text: String) -> String {
        "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
    }
}
