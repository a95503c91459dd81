import Testing

@testable import todosync

/// Pages of the documentation as the help prints them.
@Suite struct MarkdownPageTests {
    private static let page = MarkdownPage(
        """
        # Filters

        A [filter](#terms) is `done milk`, *one* term,
        or `two` ([more](../../../Tests/More.md), [names](Names.md#order)).

        ## The terms

        | term | finds |
        | --- | --- |
        | `a`, `b \\| c` | all<br>of them |
        | a very long term | short |

        - one
          goes on
        - two

        1. first

        <!-- not run: a reason -->
        ```sh
        ### code | `x`
        ```
        """)

    @Test func `headings, paragraphs, lists, tables and code are distinguished`() {
        #expect(Self.page.title == "Filters")
        #expect(
            Self.page.blocks == [
                .paragraph(
                    "A [filter](#terms) is `done milk`, *one* term, "
                        + "or `two` ([more](../../../Tests/More.md), [names](Names.md#order))."),
                .heading("The terms"),
                .table([
                    ["term", "finds"], ["`a`, `b | c`", "all<br>of them"], ["a very long term", "short"],
                ]),
                .item(mark: "-", "one goes on"), .item(mark: "-", "two"), .item(mark: "1.", "first"),
                .code(["### code | `x`"]),
            ])
        #expect(MarkdownPage("").blocks == [])
    }

    @Test func `the targets of links are found, and the topics among them`() {
        #expect(Self.page.links == ["#terms", "../../../Tests/More.md", "Names.md#order"])
        #expect(HelpTopic.filters.related(in: Self.page) == [.names])
        #expect(HelpTopic.names.related(in: Self.page) == [])
    }

    @Test func `plain text has no signs of Markdown, and fits the width`() {
        #expect(
            plainText(Self.page, width: 30) == """
                A filter is "done milk", one
                term, or two (more
                (Tests/More.md), names).

                THE TERMS

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
            ("[a](../../SyncEngine/B.md)", [.text("a (Sources/SyncEngine/B.md)")]),
            ("[a](../../SyncServer/SyncServer.docc/Serving.md#keys)", [.text("a")]),
            ("[a](Unlisted.md)", [.text("a")]),
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
