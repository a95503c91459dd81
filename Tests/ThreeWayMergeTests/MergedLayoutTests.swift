import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// How texts of unusual layout are merged.
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
            testDescription: "a number in a flow list spelled anew on both sides, in other lines",
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
            testDescription: "keys of a mapping in another order there, comments behind them here and there",
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
                "fields that one side has keep their spelling and comments, against nothing, too",
            base: nil, local: "id: a\ntext: t # mine\nx: 0x1 # here\n",
            remote: "id: a\ntext: t # theirs\namount: 0x2 # there\n",
            merged: "id: a\ntext: t # mine\nx: 0x1 # here\namount: 0x2 # there\n"),
        Row(
            testDescription: "the remote in flow style between comments",
            base: "id: a\ntext: t\n", local: "id: a\ntext: t\nx: 1\n",
            remote: "# above\n{id: a, text: u} # behind\n# below\n",
            merged: "# above\nid: a\ntext: u\nx: 1\n# behind\n# below\n"),
        Row(
            testDescription: "a literal at the end without a last line break, behind a byte order mark",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two",
            local: "\u{feff}id: a\ntext: u\nnotes: |\n  one\n  two",
            remote: "# new\nid: a\ntext: t\nnotes: |\n  one\n  two",
            merged: "\u{feff}# new\nid: a\ntext: u\nnotes: |\n  one\n  two"),
        Row(
            testDescription: "a field behind a literal that had no last line break",
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
            merged: "text: |\n  u"),
        Row(
            testDescription: "a folded string at the end without a last line break",
            base: "id: a\ntext: t\nn: >\n  one\n  two", local: "id: a\ntext: u\nn: >\n  one\n  two",
            remote: "# new\nid: a\ntext: t\nn: >\n  one\n  two",
            merged: "# new\nid: a\ntext: u\nn: >\n  one\n  two"),
    ]

    @Test(arguments: clean)
    func `comments and layout merge by lines where the values stay what they are`(row: Row) throws {
        let merge = merge(
            base: try row.base.map(document), local: try document(row.local),
            remote: try document(row.remote), rules: .todo)
        #expect(merge.outcome == .clean(Array(row.merged.utf8)), "\(merge.outcome.shown)")
    }

    static let conflicted = [
        Row(
            testDescription: "an item whose first key stands beside the dash on one side: the whole item",
            base: "id: a\ntext: t\nl:\n  - text: one\n    n: 1\n  - text: two\n    n: 1\n",
            local: "id: a\ntext: t\nl:\n  - text: one\n    n: 2\n  - text: two\n    n: 1\n",
            remote: "id: a\ntext: t\nl:\n  -\n    text: one\n    n: 3\n  - text: two\n    n: 1\n",
            merged: """
                id: a
                text: t
                l:
                <<<<<<< local
                  - text: one
                    n: 2
                ||||||| base
                  - text: one
                    n: 1
                =======
                  -
                    text: one
                    n: 3
                >>>>>>> remote
                  - text: two
                    n: 1

                """),
        Row(
            testDescription: "an item that begins with another key on each side: the whole item",
            base: "id: a\ntext: t\nl:\n  - text: one\n    n: 1\n  - text: two\n    n: 1\n",
            local: "id: a\ntext: t\nl:\n  - text: one\n    n: 2\n  - text: two\n    n: 1\n",
            remote: "id: a\ntext: t\nl:\n  - n: 3\n    text: one\n  - text: two\n    n: 1\n",
            merged: """
                id: a
                text: t
                l:
                <<<<<<< local
                  - text: one
                    n: 2
                ||||||| base
                  - text: one
                    n: 1
                =======
                  - n: 3
                    text: one
                >>>>>>> remote
                  - text: two
                    n: 1

                """),
        Row(
            testDescription: "a mapping below its dash on all sides: the field",
            base: "id: a\ntext: t\nl:\n  -\n    text: one\n    n: 1\n",
            local: "id: a\ntext: t\nl:\n  -\n    text: one\n    n: 2\n",
            remote: "id: a\ntext: t\nl:\n  -\n    text: one\n    n: 3\n",
            merged: """
                id: a
                text: t
                l:
                  -
                    text: one
                <<<<<<< local
                    n: 2
                ||||||| base
                    n: 1
                =======
                    n: 3
                >>>>>>> remote

                """),
        Row(
            testDescription: "a mapping that both sides indented anew alike: the field, to show the base's",
            base: "id: a\ntext: t\nowner:\n  name: Ann\n  phone: 1\n",
            local: "id: a\ntext: t\nowner:\n    name: Bea\n    phone: 1\n",
            remote: "id: a\ntext: t\nowner:\n    name: Cleo\n    phone: 1\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                owner:
                    name: Bea
                    phone: 1
                ||||||| base
                owner:
                  name: Ann
                  phone: 1
                =======
                owner:
                    name: Cleo
                    phone: 1
                >>>>>>> remote

                """),
        Row(
            testDescription: "a flow mapping between comments, which stay outside",
            base: "# above\n{id: a, text: t}\n# below\n",
            local: "# above\n{id: a, text: u} # mine\n# below\n",
            remote: "# above\n{id: a, text: v}\n# below\n",
            merged: """
                # above
                <<<<<<< local
                {id: a, text: u} # mine
                ||||||| base
                {id: a, text: t} # mine
                =======
                {id: a, text: v} # mine
                >>>>>>> remote
                # below

                """),
        Row(
            testDescription: "a flow mapping behind a byte order mark",
            base: "{id: a, text: t}\n", local: "\u{feff}{id: a, text: u}\n",
            remote: "{id: a, text: v}\n",
            merged: """
                \u{feff}<<<<<<< local
                {id: a, text: u}
                ||||||| base
                {id: a, text: t}
                =======
                {id: a, text: v}
                >>>>>>> remote

                """),
        Row(
            testDescription: "a flow mapping and nothing else, without a last line break",
            base: nil, local: "{id: a, text: u}", remote: "id: a\ntext: v\n",
            merged: "<<<<<<< local\n{id: a, text: u}\n=======\n{id: a, text: v}\n>>>>>>> remote"),
        Row(
            testDescription: "a literal that is indented in another way: the whole field",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two\n",
            local: "id: a\ntext: t\nnotes: |\n    one\n    2\n",
            remote: "id: a\ntext: t\nnotes: |\n  one\n  II\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                notes: |
                    one
                    2
                ||||||| base
                notes: |
                  one
                  two
                =======
                notes: |
                  one
                  II
                >>>>>>> remote

                """),
        Row(
            testDescription: "a literal with another header: the whole field",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two\n",
            local: "id: a\ntext: t\nnotes: |+\n  one\n  2\n",
            remote: "id: a\ntext: t\nnotes: |\n  one\n  II\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                notes: |+
                  one
                  2
                ||||||| base
                notes: |
                  one
                  two
                =======
                notes: |
                  one
                  II
                >>>>>>> remote

                """),
    ]

    @Test(arguments: conflicted)
    func `a block holds as much as the layouts share`(row: Row) throws {
        let merge = merge(
            base: try row.base.map(document), local: try document(row.local),
            remote: try document(row.remote), rules: .todo)
        #expect(merge.outcome.shown == row.merged)
    }

    /// Literals with a place for the line in conflict.
    @Test(
        arguments: [
            "|\n  one\n  @\n", "|\n  @\n  one\n", "|\n one\n @\n", "|\n  one\n\n  @\n\n  three\n",
            "|-\n  one\n  @\n",
            "|+\n  one\n  @\n\n", "|\n  one\n    @\n", "|2\n    one\n  @\n", "| # c\n  one\n  @\n",
            "|\n  one\n  @\n# end\nx: 1\n", "|\n\n  one\n  @\n\n# end\n", "|\n  one \n  @\n   \n  two\n",
        ], ["\n", "\r\n"])
    func `of a literal that both sides write alike, only the lines in conflict stand in the block`(
        notes: String, lineBreak: String
    ) throws {
        let text = ("id: a\ntext: t\nnotes: " + notes).replacing("\n", with: lineBreak)
        let lines = text.split(separator: lineBreak, omittingEmptySubsequences: false)
        let expected = lines.flatMap { line -> [String] in
            guard line.contains("@") else { return [String(line)] }
            let (base, local, remote) = (
                line.replacing("@", with: "two"), line.replacing("@", with: "2"),
                line.replacing("@", with: "II")
            )
            return ["<<<<<<< local", local, "||||||| base", base, "=======", remote, ">>>>>>> remote"].map {
                String($0)
            }
        }
        let merge = merge(
            base: try document(text.replacing("@", with: "two")),
            local: try document(text.replacing("@", with: "2")),
            remote: try document(text.replacing("@", with: "II")), rules: .todo)
        #expect(merge.outcome.shown == expected.joined(separator: lineBreak))
    }

    @Test(
        arguments: [
            "", "# header\n\n", "# header\n  \n", "---\n", "%YAML 1.2\n--- # c\n", "# one\n\n# two\n\n", "\n",
        ], ["\n", "\r\n"])
    func `a file's head stays at its top where its first field moves down with its comment`(
        head: String, lineBreak: String
    ) throws {
        func text(_ fields: String) -> String { (head + fields).replacing("\n", with: lineBreak) }
        let first = "# about the id\nid: a\n"
        let merge = merge(
            base: try document(text(first + "text: t\nx: 1\n")),
            local: try document(text(first + "text: u\nx: 1\n")),
            remote: try document(text("text: t\n" + first + "x: 1\n")), rules: .todo)
        #expect(merge.outcome.shown == text("text: u\n" + first + "x: 1\n"))
    }

    /// Line breaks of all kinds, marks, tabs, a missing last line break: what merging by lines would mend.
    static let strange = [
        "id: a\r\ntext: t\rx: 1\n", "id: a\rtext: t\r\nx: 1", "\u{feff}id: a\rtext: t\nx: 1\r",
        "{id: a,\r text: t,\r\n x: 1}", "%YAML 1.1\r---\rid: a\ntext: t\rx: 1\n...\r",
        "id: a\ntext: t\r\nnotes: |\r  one\r\n  two",
    ]

    @Test(arguments: strange)
    func `a text that only one side changed, or both alike, is taken byte by byte`(_ text: String) throws {
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
