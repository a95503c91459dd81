internal import ArgumentParser

/// A page of the manual, in the format of man(7).
struct ManualPage {
    /// The file's name: `todosync-add.1`.
    let name: String
    let text: String

    /// The folder of its section: `man1`.
    var folder: String { "man" + (name.split(separator: ".").last ?? "1") }

    /// The pages of the program, of each command and of each topic.
    static var all: [ManualPage] {
        program + NamedCommand.below(Todosync.self).flatMap { pages(of: $0, name: ["todosync", $0.name]) }
            + HelpTopic.allCases.map(page)
    }

    // MARK: Commands

    private static var program: [ManualPage] {
        let configuration = Todosync.configuration
        var writer = RoffWriter(title: "todosync", section: 1, abstract: configuration.abstract)
        writer.heading("SYNOPSIS")
        writer.usage("todosync [<options>] <command> ...")
        writer.heading("OPTIONS")
        writer.arguments(CommandOutline(GlobalOptions.self).options)
        for group in configuration.groupedSubcommands {
            writer.heading("COMMANDS: " + group.name.uppercased())
            for command in group.subcommands {
                guard let name = command.configuration.commandName else { continue }
                writer.term(bold: "todosync-\(name)(1)", command.configuration.abstract)
            }
        }
        writer.heading("TOPICS")
        for topic in HelpTopic.allCases { writer.term(bold: topic.manualName, topic.summary) }
        return [ManualPage(name: "todosync.1", text: writer.text)]
    }

    private static func pages(of command: NamedCommand, name: [String]) -> [ManualPage] {
        let configuration = command.type.configuration
        let outline = CommandOutline(command.type)
        let below = NamedCommand.below(command.type)
        var writer = RoffWriter(
            title: name.joined(separator: "-"), section: 1, abstract: configuration.abstract)
        writer.heading("SYNOPSIS")
        let usage = configuration.usage ?? "\(name.joined(separator: " ")) <command>"
        for line in usage.split(separator: "\n") { writer.usage(String(line)) }
        writer.heading("DESCRIPTION")
        for paragraph in paragraphs(configuration.discussion) { writer.paragraph(paragraph) }
        if !outline.positionals.isEmpty {
            writer.heading("ARGUMENTS")
            writer.arguments(outline.positionals)
        }
        writer.heading("OPTIONS")
        writer.arguments(outline.options)
        if !below.isEmpty {
            writer.heading("COMMANDS")
            for next in below {
                writer.term(
                    bold: (name + [next.name]).joined(separator: "-") + "(1)", next.abstract)
            }
        }
        writer.heading("SEE ALSO")
        writer.paragraph("todosync(1)")
        let page = ManualPage(name: name.joined(separator: "-") + ".1", text: writer.text)
        return [page] + below.flatMap { pages(of: $0, name: name + [$0.name]) }
    }

    /// Returns the paragraphs of a command's discussion.
    private static func paragraphs(_ discussion: String) -> [String] {
        var paragraphs: [String] = [""]
        for line in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                paragraphs.append("")
            } else {
                paragraphs[paragraphs.count - 1] += (paragraphs.last == "" ? "" : " ") + line
            }
        }
        return paragraphs.filter { !$0.isEmpty }
    }

    // MARK: Topics

    private static func page(of topic: HelpTopic) -> ManualPage {
        var writer = RoffWriter(
            title: "todosync-\(topic.rawValue)", section: topic.manualSection, abstract: topic.summary)
        writer.heading("DESCRIPTION")
        let page = topic.page
        for block in page.blocks { writer.block(block) }
        writer.heading("SEE ALSO")
        writer.paragraph(
            (["todosync(1)"] + topic.related(in: page).map(\.manualName)).joined(separator: ", "))
        return ManualPage(name: "todosync-\(topic.rawValue).\(topic.manualSection)", text: writer.text)
    }
}

extension HelpTopic {
    /// The section of the manual: 5 for file formats, 7 for everything else.
    fileprivate var manualSection: Int {
        switch self {
        case .files, .configuration: 5
        default: 7
        }
    }

    fileprivate var manualName: String { "todosync-\(rawValue)(\(manualSection))" }
}

extension Interpreter {
    /// The option that writes the manual's pages into a folder, for packagers.
    private static let manualOption = "--generate-man-pages"

    /// Returns the folder to write the manual's pages to; nil for other arguments.
    func manualFolder(_ arguments: [String]) -> String? {
        arguments.count == 2 && arguments[0] == Self.manualOption ? arguments[1] : nil
    }

    /// Writes the manual's pages into folders such as `man1` below a folder.
    func writeManual(to folder: String) throws {
        let folder = TypedPath(typed: folder, currentDirectory: try currentDirectory()).absolute
        for page in ManualPage.all {
            try createFolders("\(folder)/\(page.folder)")
            try replaceFile(
                "\(folder)/\(page.folder)/\(page.name)", with: Array(page.text.utf8), isDurable: false)
        }
    }
}

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

    /// Writes a block of a Markdown page.
    mutating func block(_ block: MarkdownPage.Block) {
        switch block {
        case .heading(let heading):
            text += ".SS \(Self.quoted(heading))\n"
            isBegun = true
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
