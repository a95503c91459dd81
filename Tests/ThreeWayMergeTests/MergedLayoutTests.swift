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
            remote: "id: a\ntext: t\nm: {\n  p: 1,\n  q: 2,\n  s: 4,\n  u: 5,\n  r: 3,\n}\n",
            merged: "id: a\ntext: t\nm: {\n  r: 3,\n  p: 1,\n  q: 2,\n  s: 4,\n  u: 5,\n}\n"),
        Row(
            testDescription: "one spelling each: local's stays",
            base: "id: a\ntext: t\nn: 16\n", local: "id: a\ntext: t\nn: 0x10\n",
            remote: "id: a\ntext: t\nn: 16.0\n", merged: "id: a\ntext: t\nn: 0x10\n"),
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
    ]

    @Test(arguments: conflicted)
    func `a block holds as much as the layouts share`(row: Row) throws {
        let merge = merge(
            base: try row.base.map(document), local: try document(row.local),
            remote: try document(row.remote), rules: .todo)
        #expect(merge.outcome.shown == row.merged)
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
