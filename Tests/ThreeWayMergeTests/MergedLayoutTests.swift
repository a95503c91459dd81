import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// Merges of texts with unusual layout.
@Suite struct MergedLayoutTests {
    typealias Row = MergedTextTests.Row

    static let clean = [
        Row(
            testDescription: "comments inside of a flow list, changed on both sides",
            base: "id: a\ntext: t\ntags: [\n  p, # one\n  q,\n  r, # two\n]\n",
            local: "id: a\ntext: t\ntags: [\n  p, # ONE\n  q,\n  r, # two\n]\n",
            remote: "id: a\ntext: t\ntags: [\n  p, # one\n  q,\n  r, # TWO\n]\n",
            merged: "id: a\ntext: t\ntags: [\n  p, # ONE\n  q,\n  r, # TWO\n]\n"),
        Row(
            testDescription: "comments inside of an item in flow style, changed on both sides",
            base: "id: a\ntext: t\nl:\n  - [p, # one\n    q,\n    r] # two\n",
            local: "id: a\ntext: t\nl:\n  - [p, # ONE\n    q,\n    r] # two\n",
            remote: "id: a\ntext: t\nl:\n  - [p, # one\n    q,\n    r] # TWO\n",
            merged: "id: a\ntext: t\nl:\n  - [p, # ONE\n    q,\n    r] # TWO\n"),
        Row(
            testDescription: "a key moved inside of a flow mapping on both sides: local's lines stay",
            base: "id: a\ntext: t\nm: {\n  p: 1,\n  q: 2,\n  r: 3,\n  s: 4,\n  u: 5,\n}\n",
            local: "id: a\ntext: t\nm: {\n  r: 3,\n  p: 1,\n  q: 2,\n  s: 4,\n  u: 5,\n}\n",
            remote: "# new\nid: a\ntext: t\nm: {\n  p: 1,\n  q: 2,\n  s: 4,\n  u: 5,\n  r: 3,\n}\n",
            merged: "# new\nid: a\ntext: t\nm: {\n  r: 3,\n  p: 1,\n  q: 2,\n  s: 4,\n  u: 5,\n}\n"),
        Row(
            testDescription: "a number in a flow list respelled on both sides, on different lines",
            base: "id: a\ntext: t\nl: [1,\n  2,\n  3]\n", local: "id: a\ntext: t\nl: [0x1,\n  2,\n  3]\n",
            remote: "id: a\ntext: t\nl: [1,\n  2,\n  0x3]\n",
            merged: "id: a\ntext: t\nl: [0x1,\n  2,\n  0x3]\n"),
        Row(
            testDescription: "comments above items, one on each side",
            base: "id: a\ntext: t\nl:\n  - text: one\n    n: 1\n  - text: two\n    n: 1\n",
            local: "id: a\ntext: t\nl:\n  # first\n  - text: one\n    n: 2\n  - text: two\n    n: 1\n",
            remote: "id: a\ntext: t\nl:\n  - text: one\n    n: 1\n  # second\n  - text: two\n    n: 2\n",
            merged:
                "id: a\ntext: t\nl:\n  # first\n  - text: one\n    n: 2\n  # second\n  - text: two\n    n: 2\n"
        ),
        Row(
            testDescription: "keys of a mapping reordered remotely, with comments after them on both sides",
            base: "id: a\ntext: t\nm:\n  p: 1\n  q: 2\n  r: 3\n",
            local: "id: a\ntext: t\nm:\n  p: 1\n  q: 2 # here\n  r: 3\n",
            remote: "id: a\ntext: t\nm:\n  r: 3\n  p: 1 # there\n  q: 2\n",
            merged: "id: a\ntext: t\nm:\n  r: 3\n  p: 1 # there\n  q: 2 # here\n"),
        Row(
            testDescription: "one spelling each: local's stays",
            base: "id: a\ntext: t\nn: 16\n", local: "id: a\ntext: t\nn: 0x10\n",
            remote: "id: a\ntext: t\nn: 16.0\n", merged: "id: a\ntext: t\nn: 0x10\n"),
        Row(
            testDescription:
                "fields that only one side has keep their spelling and comments",
            base: nil, local: "id: a\ntext: t # mine\nx: 0x1 # here\n",
            remote: "id: a\ntext: t # theirs\namount: 0x2 # there\n",
            merged: "id: a\ntext: t # mine\n        # theirs\nx: 0x1 # here\namount: 0x2 # there\n"),
        Row(
            testDescription: "the remote in flow style between comments",
            base: "id: a\ntext: t\n", local: "id: a\ntext: t\nx: 1\n",
            remote: "# above\n{id: a, text: u} # behind\n# below\n",
            merged: "# above\nid: a\ntext: u\nx: 1\n# behind\n# below\n"),
        Row(
            testDescription: "a literal at the end without a last line break, after a byte order mark",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two",
            local: "\u{feff}id: a\ntext: u\nnotes: |\n  one\n  two",
            remote: "# new\nid: a\ntext: t\nnotes: |\n  one\n  two",
            merged: "\u{feff}# new\nid: a\ntext: u\nnotes: |\n  one\n  two"),
        Row(
            testDescription: "a field after a literal that had no last line break",
            base: "id: a\ntext: t\nnotes: |\n  one", local: "id: a\ntext: u\nnotes: |\n  one",
            remote: "id: a\ntext: t\nnotes: |\n  one\nx: 1\n",
            merged: "id: a\ntext: u\nnotes: |\n  one\nx: 1"),
        Row(
            testDescription: "a line changed in a literal that has no last line break",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two", local: "id: a\ntext: u\nnotes: |\n  one\n  two",
            remote: "id: a\ntext: t\nnotes: |\n  ONE\n  two",
            merged: "id: a\ntext: u\nnotes: |-\n  ONE\n  two"),
        Row(
            testDescription: "a text that is one literal without a last line break",
            base: "# one\ntext: |\n  t", local: "text: |\n  u", remote: "# two\ntext: |\n  t",
            merged: "# two\ntext: |\n  u"),
        Row(
            testDescription: "a folded string at the end without a last line break",
            base: "id: a\ntext: t\nn: >\n  one\n  two", local: "id: a\ntext: u\nn: >\n  one\n  two",
            remote: "# new\nid: a\ntext: t\nn: >\n  one\n  two",
            merged: "# new\nid: a\ntext: u\nn: >\n  one\n  two"),
        Row(
            testDescription: "a single carriage return among CRLFs becomes a CRLF",
            base: "id: a\r\ntext: t\rx: 1\r\n", local: "id: a\r\ntext: u\rx: 1\r\n",
            remote: "id: a\r\ntext: t\rx: 2\r\n", merged: "id: a\r\ntext: u\r\nx: 2\r\n"),
        Row(
            testDescription: "a single carriage return at the end becomes a CRLF if most line breaks are",
            base: "id: a\r\ntext: t\r\nx: 1\r", local: "id: a\r\ntext: u\r\nx: 1\r",
            remote: "id: a\r\ntext: t\r\nx: 2\r", merged: "id: a\r\ntext: u\r\nx: 2\r\n"),
        Row(
            testDescription: "the first field removed with its comment remotely, another one moved locally",
            base: "# one\ndue: 1\n# two\nn: 1\nid: a\ntext: t\n",
            local: "# one\ndue: 1\nid: a\ntext: t\n# two\nn: 1\n",
            remote: "# two\nn: 2\nid: a\ntext: t\n", merged: "id: a\ntext: t\n# two\nn: 2\n"),
        Row(
            testDescription: "the first field removed with its comment locally, another one moved remotely",
            base: "# one\ndue: 1\n# two\nn: 1\nid: a\ntext: t\n", local: "# two\nn: 2\nid: a\ntext: t\n",
            remote: "# one\ndue: 1\nid: a\ntext: t\n# two\nn: 1\n",
            merged: "id: a\ntext: t\n# two\nn: 2\n"),
        Row(
            testDescription: "an alias added locally, its anchor removed remotely",
            base: "id: a\ntext: t\nx: &m 1\ny: *m\n", local: "id: a\ntext: t\nx: &m 1\ny: *m\nz: *m\n",
            remote: "id: a\ntext: t\nx: 2\ny: 1\n", merged: "id: a\ntext: t\nx: 2\ny: 1\nz: 1\n"),
        Row(
            testDescription: "a comment moved above another field on each side occurs there once",
            base: "# c\nx: 1\ny: 1\nz: 1\n", local: "x: 1\n# c\ny: 1\nz: 1\n",
            remote: "x: 1\ny: 1\n# c\nz: 2\n", merged: "x: 1\n# c\ny: 1\nz: 2\n"),
        Row(
            testDescription: "a comment moved above another field on each side, and one removed locally",
            base: "# c\nx: 1\n# d\nw: 1\ny: 1\nz: 1\n", local: "x: 1\nw: 1\n# c\ny: 1\nz: 1\n",
            remote: "x: 1\n# d\nw: 1\ny: 1\n# c\nz: 2\n", merged: "x: 1\nw: 1\n# c\ny: 1\nz: 2\n"),
        Row(
            testDescription: "a comment moved above another field on each side, with a different line ending",
            base: "# c\nx: 1\ny: 1\nz: 1\n", local: "x: 1\r\n# c\ny: 1\r\nz: 1\r\n",
            remote: "x: 1\ny: 1\n# c\nz: 2\n", merged: "x: 1\r\n# c\ny: 1\r\nz: 2\r\n"),
        Row(
            testDescription:
                "a literal at the end without a last line break, a field above it changed remotely",
            base: "id: a\ntext: t\nx: 1\nnotes: |\n  one\n  two",
            local: "id: a\ntext: u\nx: 1\nnotes: |\n  one\n  two",
            remote: "id: a\ntext: t\nx: 2\nnotes: |\n  one\n  two",
            merged: "id: a\ntext: u\nx: 2\nnotes: |\n  one\n  two"),
        Row(
            testDescription: "a literal at the end without a last line break, line endings mixed",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two",
            local: "id: a\r\ntext: u\nnotes: |\n  one\n  two",
            remote: "# new\nid: a\ntext: t\nnotes: |\n  one\n  two",
            merged: "# new\nid: a\r\ntext: u\nnotes: |\n  one\n  two"),
    ]

