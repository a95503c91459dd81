import Testing

@testable import todosync

/// Sections of README.md as the help prints them.
@Suite struct MarkdownSectionTests {
    private static let page = """
        ### Other

        not this

        ### Filters

        A [filter](#filters) is `done milk`, *one* term,
        or `two` ([more](Tests/More.md)).

        | term | finds |
        | --- | --- |
        | `a`, `b \\| c` | all<br>of them |
        | a very long term | short |

        - one
          goes on
        - two

        1. first

        ```sh
        ### code | `x`
        ```

        ## Next

        nor this
        """

    @Test func `paragraphs, lists, tables and code are distinguished`() throws {
        let section = try #require(MarkdownSection(of: Self.page, below: "Filters"))
        #expect(
            section.blocks == [
                .paragraph(
                    "A [filter](#filters) is `done milk`, *one* term, or `two` ([more](Tests/More.md))."),
                .table([
                    ["term", "finds"], ["`a`, `b | c`", "all<br>of them"], ["a very long term", "short"],
                ]),
                .item(mark: "-", "one goes on"), .item(mark: "-", "two"), .item(mark: "1.", "first"),
                .code(["### code | `x`"]),
            ])
        #expect(MarkdownSection(of: Self.page, below: "Nothing") == nil)
    }

    @Test func `plain text has no signs of Markdown, and fits the width`() throws {
        let section = try #require(MarkdownSection(of: Self.page, below: "Filters"))
        #expect(
            plainText(section, width: 30) == """
                A filter is "done milk", one
                term, or two (more
                (Tests/More.md)).

                  a, b | c    all of them
                  a very long term
                              short

                  - one goes on
                  - two
                  1. first

                    ### code | `x`

                """)
    }

    @Test(
        arguments: [
            ("a `b` *c*", [.text("a "), .code("b"), .text(" "), .emphasis("c")]),
            ("[`a` b](#c) d", [.code("a"), .text(" b d")]), ("2 * 3", [.text("2 * 3")]),
            ("`a", [.text("`a")]),
            ("[x] y", [.text("[x] y")]), ("[a](https://example.org)", [.text("a")]),
        ] as [(String, [MarkdownSpan])])
    func `a text is split into its parts`(_ text: String, _ expected: [MarkdownSpan]) {
        #expect(MarkdownSpan.spans(of: text) == expected)
    }

    @Test(arguments: [
        ("one two three", 7, "one two\n  three\n"), ("onetwothree four", 5, "onetwothree\n  four\n"),
        ("", 5, "\n"),
        ("日本 語", 5, "日本\n  語\n"),
    ])
    func `words are wrapped`(_ text: String, _ width: Int, _ expected: String) {
        #expect(wrapped(text, width: width, indent: "  ") == expected)
    }

    @Test(arguments: [
        ("a short line\n", 12, "a short line\n"), ("a longer line", 12, "a longer\nline"),
        ("one\n  two three four\n\nfive", 12, "one\n  two three\n  four\n\nfive"), ("a  b", 4, "a  b"),
        ("\u{1B}[1mfour\u{1B}[0m four", 9, "\u{1B}[1mfour\u{1B}[0m four"), ("unbreakable", 4, "unbreakable"),
    ])
    func `only a line that is too wide is broken`(_ text: String, _ width: Int, _ expected: String) {
        #expect(fitted(text, width: width) == expected)
        #expect(fitted(text, width: nil) == text)
    }
}
