/// Returns a page without its title as text for a terminal with a width.
func plainText(_ page: MarkdownPage, width: Int) -> String {
    var text = ""
    var isInList = false
    for (index, block) in page.blocks.enumerated() {
        let isItem = if case .item = block { true } else { false }
        if index > 0, !(isInList && isItem) { text += "\n" }
        isInList = isItem
        switch block {
        case .heading(let heading): text += wrapped(plainText(heading).uppercased(), width: width)
        case .paragraph(let paragraph): text += wrapped(plainText(paragraph), width: width)
        case .item(let mark, let item):
            let indent = mark.count + 3
            text += wrapped(
                plainText(item), width: width, first: "  \(mark) ",
                indent: String(repeating: " ", count: indent))
        case .table(let rows): text += plainTable(rows, width: width)
        case .code(let lines): text += lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
        }
    }
    return text
}

/// Returns a text without its Markdown syntax.
///
/// Code with several words, such as a command, is in quotation marks.
private func plainText(_ text: String) -> String {
    MarkdownSpan.spans(of: text).map { span in
        switch span {
        case .text(let text), .emphasis(let text): text
        case .code(let code): code.contains(" ") && !code.contains("\"") ? "\"\(code)\"" : code
        }
    }.joined()
}

/// Returns a table as a list of its first column, with the other columns as explanations.
private func plainTable(_ rows: [[String]], width: Int) -> String {
    guard let titles = rows.first else { return "" }
    let widest = rows.dropFirst().map { displayWidth(plainCell($0.first ?? "")) }.max() ?? 0
    let indent = String(repeating: " ", count: 2 + min(widest, width / 3) + 2)
    return rows.dropFirst().map { row in
        let term = plainCell(row.first ?? "")
        let cells = zip(titles, row).dropFirst().filter { !$1.isEmpty }
        // A single explanation needs no title.
        let paragraphs = cells.map { title, cell in
            cells.count == 1 || titles.count == 2
                ? plainText(cell) : "\(plainText(title)): \(plainText(cell))"
        }
        var lines = ""
        var first = "  " + term
        if displayWidth(first) + 2 > indent.count || paragraphs.isEmpty {
            lines += wrapped(term, width: width, first: "  ", indent: "  ")
            first = indent
        } else {
            first += String(repeating: " ", count: indent.count - displayWidth(first))
        }
        for paragraph in paragraphs {
            lines += wrapped(paragraph, width: width, first: first, indent: indent)
            first = indent
        }
        return lines
    }.joined()
}

/// Returns a cell without quotation marks around code, because a column sets it apart.
private func plainCell(_ text: String) -> String {
    MarkdownSpan.spans(of: text).map { span in
        switch span {
        case .text(let text), .emphasis(let text), .code(let text): text
        }
    }.joined()
}

/// Returns a line, or several lines with the same indentation if it is wider than a terminal.
///
/// - Parameter width: The width in columns; nil if lines are never broken, as in a pipe.
func fitted(_ text: String, width: Int?) -> String {
    guard let width else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
        guard displayWidth(String(line)) > width else { return String(line) }
        let indent = String(line.prefix { $0 == " " })
        return String(wrapped(String(line), width: width, first: indent, indent: indent).dropLast())
    }
    return lines.joined(separator: "\n")
}

/// Returns a text in lines that fit a width, unless a single word is wider.
func wrapped(_ text: String, width: Int, first: String = "", indent: String = "") -> String {
    var lines = ""
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
        if !isEmpty, displayWidth(line) + 1 + displayWidth(String(word)) > width {
            lines += line + "\n"
            (line, isEmpty) = (indent, true)
        }
        line += (isEmpty ? "" : " ") + word
        isEmpty = false
    }
    return lines + line + "\n"
}
