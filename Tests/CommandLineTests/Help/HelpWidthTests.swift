import TestSupport
import Testing

@testable import todosync

/// The help in narrow and in usual terminals.
@Suite struct HelpWidthTests {
    private static func words(below command: NamedCommand) -> [[String]] {
        [[command.name]] + NamedCommand.below(command.type).flatMap(words).map { [command.name] + $0 }
    }

    private static let texts =
        [[], ["help", "--all"]] + NamedCommand.below(Todosync.self).flatMap(words).map { $0 + ["--help"] }

    @Test(arguments: [60, 80]) func `no line is wider than the terminal`(width: Int) throws {
        for words in Self.texts {
            let result = try Program.todosync(
                words, in: "/", environment: ["COLUMNS": "\(width)"])
            #expect(result.status == 0)
            for line in result.output.split(separator: "\n") where !line.contains("https://") {
                #expect(line.count <= width, "\(words): \(line)")
            }
        }
    }

    @Test func `the first screen has fifteen commands, and every other command is in the list of all`() throws
    {
        func commands(_ words: [String]) throws -> [String] {
            let lines = try Program.todosync(words, in: "/").output.split(separator: "\n")
            return lines.filter { $0.hasPrefix("   ") && !$0.hasPrefix("    ") }
                .compactMap { $0.split(separator: " ").first.map(String.init) }
        }
        #expect(try commands([]).count == 15)
        #expect(try Set(commands(["help", "--all"])) == Set(commandNames))
    }

    @Test(arguments: [("filter", "Filters\n"), ("date", "Dates\n"), ("conf", ""), ("fi", "")])
    func `the beginning of a single topic's name finds it`(typed: String, beginning: String) throws {
        let result = try Program.todosync(["help", typed], in: "/")
        #expect(result.output.hasPrefix(beginning))
        #expect((result.status == 64) == beginning.isEmpty)
    }
}
