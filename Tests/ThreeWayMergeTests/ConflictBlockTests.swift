import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// How much of a text is in the blocks around its conflicts.
@Suite struct ConflictBlockTests {
    typealias Row = MergedTextTests.Row

    static let conflicted = [
        Row(
            testDescription: "an item whose first key is beside the dash on one side: the whole item",
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
            testDescription: "an item that begins with a different key on each side: the whole item",
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
            testDescription:
                "a mapping that both sides re-indented in the same way: the field, to show the base's",
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
            testDescription: "a comment that was removed with its field is not in a block",
            base: "id: a\ntext: t\n# why\nl:\n  - p\nx: 1\n",
            local: "id: a\ntext: t\n# why\nl:\n  - p\nx: 2\n", remote: "id: a\ntext: u\n",
            merged: """
                id: a
                text: u
                <<<<<<< local
                x: 2
                ||||||| base
                x: 1
                =======
                >>>>>>> remote

                """),
        Row(
            testDescription: "a mapping that both sides added, and a field with a comment from each",
            base: "id: a\ntext: t\n", local: "id: a\ntext: t # mine\nowner:\n  name: Ann\n",
            remote: "id: a\ntext: t # theirs\nowner:\n  name: Bea\n",
            merged: """
                id: a
                text: t # mine
                        # theirs
                owner:
                <<<<<<< local
                  name: Ann
                ||||||| base
                =======
                  name: Bea
                >>>>>>> remote

                """),
        Row(
            testDescription: "a field of an item, and another item removed remotely",
            base: "id: a\ntext: t\nl:\n  - text: one\n    n: 1\n  - text: two\n    n: 1\n",
            local: "id: a\ntext: t\nl:\n  - text: one\n    n: 1\n  - text: two\n    n: 2\n",
            remote: "id: a\ntext: t\nl:\n  - text: two\n    n: 3\n",
            merged: """
                id: a
                text: t
                l:
                  - text: two
                <<<<<<< local
                    n: 2
                ||||||| base
                    n: 1
                =======
                    n: 3
                >>>>>>> remote

                """),
        Row(
            testDescription: "the first item of a list, with the comment above it",
            base: "id: a\ntext: t\nl:\n  # one\n  - text: one\n    n: 1\n  # two\n  - text: two\n",
            local: "id: a\ntext: t\nl:\n  # two\n  - text: two\n",
            remote: "id: a\ntext: t\nl:\n  # one\n  - text: one\n    n: 2\n  # two\n  - text: two\n",
            merged: """
                id: a
                text: t
                l:
                <<<<<<< local
                ||||||| base
                  # one
                  - text: one
                    n: 1
                =======
                  # one
                  - text: one
                    n: 2
                >>>>>>> remote
                  # two
                  - text: two

                """),
        Row(
            testDescription: "a flow mapping between comments, which stay outside of the block",
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
            testDescription: "a flow mapping after a byte order mark",
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
            testDescription: "a literal with different indentation: the whole field",
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
            testDescription: "a literal with a different header: the whole field",
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
    func `a block is as small as the sides' layouts allow`(row: Row) throws {
        let merge = try row.merge()
        #expect(merge.outcome.shown == row.merged)
    }

    @Test(arguments: [
        // The line is outside of the blocks, on either side of one, or deeply nested.
        ("n: \"one\n\n=======\n  two\" # n\n", "", "n: \"one\\n======= two\" # n\n"),
        ("", "x: 'one\n>>>>>>> remote\n  two' # x\n", "x: 'one >>>>>>> remote two' # x\n"),
        (
            "m:\n  - k: \"<<<<<<< local\n|||||||\n  z\" # m\n", "",
            "m:\n  - k: \"<<<<<<< local ||||||| z\" # m\n"
        ),
    ])
    func `only a line that looks like a marker is rewritten`(
        row: (shared: String, remote: String, expected: String)
    ) throws {
        let first = "# c\nid:  a\ntext: "
        let merge = merge(
            base: try document(first + "t # t\n" + row.shared),
            local: try document(first + "u # t\n" + row.shared),
            remote: try document(first + "v # t\n" + row.shared + row.remote), rules: .todo)
        let block =
            "<<<<<<< local\ntext: u # t\n||||||| base\ntext: t # t\n=======\ntext: v # t\n>>>>>>> remote\n"
        #expect(merge.outcome.shown == "# c\nid:  a\n" + block + row.expected)
    }

    @Test(arguments: [1, 2, 8, 9, 40]) func `each conflict has its own block`(count: Int) throws {
        func text(_ value: Int) throws -> Document {
            try document("id: a\n" + (0..<count).map { "k\($0): \(value)\nsame\($0): 0\n" }.joined())
        }
        let merge = merge(base: try text(1), local: try text(2), remote: try text(3), rules: .todo)
        guard case .conflicted(let merged) = merge.outcome else {
            Issue.record("no conflict")
            return
        }
        #expect(
            merged.blocks.map { string($0.local) + string($0.remote) }
                == (0..<count).map { "k\($0): 2\nk\($0): 3\n" })
    }

    /// Values that need others from the same side, because those have the aliases' anchors.
    @Test(
        arguments: [
            ["0", "0", "0"]: [["1", "1", "1"], ["&n 2", "&n 2", "*n"]],
            ["0", "0"]: [["&m 1", "*m"], ["&n 2", "*n"]],
            ["0", "0", "0", "0"]: [["&m 1", "2", "3", "*m"], ["2", "3", "4", "5"]],
            Array(repeating: "0", count: 8): [
                Array(repeating: "1", count: 8), ["3", "3", "3", "3", "3", "&n 2", "&n 2", "*n"],
            ],
        ])
    func `any combination of the blocks' sides is a valid todo`(
        _ base: [String], _ sides: [[String]]
    ) throws {
        func text(_ values: [String]) throws -> Document {
            try document("id: a\n" + zip(0..., values).map { "k\($0): \($1)\n" }.joined())
        }
        for (local, remote) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let merge = merge(
                base: try text(base), local: try text(local), remote: try text(remote), rules: .todo)
            guard case .conflicted(let merged) = merge.outcome else {
                Issue.record("no conflict")
                return
            }
            for (position, piece) in merged.pieces.enumerated() {
                guard case .block(let block) = piece else { continue }
                for (one, other) in [(Side.local, Side.remote), (.remote, .local)] {
                    var mixed = merged
                    mixed.pieces[position] = .text(try #require(block[one]))
                    let taken = try #require(mixed.taking(other))
                    #expect(throws: Never.self) { try Document(parsing: taken) }
                }
            }
        }
    }

    /// Literals with a placeholder for the line in conflict.
    @Test(
        arguments: [
            "|\n  one\n  @\n", "|\n  @\n  one\n", "|\n one\n @\n", "|\n  one\n\n  @\n\n  three\n",
            "|-\n  one\n  @\n",
            "|+\n  one\n  @\n\n", "|\n  one\n    @\n", "|2\n    one\n  @\n", "| # c\n  one\n  @\n",
            "|\n  one\n  @\n# end\nx: 1\n", "|\n\n  one\n  @\n\n# end\n", "|\n  one \n  @\n   \n  two\n",
        ], ["\n", "\r\n"])
    func `only the lines in conflict of a literal are in the block if both sides write it alike`(
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
}
