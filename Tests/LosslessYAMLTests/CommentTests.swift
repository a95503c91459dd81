import LosslessYAML
import TestSupport
import Testing

/// Which parts of a text are comments, and where they go in an edited text.
@Suite struct CommentTests {
    private func document(_ text: String) throws -> Document { try Document(parsing: Array(text.utf8)) }

    @Test(arguments: [
        ("a: 1\n", []), ("# one\na: 1 # two\n  # three\n# four", ["# one", "# two", "# three", "# four"]),
        ("a: x#y # one # two\nb: '# no'\nc: \"# no\n  # no\" # yes\n", ["# one # two", "# yes"]),
        ("a: | # head\n  # no\n  x # no\n# yes\n", ["# head", "# yes"]),
        ("a: >-\n  # no\n\n# yes\nb: !!str # tag\n  x\n", ["# yes", "# tag"]),
        (
            "\u{feff}# one\r\n\"k # no\": &x # two\r\n  p: *x # three\r\n".replacing("*x", with: "1"),
            [
                "# one", "# two", "# three",
            ]
        ),
        (
            "%YAML 1.2 # one\n--- # two\n? a # three\n: b # four\n... # five\n",
            [
                "# one", "# two", "# three", "# four", "# five",
            ]
        ),
        (
            "{a: [x, # one\n  'y', # two\n  z# no\n  ], # three\n  # four\n  b: }#five\n",
            [
                "# one", "# two", "# three", "# four", "#five",
            ]
        ),
    ])
    func `a comment begins with a number sign outside of values`(row: (text: String, comments: [String]))
        throws
    {
        let document = try document(row.text)
        #expect(
            document.comments.map { String(decoding: document.comment($0), as: UTF8.self) } == row.comments)
    }

    @Test(arguments: 0..<UInt64(500))
    func `setting a field at the top loses no comment, whatever the text looks like`(seed: UInt64) throws {
        var generator = RandomYAML(seed: seed)
        let document = try Document(parsing: generator.document())
        var fields = document.fields
        fields["a new one"] = .bool(true)
        let edited = try Document(parsing: document.updated(to: fields))
        #expect(edited.fields == fields)
        func texts(_ document: Document) -> [String] {
            document.comments.map { String(decoding: document.comment($0), as: UTF8.self) }
        }
        #expect(
            texts(edited).sorted() == texts(document).sorted(),
            "\(String(decoding: document.bytes, as: UTF8.self))\n=====>\n\(String(decoding: edited.bytes, as: UTF8.self))"
        )
    }
}
