import Foundation
import TestSupport
import Testing
import TodosyncKit

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

    @Test func `the overview shows a delegate that is built here, and does what it shows`() async throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "Sources/TodosyncKit/TodosyncKit.docc/TodosyncKit.md"),
            encoding: .utf8)
        let source = Self.root.appending(path: "Tests/TodosyncKitTests/LongerText.swift")
        #expect(try page.contains("```swift\n\(String(contentsOf: source, encoding: .utf8))```\n"))
        func answer(_ local: String, _ remote: String) async throws -> ConflictAnswer {
            try await LongerText().resolve(
                Conflict(
                    id: "a", path: "a.yaml", kind: .editEdit, base: nil,
                    local: Conflict.Version(fields: ["text": .string(local)], text: ""),
                    remote: Conflict.Version(fields: ["text": .string(remote)], text: ""),
                    fields: ["text"]))
        }
        for (local, remote, expected) in [
            ("longer", "short", FieldAnswer.local), ("short", "longer", .remote),
        ] {
            guard case .fields(let answers) = try await answer(local, remote) else {
                Issue.record("the text is answered")
                continue
            }
            #expect(answers == ["text": expected])
        }
    }

    @Test func `the article shows the program`() throws {
        let source = Self.root.appending(path: "Tests/ConflictsTutorial/main.swift")
        #expect(try block("swift") == String(contentsOf: source, encoding: .utf8))
    }

    @Test func `the program prints what the article shows`() throws {
        let folder = try TemporaryFolder()
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "conflicts-tutorial")
        let ended = try ChildProcess.run([program.path, folder.path])
        #expect(ended.status == 0, "\(String(decoding: ended.errors, as: UTF8.self))")
        #expect(try String(decoding: ended.output, as: UTF8.self) == block("text"))
    }
}
