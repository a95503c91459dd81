import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct MergedLinesTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var base: String
        var local: String
        var remote: String
        var style = ConflictStyle.merge
        var merged: String
    }

    static let rows = [
        Row(
            testDescription: "changes with a line between them", base: "a\nb\nc\n", local: "x\nb\nc\n",
            remote: "a\nb\ny\n", merged: "x\nb\ny\n"),
        Row(
            testDescription: "a conflict between other lines", base: "a\nb\nc\n", local: "a\nx\nc\n",
            remote: "a\ny\nc\n",
            merged: "a\n<<<<<<< local\nx\n=======\ny\n>>>>>>> remote\nc\n"),
        Row(
            testDescription: "lines that both sides have are outside of the block", base: "",
            local: "a\nx\nc\n",
            remote: "a\ny\nc\n",
            merged: "a\n<<<<<<< local\nx\n=======\ny\n>>>>>>> remote\nc\n"),
        Row(
            testDescription: "but inside if the base is shown", base: "b\n", local: "a\nx\n",
            remote: "a\ny\n", style: .diff3,
            merged: "<<<<<<< local\na\nx\n||||||| base\nb\n=======\na\ny\n>>>>>>> remote\n"),
        Row(
            testDescription: "unless the style is zdiff3", base: "b\n", local: "a\nx\n", remote: "a\ny\n",
            style: .zdiff3,
            merged: "a\n<<<<<<< local\nx\n||||||| base\nb\n=======\ny\n>>>>>>> remote\n"),
        Row(
            testDescription: "a last line without its break, in both", base: "a", local: "x", remote: "y",
            merged: "<<<<<<< local\nx\n=======\ny\n>>>>>>> remote"),
        Row(
            testDescription: "a last line without its break, in one", base: "a\n", local: "x", remote: "y\n",
            merged: "<<<<<<< local\nx\n=======\ny\n>>>>>>> remote\n"),
        Row(
            testDescription: "Windows line ends", base: "a\r\nb\r\n", local: "a\r\nx\r\n",
            remote: "a\r\ny\r\n",
            merged: "a\r\n<<<<<<< local\r\nx\r\n=======\r\ny\r\n>>>>>>> remote\r\n"),
        Row(
            testDescription: "one side emptied the text", base: "a\n", local: "", remote: "b\n",
            merged: "<<<<<<< local\n=======\nb\n>>>>>>> remote\n"),
    ]

    @Test(arguments: rows) func `lines merge, with blocks around conflicts`(row: Row) {
        let merged = mergeLines(
            base: Array(row.base.utf8), local: Array(row.local.utf8), remote: Array(row.remote.utf8),
            style: row.style)
        #expect(string(merged.bytes(row.style)) == row.merged)
    }

    @Test(
        .enabled(if: Git.isInstalled, "git is needed to compare with"),
        .covers(["a conflict": 30]), arguments: seeds(60))
    func `taking either side of every block gives git's result for that side`(seed: UInt64) throws {
        let git = try Git()
        defer { git.remove() }
        var random = SplitMix64(seed: seed)
        let base = random.text(lines: 20, words: 10)
        let local = random.edited(base, edits: 4, words: 10)
        let remote = random.edited(base, edits: 4, words: 10)
        try git.write(base, to: "base")
        try git.write(local, to: "local")
        try git.write(remote, to: "remote")
        for style in [ConflictStyle.merge, .diff3] {
            let merged = mergeLines(base: base, local: local, remote: remote, style: style)
            guard case .conflicted(let text) = merged else { continue }
            cover("a conflict")
            #expect(
                text.taking(.local)
                    == (try git.run("merge-file", "-p", "--ours", "local", "base", "remote").output))
            #expect(
                text.taking(.remote)
                    == (try git.run("merge-file", "-p", "--theirs", "local", "base", "remote").output))
        }
    }
}

extension MergedText {
    fileprivate func bytes(_ style: ConflictStyle) -> [UInt8] {
        switch self {
        case .clean(let text): text
        case .conflicted(let text): text.text(style: style)
        case .unwritable(let obstacle): preconditionFailure("\(obstacle)")
        }
    }
}
