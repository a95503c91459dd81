import Foundation
import TestSupport
import Testing

/// The program in the documentation is the one that is built here, and does what the documentation says.
@Suite(.ownThreads) struct ConflictsTutorialTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..")

    /// Returns the code block of the article in a language.
    private func block(_ language: String) throws -> String {
        let article = try String(
            contentsOf: Self.root.appending(
                path: "Sources/TodosyncKit/TodosyncKit.docc/HandlingConflicts.md"), encoding: .utf8)
        let parts = article.components(separatedBy: "```\(language)\n")
        try #require(parts.count == 2, "there is one such block")
        return try #require(parts[1].components(separatedBy: "```").first)
    }

    @Test func `the article shows the program`() throws {
        let source = Self.root.appending(path: "Tests/ConflictsTutorial/main.swift")
        #expect(try block("swift") == String(contentsOf: source, encoding: .utf8))
    }

    @Test func `the program prints what the article says`() throws {
        let folder = try TemporaryFolder()
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "conflicts-tutorial")
        let ended = try ChildProcess.run([program.path, folder.path])
        #expect(ended.status == 0, "\(String(decoding: ended.errors, as: UTF8.self))")
        #expect(try String(decoding: ended.output, as: UTF8.self) == block("text"))
    }
}
