import LosslessYAML
import Testing

@testable import ThreeWayMerge

@Suite struct MergedTextTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var base: String?
        var local: String
        var remote: String
        var merged: String

        func merge() throws -> Merge {
            try ThreeWayMerge.merge(
                base: try base.map(document), local: document(local), remote: document(remote), rules: .todo)
        }
    }

    static let clean = [
        Row(
            testDescription: "each side changed a field",
            base: "# the comment\nid: a\ntext: milk\ncomplete: false\n",
            local: "# the comment\nid: a\ntext: oat milk\ncomplete: false\n",
            remote: "# the comment\nid: a\ntext: milk\ncomplete: true\n",
            merged: "# the comment\nid: a\ntext: oat milk\ncomplete: true\n"),
        Row(
            testDescription: "neighboring fields, each with its own comment",
            base: "id: a\ntext: milk\ndue: 2026-12-01\n",
            local: "id: a\ntext: oat milk # tastier\ndue: 2026-12-01\n",
            remote: "id: a\ntext: milk\ndue: 2026-12-02 # later\n",
            merged: "id: a\ntext: oat milk # tastier\ndue: 2026-12-02 # later\n"),
        Row(
            testDescription: "a comment on one side, the value on the other",
            base: "id: a\ntext: milk\n",
            local: "id: a\ntext: milk # urgent\n",
            remote: "id: a\ntext: oat milk\n",
            merged: "id: a\ntext: oat milk # urgent\n"),
        Row(
            testDescription: "the value on one side, a comment on the other",
            base: "id: a\ntext: milk\n",
            local: "id: a\ntext: oat milk\n",
            remote: "# shopping\nid: a\ntext: milk # urgent\n",
            merged: "# shopping\nid: a\ntext: oat milk # urgent\n"),
        Row(
            testDescription: "both sides added fields at the end",
            base: "id: a\ntext: milk\n",
            local: "id: a\ntext: milk\ndue: 2026-12-01\n",
            remote: "id: a\ntext: milk\n# how much\namount: 2\n",
            merged: "id: a\ntext: milk\ndue: 2026-12-01\n# how much\namount: 2\n"),
        Row(
            testDescription: "a field added remotely in the middle",
            base: "id: a\ntext: milk\ncomplete: false\n",
            local: "id: a\ntext: milk\ncomplete: true\n",
            remote: "id: a\ntext: milk\nshop: corner\ncomplete: false\n",
            merged: "id: a\ntext: milk\nshop: corner\ncomplete: true\n"),
        Row(
            testDescription: "a field removed on each side",
            base: "id: a\ntext: milk\nx: 1\ny: 2\nz: 3\n",
            local: "id: a\ntext: milk\ny: 2\nz: 3\n",
            remote: "id: a\ntext: milk\nx: 1\ny: 2\n",
            merged: "id: a\ntext: milk\ny: 2\n"),
        Row(
            testDescription: "tags in flow style keep their spelling",
            base: "id: a\ntext: milk\ntags: [ home , \"shop\" ]\n",
            local: "id: a\ntext: milk\ntags: [ home , \"shop\", weekend ]\n",
            remote: "id: a\ntext: milk\ntags: [ \"shop\", big ]\n",
            merged: "id: a\ntext: milk\ntags: [ \"shop\", weekend, big ]\n"),
        Row(
            testDescription: "tags in block style with comments",
            base: "id: a\ntext: milk\ntags:\n  - home # mine\n  - shop\n",
            local: "id: a\ntext: milk\ntags:\n  - home # mine\n  - shop\n  - weekend\n",
            remote: "id: a\ntext: milk\ntags:\n  - home # mine\n  - shop\n  - big # new\n",
            merged: "id: a\ntext: milk\ntags:\n  - home # mine\n  - shop\n  - weekend\n  - big # new\n"),
        Row(
            testDescription: "a checklist",
            base: "id: a\ntext: t\nitems:\n  - text: one\n    done: false\n  - text: two\n    done: false\n",
            local: "id: a\ntext: t\nitems:\n  - text: one\n    done: true\n  - text: two\n    done: false\n",
            remote:
                "id: a\ntext: t\nitems:\n  - text: one\n    done: false\n  # second\n  - text: two\n    done: true\n  - text: three\n",
            merged:
                "id: a\ntext: t\nitems:\n  - text: one\n    done: true\n  # second\n  - text: two\n    done: true\n  - text: three\n"
        ),
        Row(
            testDescription: "notes by lines",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two\n  three\n",
            local: "id: a\ntext: t\nnotes: |\n  ONE\n  two\n  three\n",
            remote: "id: a\ntext: t\nnotes: |\n  one\n  two\n  THREE\n  four\n",
            merged: "id: a\ntext: t\nnotes: |\n  ONE\n  two\n  THREE\n  four\n"),
        Row(
            testDescription: "local's line endings, byte order mark and missing last line break stay",
            base: "id: a\ntext: milk\ndue: 2026-12-01\n",
            local: "\u{feff}id: a\r\ntext: oat milk\r\ndue: 2026-12-01",
            remote: "id: a\ntext: milk\ndue: 2026-12-02\nshop: corner\n",
            merged: "\u{feff}id: a\r\ntext: oat milk\r\ndue: 2026-12-02\r\nshop: corner"),
        Row(
            testDescription: "local in flow style",
            base: "{id: a, text: milk, n: 1}\n",
            local: "{id: a, text: oat milk, n: 1}\n",
            remote: "{id: a, text: milk, n: 2}\n",
            merged: "{id: a, text: oat milk, n: 2}\n"),
        Row(
            testDescription: "an order changed remotely",
            base: "id: a\ntext: t\nx: 1\ny: 2\n",
            local: "id: a\ntext: t\nx: 1\ny: 3\n",
            remote: "id: a\ntext: t\ny: 2\nx: 1\n",
            merged: "id: a\ntext: t\ny: 3\nx: 1\n"),
        Row(
            testDescription: "a comment changed on both sides: both stay",
            base: "# one\nid: a\ntext: t\n",
            local: "# two\nid: a\ntext: t\n",
            remote: "# three\nid: a\ntext: u\n",
            merged: "# two\n# three\nid: a\ntext: u\n"),
        Row(
            testDescription: "against nothing",
            base: nil,
            local: "id: a\ntext: t # mine\ntags: [x]\n",
            remote: "id: a\n# theirs\ntext: t\ntags: [z]\n# how much\namount: 2\n",
            merged: "id: a\n# theirs\ntext: t # mine\ntags: [x, z]\n# how much\namount: 2\n"),
        Row(
            testDescription: "a nested mapping",
            base: "id: a\ntext: t\nowner:\n  name: Ann\n  phone: 1\n",
            local: "id: a\ntext: t\nowner:\n  name: Bea # new\n  phone: 1\n",
            remote: "id: a\ntext: t\nowner:\n  name: Ann\n  # at work\n  phone: 2\n",
            merged: "id: a\ntext: t\nowner:\n  name: Bea # new\n  # at work\n  phone: 2\n"),
        Row(
            testDescription: "local's line endings stay mixed",
            base: "id: a\ntext: t\nx: 1\n",
            local: "id: a\r\ntext: u\nx: 1\r\n",
            remote: "id: a\ntext: t\nx: 2\n",
            merged: "id: a\r\ntext: u\nx: 2\r\n"),
        Row(
            testDescription: "carriage returns alone",
            base: "id: a\ntext: t\nx: 1\n",
            local: "id: a\rtext: u\rx: 1\r",
            remote: "id: a\ntext: t\nx: 2\n",
            merged: "id: a\rtext: u\rx: 2\r"),
        Row(
            testDescription: "only line endings changed locally",
            base: "id: a\ntext: t\n",
            local: "id: a\r\ntext: t\r\n",
            remote: "# new\nid: a\ntext: u\n",
            merged: "# new\r\nid: a\r\ntext: u\r\n"),
        Row(
            testDescription: "the remote in flow style",
            base: "id: a\ntext: t\nx: 1\n",
            local: "id: a\ntext: u # mine\nx: 1\n",
            remote: "{id: a, text: t, x: 0x2, y: [p, q]}\n",
            merged: "id: a\ntext: u # mine\nx: 0x2\ny: [p, q]\n"),
        Row(
            testDescription: "a field removed with its comment, and one that keeps it",
            base: "id: a\ntext: t\n# one\nx: 1\n# two\ny: 2\nz: 3\n",
            local: "id: a\ntext: u\n# one\nx: 1\n# two\ny: 2\nz: 3\n",
            remote: "id: a\ntext: t\n# two\nz: 3\n",
            merged: "id: a\ntext: u\n# two\nz: 3\n"),
        Row(
            testDescription: "a comment written above a field that the remote removed",
            base: "id: a\ntext: t\nx: 1\ny: 2\n",
            local: "id: a\ntext: t\n# mine\nx: 1\ny: 2\n",
            remote: "id: a\ntext: t\ny: 2\n",
            merged: "id: a\ntext: t\n# mine\ny: 2\n"),
        Row(
            testDescription: "a literal at the end of a file without a last line break",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two",
            local: "id: a\ntext: u\nnotes: |\n  one\n  two",
            remote: "# new\nid: a\ntext: t\nnotes: |\n  one\n  two",
            merged: "# new\nid: a\ntext: u\nnotes: |\n  one\n  two"),
        Row(
            testDescription: "both sides have comments at the file's end",
            base: "id: a\ntext: t\n# end\n",
            local: "id: a\ntext: u\n# end\n",
            remote: "id: a\ntext: t\nx: 1\n# end\n# more\n",
            merged: "id: a\ntext: u\nx: 1\n# end\n# more\n"),
        Row(
            testDescription: "a document's start and end",
            base: "%YAML 1.2\n---\nid: a\ntext: t\nx: 1\n...\n",
            local: "%YAML 1.2\n---\nid: a\ntext: u\nx: 1\n...\n",
            remote: "%YAML 1.2\n---\n# c\nid: a\ntext: t\nx: 2\n...\n",
            merged: "%YAML 1.2\n---\n# c\nid: a\ntext: u\nx: 2\n...\n"),
    ]

    @Test(arguments: clean)
    func `parts without conflicts are merged into local's text`(row: Row) throws {
        let merge = try row.merge()
        #expect(merge.outcome == .clean(Array(row.merged.utf8)), "\(row.merged)\n---\n\(merge.outcome.shown)")
        #expect(merge.conflictingFields.isEmpty)
    }

    static let conflicted = [
        Row(
            testDescription: "different changes to a field, and another field merged",
            base: "# the comment stays\nid: a\ntext: Hello world 3\ncomplete: false\n",
            local: "# the comment stays\nid: a\ntext: Hello world 13\ncomplete: false\n",
            remote: "# the comment stays\nid: a\ntext: Hello world 23\ncomplete: true\n",
            merged: """
                # the comment stays
                id: a
                <<<<<<< local
                text: Hello world 13
                ||||||| base
                text: Hello world 3
                =======
                text: Hello world 23
                >>>>>>> remote
                complete: true

                """),
        Row(
            testDescription: "a field removed and changed",
            base: "id: a\ntext: t\n# when\ndue: 2026-12-01\nx: 1\n",
            local: "id: a\ntext: t\nx: 1\n",
            remote: "id: a\ntext: t\n# when\ndue: 2026-12-02\nx: 1\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                ||||||| base
                # when
                due: 2026-12-01
                =======
                # when
                due: 2026-12-02
                >>>>>>> remote
                x: 1

                """),
        Row(
            testDescription: "a field changed and removed at the end",
            base: "id: a\ntext: t\ndue: 2026-12-01\n",
            local: "id: a\ntext: t\ndue: 2026-12-02\n",
            remote: "id: a\ntext: t\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                due: 2026-12-02
                ||||||| base
                due: 2026-12-01
                =======
                >>>>>>> remote

                """),
        Row(
            testDescription: "a nested field",
            base: "id: a\ntext: t\nowner:\n  name: Ann\n  phone: 1\n",
            local: "id: a\ntext: t\nowner:\n  name: Bea\n  phone: 1\n",
            remote: "id: a\ntext: t\nowner:\n  name: Cleo\n  phone: 2\n",
            merged: """
                id: a
                text: t
                owner:
                <<<<<<< local
                  name: Bea
                ||||||| base
                  name: Ann
                =======
                  name: Cleo
                >>>>>>> remote
                  phone: 2

                """),
        Row(
            testDescription: "a field of a checklist's item",
            base: "id: a\ntext: t\nitems:\n  - text: one\n    n: 1\n  - text: two\n    n: 1\n",
            local: "id: a\ntext: t\nitems:\n  - text: one\n    n: 1\n  - text: two\n    n: 2\n",
            remote: "id: a\ntext: t\nitems:\n  - text: one\n    n: 5\n  - text: two\n    n: 3\n",
            merged: """
                id: a
                text: t
                items:
                  - text: one
                    n: 5
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
            testDescription: "an item removed and changed",
            base: "id: a\ntext: t\nitems:\n  - text: one\n    n: 1\n  - text: two\n",
            local: "id: a\ntext: t\nitems:\n  - text: two\n",
            remote: "id: a\ntext: t\nitems:\n  - text: one\n    n: 2\n  - text: two\n",
            merged: """
                id: a
                text: t
                items:
                <<<<<<< local
                ||||||| base
                  - text: one
                    n: 1
                =======
                  - text: one
                    n: 2
                >>>>>>> remote
                  - text: two

                """),
        Row(
            testDescription: "lines of notes",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two\n  three\n",
            local: "id: a\ntext: t\nnotes: |\n  one\n  2\n  three\n",
            remote: "id: a\ntext: t\nnotes: |\n  one\n  II\n  three\n  four\n",
            merged: """
                id: a
                text: t
                notes: |
                  one
                <<<<<<< local
                  2
                ||||||| base
                  two
                =======
                  II
                >>>>>>> remote
                  three
                  four

                """),
        Row(
            testDescription: "notes in a different style on each side: the whole field",
            base: "id: a\ntext: t\nnotes: |\n  one\n  two\n",
            local: "id: a\ntext: t\nnotes: \"1\\ntwo\\n\"\n",
            remote: "id: a\ntext: t\nnotes: |\n  I\n  two\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                notes: "1\\ntwo\\n"
                ||||||| base
                notes: |
                  one
                  two
                =======
                notes: |
                  I
                  two
                >>>>>>> remote

                """),
        Row(
            testDescription: "flow style: the enclosing entry, with the merged parts on both sides",
            base: "id: a\ntext: t\nowner: {name: Ann, phone: 1}\n",
            local: "id: a\ntext: t\nowner: {name: Bea, phone: 1}\n",
            remote: "id: a\ntext: t\nowner: {name: Cleo, phone: 2}\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                owner: {name: Bea, phone: 2}
                ||||||| base
                owner: {name: Ann, phone: 2}
                =======
                owner: {name: Cleo, phone: 2}
                >>>>>>> remote

                """),
        Row(
            testDescription: "a todo in flow style",
            base: "{id: a, text: t, n: 1}\n",
            local: "{id: a, text: 'u', n: 1}\n",
            remote: "{id: a, text: v, n: 2}\n",
            merged: """
                <<<<<<< local
                {id: a, text: 'u', n: 2}
                ||||||| base
                {id: a, text: 't', n: 2}
                =======
                {id: a, text: 'v', n: 2}
                >>>>>>> remote

                """),
        Row(
            testDescription: "against nothing",
            base: nil,
            local: "id: a\ntext: t\nn: 1\n",
            remote: "id: a\ntext: u\nm: 2\n",
            merged: """
                id: a
                <<<<<<< local
                text: t
                =======
                text: u
                >>>>>>> remote
                n: 1
                m: 2

                """),
        Row(
            testDescription: "carriage returns and no last line break",
            base: "id: a\ntext: t\n",
            local: "id: a\r\ntext: u",
            remote: "id: a\ntext: v\n",
            merged:
                "id: a\r\n<<<<<<< local\r\ntext: u\r\n||||||| base\r\ntext: t\r\n=======\r\ntext: v\r\n>>>>>>> remote"
        ),
        Row(
            testDescription: "a mapping that both sides added",
            base: "id: a\ntext: t\n",
            local: "id: a\ntext: t\nowner:\n  name: Ann\n",
            remote: "id: a\ntext: t\nowner:\n  name: Bea\n",
            merged: """
                id: a
                text: t
                owner:
                <<<<<<< local
                  name: Ann
                ||||||| base
                =======
                  name: Bea
                >>>>>>> remote

                """),
        Row(
            testDescription: "a mapping indented differently on each side: the whole field",
            base: "id: a\ntext: t\nowner:\n  name: Ann\n",
            local: "id: a\ntext: t\nowner:\n    name: Bea\n",
            remote: "id: a\ntext: t\nowner:\n  name: Cleo\n",
            merged: """
                id: a
                text: t
                <<<<<<< local
                owner:
                    name: Bea
                ||||||| base
                owner:
                  name: Ann
                =======
                owner:
                  name: Cleo
                >>>>>>> remote

                """),
        Row(
            testDescription: "two conflicts side by side are two blocks",
            base: "id: a\ntext: t\nx: 1\n",
            local: "id: a\ntext: u\nx: 2\n",
            remote: "id: a\ntext: v\nx: 3\n",
            merged: """
                id: a
                <<<<<<< local
                text: u
                ||||||| base
                text: t
                =======
                text: v
                >>>>>>> remote
                <<<<<<< local
                x: 2
                ||||||| base
                x: 1
                =======
                x: 3
                >>>>>>> remote

                """),
        Row(
            testDescription: "an alias whose anchor is in conflict: one block with both",
            base: "id: a\ntext: &x t\ny: *x\n",
            local: "id: a\ntext: &x u\ny: *x\n",
            remote: "id: a\ntext: &x v\ny: *x\n",
            merged: """
                id: a
                <<<<<<< local
                text: &x u
                y: *x
                ||||||| base
                text: &x t
                y: *x
                =======
                text: &x v
                y: *x
                >>>>>>> remote

                """),
    ]

    @Test(arguments: conflicted)
    func `a conflict is in the smallest possible block`(row: Row) throws {
        let merge = try row.merge()
        #expect(merge.outcome.shown == row.merged)
    }

    @Test(arguments: [
        // Anchors in blocks that exist on only one side.
        ("text: t\nx: 1\ny: 1\n", "text: &l t\nx: &m 2\ny: *m\n", "text: t\nx: &n 3\ny: *n\n"),
        ("x: 1\ny: 1\n", "x: 2\ny: &m {k: 2}\nz: *m\n", "x: &m {k: 3}\ny: *m\n"),
        // A line that looks like a marker.
        ("text: t\n", "text: \"one\n\n<<<<<<< local\n\n  two\"\n", "text: v\n"),
        ("text: t\n", "text: u\n", "text: 'one\n=======\n  two'\n"),
        // Everything on one line.
        ("{text: t, x: {y: 1}}\n", "{text: t, x: {y: 2}}\n", "{text: t, x: {y: 3}}\n"),
        ("text: t\n", "? text\n: u\n", "\"text\": v\n"),
    ])
    func `unusual todos conflict without losing anything`(row: (base: String, local: String, remote: String))
        throws
    {
        func todo(_ text: String) throws -> Document {
            try Document(parsing: try document(text).inserting(id: "a"))
        }
        let texts = try (todo(row.base), todo(row.local), todo(row.remote))
        let fields = FieldMerge(
            base: texts.0.fields, local: texts.1.fields, remote: texts.2.fields, rules: .todo
        ).fields
        let outcome = merge(base: texts.0, local: texts.1, remote: texts.2, rules: .todo).outcome
        guard case .conflicted(let text) = outcome else {
            Issue.record("no conflict: \(outcome.shown)")
            return
        }
        let shown = text.text(style: .diff3)
        let read = try #require(try ConflictedText.read(shown), "\(string(shown))")
        #expect(read == text)
        if !row.local.hasPrefix("{") {
            // The id is in the block only if the todo is one flow mapping.
            #expect(
                text.pieces.first.map {
                    if case .text(let bytes) = $0 { string(bytes).contains("id: a") } else { false }
                } == true)
        }
        for side in [Side.local, .remote] {
            let taken = try #require(read.taking(side))
            #expect(try Document(parsing: taken).fields == fields.taking(side), "\(string(shown))")
        }
    }

    @Test func `the report names merged and conflicting fields`() throws {
        let merge = merge(
            base: try document("id: a\ntext: t\nx: 1\ny: 1\nz: 1\n"),
            local: try document("id: a\ntext: u\nx: 2\ny: 1\nz: 1\n"),
            remote: try document("id: a\ntext: v\nx: 1\ny: 2\nnew: 1\n"), rules: .todo)
        #expect(merge.mergedFields == ["y", "z", "new"])
        #expect(merge.conflictingFields == ["text"])
        #expect(merge.decisions.map(\.field) == ["text", "x", "y", "z", "new"])
    }
}

extension MergedText {
    /// The text as in a file, with the base's lines between the markers.
    var shown: String {
        switch self {
        case .clean(let bytes): string(bytes)
        case .conflicted(let text): string(text.text(style: .diff3))
        case .unwritable(let obstacle): "\(obstacle)"
        }
    }
}
