import Foundation
import TestSupport
import Testing

@testable import todosync

/// The pages of the manual.
@Suite(.ownThreads) struct ManualPageTests {
    private func names(below command: NamedCommand, _ name: String) -> [String] {
        [name] + NamedCommand.below(command.type).flatMap { names(below: $0, "\(name)-\($0.name)") }
    }

    @Test func `each command and topic has a page, which describes it`() throws {
        let commands = names(below: NamedCommand(name: "todosync", type: Todosync.self), "todosync")
        let topics = HelpTopic.allCases.map { "todosync-\($0.rawValue)" }
        let pages = ManualPage.all
        #expect(
            pages.map { $0.name.split(separator: ".").dropLast().joined() }.sorted()
                == (commands + topics).sorted())
        for page in pages {
            #expect(page.text.contains("\n.SH \"NAME\"\n"), "\(page.name)")
            #expect(page.text.split(separator: "\n").count > 10, "\(page.name)")
        }
        #expect(pages.first { $0.name == "todosync-files.5" }?.folder == "man5")
    }

    @Test func `a command's page has what its help has`() throws {
        let page = try #require(ManualPage.all.first { $0.name == "todosync-list.1" }).text
        #expect(page.hasPrefix(".TH \"TODOSYNC\\-LIST\" 1 "))
        #expect(page.contains("\ntodosync\\-list \\- List open todos\n"))
        #expect(page.contains("\ntodosync list [<options>] [<filter>...]\n"))
        #expect(page.contains("\n.SH \"DESCRIPTION\"\nExample: todosync list milk"))
        #expect(
            page.contains(
                "\n\\fB\\-\\-sort <key>\\fR\nSort by this key first. One of: due, priority, text, path."))
    }

    /// The roff requests that the pages use.
    private static let requests: Set<Substring> = [
        ".TH", ".SH", ".SS", ".PP", ".TP", ".IP", ".br", ".nf", ".fi", ".RS", ".RE",
    ]

    @Test func `no text is taken for a request, and no escape is left open`() {
        for page in ManualPage.all {
            for line in page.text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
                #expect(Self.requests.contains(line.prefix { $0 != " " }), "\(page.name): \(line)")
            }
            let escapes = page.text.matches(of: #/\\(.)/#).map { $0.output.1 }
            #expect(Set(escapes).isSubset(of: ["-", "e", "(", "f", "&"]), "\(page.name)")
        }
    }

    @Test func `text that roff would change is escaped`() {
        var writer = RoffWriter(title: "x", section: 1, abstract: "Does \"it\".")
        writer.paragraph(".gitignore's \\n -a")
        writer.block(.heading("Its \"end\""))
        writer.block(.code(["'x' `y`", "", "..."]))
        #expect(
            writer.text == #"""
                .TH "X" 1 "" "todosync" "todosync"
                .SH "NAME"
                x \- Does "it"
                .PP
                \&.gitignore\(aqs \en \-a
                .SS "Its \(dqend\(dq"
                .RS 4
                .nf
                \(aqx\(aq \(gay\(ga

                \&...
                .fi
                .RE

                """#)
    }

    private static let groff = "/usr/bin/groff"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: groff), "groff is not installed"))
    func `the pages are written where man looks for them, and groff has no warnings`() throws {
        let folder = try ThrowAwayFolder()
        let result = try Program.todosync("--generate-man-pages", "share/man", in: folder.path)
        #expect(result.status == 0)
        #expect(result.output + result.errors == "")
        for page in ManualPage.all {
            let path = "\(folder.path)/share/man/\(page.folder)/\(page.name)"
            #expect(try String(contentsOfFile: path, encoding: .utf8) == page.text)
            let formatted = try ChildProcess.run([Self.groff, "-man", "-ww", "-Tutf8", "-K", "utf8", path])
            #expect(String(decoding: formatted.errors, as: UTF8.self) == "", "\(page.name)")
            #expect(formatted.status == 0)
        }
    }

    @Test func `a folder that can't be written is an error`() throws {
        let folder = try ThrowAwayFolder()
        try folder.write("", to: "file")
        let result = try Program.todosync("--generate-man-pages", "file", in: folder.path)
        #expect(result.status == 73)
        #expect(result.errors.hasPrefix("error: can't create the folder"))
    }
}
