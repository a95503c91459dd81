import Foundation
import Git
import TestSupport
import Testing

@testable import WorkingCopy

/// The lines of `.gitattributes` for the files that can be todos.
@Suite(.ownThreads) struct MergeAttributesTests {
    /// Returns what `git-setup` adds, without the comment.
    private func patterns(_ include: [String]) -> [String] {
        MergeAttributes(include: include).lines.dropFirst().map {
            $0.hasSuffix(" merge=todosync") ? String($0.dropLast(" merge=todosync".count)) : $0
        }
    }

    static let rows: [(include: [String], patterns: [String])] = [
        ([], ["*.yaml", "*.yml"]),
        (["*.yaml"], ["*.yaml"]),
        (["*", "**"], ["*.yaml", "*.yml"]),
        (["home/**"], ["home/**/*.yaml", "home/**/*.yml"]),
        (["/home/*.yml"], ["/home/*.yml"]),
        (["home"], ["**/home/**/*.yaml", "**/home/**/*.yml"]),
        (["home/"], ["**/home/**/*.yaml", "**/home/**/*.yml"]),
        (["/home/"], ["/home/**/*.yaml", "/home/**/*.yml"]),
        (["todo-*"], ["todo-*.yaml", "todo-*.yml", "**/todo-*/**/*.yaml", "**/todo-*/**/*.yml"]),
        (["*.y?ml"], ["*.y?ml", "**/*.y?ml/**/*.yaml", "**/*.y?ml/**/*.yml"]),
        (["*.yaml", "!old/**"], ["*.yaml", "old/**/*.yaml !merge", "old/**/*.yml !merge"]),
        (["my todos/*.yaml"], ["\"my todos/*.yaml\""]),
        (["*.yaml", "!a.yaml", "*.yaml"], ["a.yaml !merge", "*.yaml"]),
        (["# comment", ""], []),
    ]

    @Test(arguments: rows) func `patterns are put into git's language`(
        _ row: (include: [String], patterns: [String])
    ) {
        #expect(patterns(row.include) == row.patterns)
    }

    private static let paths = [
        "a.yaml", "b.yml", "todo-1.yaml", "old/a.yaml", "old/deep/a.yml", "home/a.yaml", "home/deep/b.yml",
        "deep/home/c.yaml", "my todos/d.yaml", "my todos/deep/e.yaml", "todo-old/f.yaml", "x/todo-2.yml",
    ]

    @Test(arguments: rows.map(\.include)) func `git takes the files that can be todos, and no others`(
        _ include: [String]
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "attributes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func git(_ arguments: String...) throws -> String {
            let ended = try ChildProcess.run(
                ["/usr/bin/git"] + arguments, in: folder.path(),
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path(), "GIT_CONFIG_NOSYSTEM": "1"])
            return String(decoding: ended.output, as: UTF8.self)
        }
        _ = try git("init", "-q")
        let text = MergeAttributes(include: include).added(to: [])
        try Data(text).write(to: folder.appending(path: ".gitattributes"))
        for path in Self.paths {
            let isIncluded = include.isEmpty || IgnorePatterns(include).includes(path: Array(path.utf8)[...])
            let answer = try git("check-attr", "merge", "--", path)
            #expect(answer == "\(path): merge: \(isIncluded ? "todosync" : "unspecified")\n", "\(include)")
        }
    }

    static let texts = [
        "", "* text=auto\n", "* text=auto", "a\r\nb\r\n", "a\r\nb", "*.md merge=todosync\n", "\n\n", "# end",
    ]

    @Test(arguments: texts) func `what was added can be removed, to the byte`(_ text: String) {
        let attributes = MergeAttributes(include: [])
        let added = attributes.added(to: Array(text.utf8))
        #expect(added != Array(text.utf8))
        #expect(added.last == UInt8(ascii: "\n"))
        #expect(attributes.added(to: added) == added)
        #expect(MergeAttributes.removed(from: added) == Array(text.utf8))
        // The lines for other patterns replace these.
        let other = MergeAttributes(include: ["home/**"]).added(to: added)
        #expect(other == MergeAttributes(include: ["home/**"]).added(to: Array(text.utf8)))
        #expect(MergeAttributes.removed(from: other) == Array(text.utf8))
    }

    @Test(arguments: ["a", "a\r\nb"]) func `lines appended later stay lines of their own`(_ text: String) {
        let added = MergeAttributes(include: []).added(to: Array(text.utf8)) + Array("*.png -diff\n".utf8)
        let lineBreak = text.contains("\r\n") ? "\r\n" : "\n"
        #expect(
            MergeAttributes.removed(from: added) == Array((text + lineBreak + "*.png -diff\n").utf8))
    }

    @Test func `lines that follow are kept, and so are the user's own`() {
        let attributes = MergeAttributes(include: [])
        let own = attributes.lines.joined(separator: "\n") + "\n"
        let rest = "*.yml merge=todosync -text\n*.yaml merge=todosync\n"
        #expect(MergeAttributes.removed(from: Array(("a\n" + own + rest).utf8)) == Array(("a\n" + rest).utf8))
        #expect(MergeAttributes.ownLines(in: Array(("a\n" + own + rest).utf8)) == attributes.lines)
        let written = "*.yml merge=todosync\n*.yaml merge=todosync\n"
        #expect(attributes.added(to: Array(written.utf8)) == Array(written.utf8))
        #expect(MergeAttributes.removed(from: Array(written.utf8)) == Array(written.utf8))
    }

    @Test func `a percent sign in the path of the program is doubled for git`() {
        let command = MergeDriver(program: "'/a%b/todosync'").command
        #expect(
            command == "'/a%%b/todosync' merge-file -L %X -L %S -L %Y --path %P %A %O %B; s=$?; "
                + "if [ $s = 127 ]; then git merge-file -L ours -L base -L theirs %A %O %B; else exit $s; fi")
        #expect(MergeDriver.isOwn(command))
        #expect(!MergeDriver.isOwn("diff3 %A %O %B"))
    }
}
