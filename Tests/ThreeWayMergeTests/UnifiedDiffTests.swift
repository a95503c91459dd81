import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct UnifiedDiffTests {
    @Test func `equal texts have no difference`() {
        #expect(
            unifiedDiff(from: Array("a\n".utf8), to: Array("a\n".utf8), fromName: "a", toName: "b").isEmpty)
    }

    @Test func `a changed line is shown with its context`() {
        let old = Array((1...9).map { "line \($0)\n" }.joined().utf8)
        let new = Array((1...9).map { $0 == 5 ? "changed\n" : "line \($0)\n" }.joined().utf8)
        #expect(
            string(unifiedDiff(from: old, to: new, fromName: "a/milk.yaml", toName: "b/milk.yaml")) == """
                --- a/milk.yaml
                +++ b/milk.yaml
                @@ -2,7 +2,7 @@
                 line 2
                 line 3
                 line 4
                -line 5
                +changed
                 line 6
                 line 7
                 line 8

                """)
    }

    @Test func `a missing last line break is shown`() {
        #expect(
            string(unifiedDiff(from: Array("a\n".utf8), to: Array("a".utf8), fromName: "a", toName: "b"))
                == """
                --- a
                +++ b
                @@ -1 +1 @@
                -a
                +a
                \\ No newline at end of file

                """)
    }

    @Test func `a new file has no old version`() {
        #expect(
            string(unifiedDiff(from: [], to: Array("a\n".utf8), fromName: "/dev/null", toName: "b/a")) == """
                --- /dev/null
                +++ b/a
                @@ -0,0 +1 @@
                +a

                """)
    }

    @Test(arguments: [
        ("milk.yaml", "milk.yaml"), ("\u{FC}ber.yaml", "\u{FC}ber.yaml"), ("two words", "two words\t"),
        ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("a\tb\n", #""a\tb\n""#), ("\u{1}", #""\001""#),
        ("a\u{1F} b", #""a\037 b""#), ("a\u{7F} \u{FC}", "\"a\\177 \u{FC}\""),
    ])
    func `a name is quoted as git quotes it`(name: String, written: String) {
        let difference = string(unifiedDiff(from: [], to: Array("a\n".utf8), fromName: name, toName: name))
        #expect(difference.hasPrefix("--- \(written)\n+++ \(written)\n@@"))
    }

    @Test(
        .enabled(if: Git.isInstalled, "git is needed to apply the difference"),
        arguments: [
            "milk.yaml", "two words.yaml", "\u{FC}ber.yaml", "a\"b\\c.yaml", "line\nbreak\u{1}\t.yaml",
        ])
    func `git applies the difference of a file with any name`(name: String) throws {
        let git = try Git()
        defer { git.remove() }
        try git.write(Array("a\n".utf8), to: name)
        try git.write(
            unifiedDiff(
                from: Array("a\n".utf8), to: Array("b\n".utf8), fromName: "a/\(name)", toName: "b/\(name)"),
            to: "change.diff")
        #expect(try git.run("apply", "change.diff").status == 0)
        #expect(try string(git.read(name)) == "b\n")
    }

    @Test(
        .enabled(if: Git.isInstalled, "git is needed to apply the difference"),
        .covers(["a difference": 46]), arguments: seeds(60))
    func `git applies a difference`(seed: UInt64) throws {
        let git = try Git()
        defer { git.remove() }
        var random = SplitMix64(seed: seed)
        var old = random.text(lines: 40, words: 30)
        var new = random.edited(old, edits: 8, words: 30)
        if random.chance(0.3) { old = old.withoutLastLineBreak }
        if random.chance(0.3) { new = new.withoutLastLineBreak }
        let context = Int.random(in: 1...4, using: &random)
        guard !old.isEmpty, !new.isEmpty, old != new else { return }
        cover("a difference")
        try git.write(old, to: "todo.yaml")
        try git.write(
            unifiedDiff(from: old, to: new, fromName: "a/todo.yaml", toName: "b/todo.yaml", context: context),
            to: "change.diff")
        #expect(try git.run("apply", "-C\(context)", "change.diff").status == 0)
        #expect(try git.read("todo.yaml") == new)
        try git.write(old, to: "todo.yaml")
        #expect(try git.run("apply", "--check", "change.diff").status == 0)
    }
}
