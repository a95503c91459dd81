import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct LineMergeTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var base: String
        var local: String
        var remote: String
        var merged: String?
    }

    static let rows = [
        Row(
            testDescription: "nothing changed", base: "a\nb\n", local: "a\nb\n", remote: "a\nb\n",
            merged: "a\nb\n"),
        Row(
            testDescription: "local only", base: "a\nb\n", local: "a\nx\n", remote: "a\nb\n", merged: "a\nx\n"
        ),
        Row(
            testDescription: "remote only", base: "a\nb\n", local: "a\nb\n", remote: "y\nb\n",
            merged: "y\nb\n"),
        Row(
            testDescription: "both, a line apart", base: "a\nb\nc\n", local: "x\nb\nc\n", remote: "a\nb\ny\n",
            merged: "x\nb\ny\n"),
        Row(
            testDescription: "both alike", base: "a\nb\n", local: "a\nx\n", remote: "a\nx\n", merged: "a\nx\n"
        ),
        Row(testDescription: "neighbors", base: "a\nb\n", local: "x\nb\n", remote: "a\ny\n", merged: nil),
        Row(testDescription: "one line, two ways", base: "a\n", local: "x\n", remote: "y\n", merged: nil),
        Row(
            testDescription: "removed and changed", base: "a\nb\nc\n", local: "a\nc\n", remote: "a\ny\nc\n",
            merged: nil),
        Row(
            testDescription: "a last line without its break", base: "a\nb\nc", local: "x\nb\nc",
            remote: "a\nb\nd", merged: "x\nb\nd"),
        Row(testDescription: "empty texts", base: "", local: "", remote: "a\n", merged: "a\n"),
    ]

    @Test(arguments: rows)
    func `lines that only one side changed are merged`(row: Row) {
        let merge = LineMerge(
            base: Array(row.base.utf8), local: Array(row.local.utf8), remote: Array(row.remote.utf8))
        #expect(merge.hasConflict == (row.merged == nil))
        if let merged = row.merged {
            #expect(String(decoding: merge.taking(.local), as: UTF8.self) == merged)
        }
    }

    @Test func `a conflict contains each side's lines`() {
        let merge = LineMerge(
            base: Array("a\nb\nc\n".utf8), local: Array("a\nx\nc\n".utf8), remote: Array("a\nc\n".utf8))
        #expect(
            merge.chunks == [
                .taken(.local, 0..<1), .conflict(Sides(base: 1..<2, local: 1..<2, remote: 1..<1)),
                .taken(.local, 2..<3),
            ])
    }

    @Test(.covers(["an edit": 40]), arguments: seeds(300))
    func `taking a side keeps all of its lines`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let base = random.text(lines: 30, words: 12)
        let local = random.edited(base, edits: 6, words: 12)
        cover("an edit", local != base)
        let merge = LineMerge(base: base, local: local, remote: base)
        #expect(!merge.hasConflict)
        #expect(merge.taking(.remote) == local)
        #expect(LineMerge(base: base, local: base, remote: local).taking(.local) == local)
        #expect(LineMerge(base: base, local: local, remote: local).taking(.base) == local)
    }

    @Test(
        .enabled(if: Git.isInstalled, "git is needed to compare with"),
        .covers(["a clean merge": 120, "a conflict": 75]), arguments: seeds(150))
    func `merges equal git merge-file's if it finds no conflict`(seed: UInt64) throws {
        let git = try Git()
        defer { git.remove() }
        var random = SplitMix64(seed: seed)
        // Few different words cause many equal lines, which allow several differences.
        let words = Int.random(in: 2...40, using: &random)
        let length = random.chance(0.1) ? 600 : 25

        for _ in 0..<4 {
            let base = random.text(lines: length, words: words)
            var local = random.edited(base, edits: 1 + length / 8, words: words)
            let remote = random.edited(base, edits: 1 + length / 8, words: words)
            if random.chance(0.2) { local = local.withoutLastLineBreak }
            try git.write(base, to: "base")
            try git.write(local, to: "local")
            try git.write(remote, to: "remote")
            let (status, output) = try git.run("merge-file", "-p", "local", "base", "remote")
            let merge = LineMerge(base: base, local: local, remote: remote)
            #expect(merge.hasConflict == (status != 0))
            cover(status == 0 ? "a clean merge" : "a conflict")
            if status == 0 {
                #expect(merge.taking(.local) == output)
            }
        }
    }
}
