import Foundation
import TestSupport
import Testing

@testable import todosync

/// The help that isn't about a single command.
@Suite(.ownThreads) struct HelpTopicTests {
    @Test(arguments: HelpTopic.allCases) func `a topic is explained in lines of the terminal's width`(
        topic: HelpTopic
    ) throws {
        let result = try Program.todosync("help", topic.rawValue, in: "/")
        #expect(result.status == 0)
        #expect(result.errors == "")
        let lines = result.output.split(separator: "\n").map(String.init)
        let page = topic.page
        #expect(lines.first == page.title)
        #expect(lines.count > 5)
        let code = Set(
            page.blocks.flatMap { block -> [String] in
                if case .code(let lines) = block { lines.map { "    " + $0 } } else { [] }
            })
        let text = lines.filter { !code.contains($0) }
        let signs = ["`", "](", "**", "<br>", "| ", "<!--", "##"].filter { sign in
            text.contains { $0.contains(sign) }
        }
        #expect(signs == [])
        for width in [40, 80, 120] {
            let wide = plainText(page, width: width).split(separator: "\n").filter { line in
                // Code and long words aren't wrapped.
                displayWidth(String(line)) > width && line.split(separator: " ").count > 1
                    && !line.hasPrefix("    ")
            }
            #expect(wide == [])
        }
    }

    @Test func `each topic has a page of its own, to which the folder of pages has a link`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/todosync/Help/Pages")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == HelpTopic.allCases.map { $0.pageName + ".md" }.sorted())
        for topic in HelpTopic.allCases {
            let link = folder.appendingPathComponent(topic.pageName + ".md")
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
            #expect(target.hasSuffix(".docc/\(topic.pageName).md"))
            #expect(try MarkdownPage(String(contentsOf: link, encoding: .utf8)).title == topic.page.title)
        }
        #expect(Set(HelpTopic.allCases.map(\.page.title)).count == HelpTopic.allCases.count)
    }

    @Test func `a topic names those that it links to`() throws {
        let lines = try Program.todosync("help", "handlers", in: "/").output.split(separator: "\n")
        #expect(lines.last == "Related topics: merging")
    }

    @Test(arguments: [["help", "dates"], ["-q", "help", "dates"], ["help", "--no-pager", "dates"]])
    func `options can stand around it`(arguments: [String]) throws {
        #expect(
            try Program.todosync(arguments, in: "/").output.hasPrefix("Dates\n\nWherever you type a date"))
    }

    @Test(arguments: [
        ("remote", "USAGE: todosync remote"), ("ls", "USAGE: todosync list"),
        ("untick", "USAGE: todosync tick"),
    ])
    func `a command's help stays`(name: String, beginning: String) throws {
        let result = try Program.todosync("help", name, in: "/")
        #expect(result.status == 0)
        #expect(result.output.contains(beginning))
    }

    @Test(arguments: [
        ("filtesr", "did you mean \"todosync help filters\"? run"), ("xyz", "run"),
    ])
    func `an unknown topic is an error that names a similar one`(typed: String, hint: String) throws {
        let result = try Program.todosync("help", typed, in: "/")
        #expect(result.status == 64)
        #expect(result.output == "")
        #expect(
            result.errors
                == "error: there is no help on '\(typed)'\nhint: \(hint) \"todosync help --all\" to list "
                + "all commands and topics\n")
    }

    @Test func `a command of another program is answered with those of todosync`() throws {
        let result = try Program.todosync("help", "commit", in: "/")
        #expect(result.status == 64)
        #expect(
            result.errors.hasPrefix(
                "error: there is no command 'commit'\nhint: every change is pending at once;"))
    }

    @Test func `a topic is paged at a terminal`() throws {
        let folder = try ThrowAwayFolder()
        let terminal = try TerminalSession(
            ["help", "dates"], in: folder.path, environment: ["PAGER": "sed s/^/paged:/"], size: (10, 50))
        try terminal.expect("paged:Wherever you type a date, todosync understands\npaged:these forms")
        #expect(try terminal.end() == 0)
    }

    /// Returns the names and discussions of all commands.
    private static func discussions(
        below command: NamedCommand = NamedCommand(name: "todosync", type: Todosync.self),
        name: String = "todosync"
    ) -> [(String, String)] {
        NamedCommand.below(command.type).flatMap { next in
            let name = "\(name) \(next.name)"
            return [(name, next.discussion)] + discussions(below: next, name: name)
        }
    }

    @Test func `the help of every command begins with an example of it`() {
        let discussions = Self.discussions()
        #expect(discussions.count > 40)
        for (name, discussion) in discussions {
            let first = discussion.prefix { $0 != "\n" }
            #expect(first.hasPrefix("Example: ") && first.contains(name), "\(name): \(first)")
        }
    }
}