    @Test(arguments: clean)
    func `comments and layout merge by lines if values stay the same`(row: Row) throws {
        let merge = try row.merge()
        #expect(merge.outcome == .clean(Array(row.merged.utf8)), "\(merge.outcome.shown)")
    }

    @Test(
        arguments: [
            "", "# header\n\n", "# header\n  \n", "--- # header\n", "%YAML 1.2\n--- # header\n",
            "# one\n\n# header\n\n", "\n# header\n\n",
        ], ["\n", "\r\n"])
    func `a file's head is merged at its top if its first field moves down with its comment`(
        head: String, lineBreak: String
    ) throws {
        func text(_ fields: String) -> String { (head + fields).replacing("\n", with: lineBreak) }
        let first = "# about the id\nid: a\n"
        let merge = merge(
            base: try document(text(first + "text: t\nx: 1\n")),
            local: try document(text(first + "text: u\nx: 1\n").replacing("header", with: "head")),
            remote: try document(text("text: t\n" + first + "x: 1\n")), rules: .todo)
        let expected = text("text: u\n" + first + "x: 1\n").replacing("header", with: "head")
        #expect(merge.outcome.shown == expected)
    }

    /// Line breaks of all kinds, byte order marks, tabs and a missing last line break, which merging by lines
    /// would normalize.
    static let strange = [
        "id: a\r\ntext: t\rx: 1\n", "id: a\rtext: t\r\nx: 1", "\u{feff}id: a\rtext: t\nx: 1\r",
        "{id: a,\r text: t,\r\n x: 1}", "%YAML 1.1\r---\rid: a\ntext: t\rx: 1\n...\r",
        "id: a\ntext: t\r\nnotes: |\r  one\r\n  two",
    ]

    @Test(arguments: strange)
    func `a text that only one side changed, or both in the same way, is taken byte for byte`(_ text: String)
        throws
    {
        let (strange, plain) = (try document(text), try document("id: a\ntext: plain\n"))
        let other = try document("id: a\ntext: other\n")
        func merged(_ base: Document?, _ local: Document, _ remote: Document) -> MergedText {
            merge(base: base, local: local, remote: remote, rules: .todo).outcome
        }
        let unchanged = MergedText.clean(strange.bytes)
        #expect(merged(plain, strange, plain) == unchanged)
        #expect(merged(plain, plain, strange) == unchanged)
        #expect(merged(plain, strange, strange) == unchanged)
        #expect(merged(nil, strange, strange) == unchanged)
        #expect(merged(strange, plain, strange) == .clean(plain.bytes))
        #expect(merged(strange, strange, other) == .clean(other.bytes))
    }
}
