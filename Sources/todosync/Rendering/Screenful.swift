internal import SyncEngine

/// The part of a long result that fits on one terminal screen.
struct Screenful {
    /// The height of the terminal in lines; nil to show everything.
    private let height: Int?
    private let width: Int

    /// The fewest lines of a cut section: one item and the count of the rest.
    private static let fewestLines = 2

    init(_ style: Style) {
        height = style.height
        width = style.width ?? .max
    }

    /// Returns the number of lines that a text takes on the terminal, including wrapped lines.
    func lineCount(_ text: some StringProtocol) -> Int {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines.reduce(0) { sum, line in
            sum + max(1, (displayWidth(String(line)) - 1) / width + 1)
        }
    }

    /// Returns the first entries of a list that fit, followed by the count of the rest.
    ///
    /// - Parameters:
    ///   - gap: The number of empty lines between entries.
    ///   - render: Returns an entry as text.
    func list<Entry>(_ entries: [Entry], gap: Int, render: (Entry) -> String) -> String {
        let separator = String(repeating: "\n", count: gap)
        guard let height else { return entries.map(render).joined(separator: separator) }
        // The last lines are for the shell's prompt and for the count of the rest.
        var free = height - 1
        var shown: [String] = []
        for (index, entry) in entries.enumerated() {
            let text = render(entry)
            let needed = lineCount(text) + (index > 0 ? gap : 0)
            let isLast = index == entries.count - 1
            if !shown.isEmpty, needed > free - (isLast ? 0 : gap + 1) { break }
            free -= needed
            shown.append(text)
        }
        if shown.count < entries.count { shown.append(Self.rest(entries.count - shown.count)) }
        return shown.joined(separator: separator)
    }

    /// Returns sections with an empty line between them, and cuts the longest if they don't all fit.
    func joined(_ sections: [ReportSection]) -> String {
        let sections = sections.filter { !$0.isEmpty }
        guard let height else {
            return sections.map { $0.head + $0.lines.joined() }.joined(separator: "\n")
        }
        let needs = sections.map { section in section.lines.reduce(0) { $0 + lineCount($1) } }
        let most = mostLines(needs, free: height - sections.reduce(0) { $0 + lineCount($1.head) + 1 })
        return zip(sections, needs).map { section, need in
            guard need > most else { return section.head + section.lines.joined() }
            var free = most - 1
            let shown = section.lines.enumerated().prefix { index, line in
                free -= lineCount(line)
                return free >= 0 || index == 0
            }
            let rest = Self.rest(section.lines.count - shown.count)
            return section.head + shown.map(\.element).joined() + "  " + rest
        }.joined(separator: "\n")
    }

    /// Returns the largest number of lines per section that lets all sections fit.
    private func mostLines(_ needs: [Int], free: Int) -> Int {
        var most = max(Self.fewestLines, free)
        while most > Self.fewestLines, needs.reduce(0, { $0 + min($1, most) }) > free { most -= 1 }
        return most
    }

    private static func rest(_ count: Int) -> String { "… and \(count.grouped) more (--all)\n" }
}

/// A part of a report: a title and a line for each item.
struct ReportSection {
    /// The title and the hint, with line feeds.
    var head: String
    /// The lines, each with a line feed.
    var lines: [String] = []

    var isEmpty: Bool { head.isEmpty && lines.isEmpty }
}
