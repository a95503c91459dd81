import Foundation
import TestSupport
import Testing

/// Tests README.md and the pages in the modules' DocC catalogs.
@Suite(.ownThreads) struct DocumentationTests {
    /// The maximum number of lines of README.md; everything else is on a page of its own.
    static let mostLinesOfReadme = 250
    static let widestLine = 120

    static let pages = Repository.files.filter { file in
        file.path == "README.md" || file.path.hasSuffix(".md") && file.path.contains(".docc/")
    }

    @Test func `README is short`() {
        let lines = SourceFile(path: "README.md").text.split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count - 1 <= Self.mostLinesOfReadme)
    }

    @Test(arguments: pages.map(\.path)) func `lines of text are narrow`(path: String) {
        for line in Markdown(SourceFile(path: path).text).prose where !line.hasPrefix("|") {
            #expect(line.count <= Self.widestLine, "\(line)")
        }
    }

    // MARK: Links

    /// The pages, the guides, and other texts in Markdown; the help's links to pages are left out.
    private static let texts = Repository.files.map(\.path)
        .filter { $0.hasSuffix(".md") && !$0.hasPrefix("Sources/todosync/Help/") }

    @Test(arguments: texts) func `links lead to existing files and headings`(path: String) {
        let page = Markdown(SourceFile(path: path).text)
        for link in page.links + page.pictures where !link.hasPrefix("https://") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? path : Self.path(of: parts[0], from: path)
            #expect(Repository.exists(target), "\(link)")
            if parts.count > 1 {
                let anchors = Markdown(SourceFile(path: target).text).anchors
                // DocC's own links to headings keep their capital letters.
                #expect(anchors.contains("#" + parts[1].lowercased()), "\(link)")
            }
        }
        for name in page.documents {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            #expect(Repository.exists("\(folder)/\(name).md"), "doc:\(name)")
        }
    }

    /// Returns the path of a link's target from the repository's root.
    private static func path(of link: Substring, from page: String) -> String {
        var parts = page.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    @Test(arguments: ["todosync", "SyncServer"]) func `an overview links to each page of its catalog`(
        module: String
    ) {
        let folder = "Sources/\(module)/\(module).docc/"
        let overview = Markdown(SourceFile(path: "\(folder)\(module).md").text)
        let names = Set(
            Self.pages.map(\.path).filter { $0.hasPrefix(folder) }.map {
                $0.dropFirst(folder.count).dropLast(3)
            }
        )
        .subtracting([module[...]])
        #expect(Set(overview.documents.map { $0[...] }) == names)
        // GitHub shows only these links.
        for name in names { #expect(overview.links.contains("\(name).md"), "\(name)") }
    }

    // MARK: Code

    /// The languages of blocks that nobody runs; all others contain commands or programs.
    private static let languagesOfData: Set<Substring> = ["text", "json", "yaml"]

    @Test(arguments: pages.map(\.path))
    func `each command and program is run by a test, or a comment has the reason`(path: String) {
        for block in Markdown(SourceFile(path: path).text).blocks {
            // The tests of transcripts run all blocks with this name.
            if block.language == "console" { continue }
            let hasCommands = block.lines.contains { $0.hasPrefix("$ ") }
            if Self.languagesOfData.contains(block.language), !hasCommands { continue }
            let beginning = "\(block.language): \(block.lines.first ?? "")"
            if let tester = block.note(after: "run by ") {
                #expect(Repository.exists(String(tester.prefix { $0 != "," })), "\(beginning)")
            } else {
                #expect(block.note(after: "not run: ") != nil, "\(beginning)")
            }
        }
    }

    @Test(arguments: pages.map(\.path)) func `each block names its language`(path: String) {
        for block in Markdown(SourceFile(path: path).text).blocks {
            #expect(!block.language.isEmpty, "\(block.lines.first ?? "")")
        }
    }

    @Test func `every named command has a help page`() throws {
        let pages = Self.pages.map { Markdown($0.text) }
        let shellLines = pages.flatMap(\.blocks).filter { $0.language == "console" }.flatMap(\.lines)
            .filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
        let commands = Set((pages.flatMap(\.codeSpans) + shellLines).compactMap(commandName))
        #expect(commands.contains("push"))
        for command in commands {
            let result = try run(buildFolder.appending(path: "todosync"), [command, "--help"])
            #expect(result.status == 0, "\(command)")
            #expect(result.output.contains("USAGE: todosync \(command)"), "\(command)")
        }
    }

    // MARK: Words

    @Test func `the messages on the page for troubleshooting are in the code`() throws {
        let page = Markdown(SourceFile(path: "Sources/todosync/todosync.docc/Troubleshooting.md").text)
        let messages = page.tables.flatMap { $0.rows.dropFirst() }.flatMap { Markdown.codeSpans(in: $0[0]) }
        try #require(messages.count > 20)
        let code = Repository.files.filter { $0.path.hasPrefix("Sources/") && $0.path.hasSuffix(".swift") }
            .map(\.text).joined()
        for message in messages {
            // Dots stand for what differs from case to case.
            for part in message.split(separator: "…") {
                let words = part.trimmingCharacters(in: CharacterSet(charactersIn: " :"))
                #expect(words.isEmpty || code.contains(words), "\(message)")
            }
        }
    }

    @Test func `the glossary is short`() throws {
        let page = Markdown(SourceFile(path: "Sources/todosync/todosync.docc/Glossary.md").text)
        let words = try #require(page.tables.first).rows.dropFirst().flatMap { $0[0].split(separator: ", ") }
        #expect(words.count <= 40)
        let terms = try #require(page.tables.first).rows.dropFirst().map { $0[0] }
        #expect(terms == terms.sorted())
        #expect(Set(words).count == words.count)
    }
}

/// Returns the word after `todosync` if it is a command's name, not a placeholder, an option or `help`.
private func commandName(_ text: Substring) -> String? {
    let words = text.split(separator: " ")
    guard words.count > 1, words[0] == "todosync", words[1].allSatisfy({ $0.isLowercase }), words[1] != "help"
    else { return nil }
    return String(words[1])
}
