import LosslessYAML
import Testing

@Suite struct `Every node has its bytes` {
    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        /// Each entry and item in the order of the text: the bytes of its value, and its lines.
        let parts: [Part]
        init(_ text: String, _ parts: Part...) { (self.text, self.parts) = (text, parts) }
        var testDescription: String { text.debugDescription }
    }

    struct Part: Equatable, Sendable {
        let name: String
        let value: String
        let lines: String
        init(_ name: String, _ value: String, _ lines: String) {
            (self.name, self.value, self.lines) = (name, value, lines)
        }
    }

    @Test(arguments: [
        Row("a: 1\nb:  'x' # c\n", Part("a", "1", "a: 1\n"), Part("b", "'x'", "b:  'x' # c\n")),
        Row(
            "\u{FEFF}\u{E9}: \u{1F600}x\r\nb: |\r\n  y\r\n",
            Part("\u{E9}", "\u{1F600}x", "\u{E9}: \u{1F600}x\r\n"),
            Part("b", "|\r\n  y\r\n", "b: |\r\n  y\r\n")),
        Row("a: 1\rb: 2", Part("a", "1", "a: 1\r"), Part("b", "2", "b: 2")),
        Row("---\na:\nb: # c\n...\n# d\n", Part("a", "", "a:\n"), Part("b", "", "b: # c\n")),
        Row(
            "a: one\n\n  two\n\n  # deeper\n# not deeper\nb: 1",
            Part("a", "one\n\n  two", "a: one\n\n  two\n\n  # deeper\n"),
            Part("b", "1", "b: 1")),
        Row(
            "a:\n  # between\n  x # c\nb: 1\n", Part("a", "x", "a:\n  # between\n  x # c\n"),
            Part("b", "1", "b: 1\n")),
        Row(
            "? a # c\n: x\n?  b\n? c\n:\n  y\n", Part("a", "x", "? a # c\n: x\n"), Part("b", "", "?  b\n"),
            Part("c", "y", "? c\n:\n  y\n")),
        Row(
            "a: &x !!str # c\n  y\nb: &z\nc: *x\n", Part("a", "&x !!str # c\n  y", "a: &x !!str # c\n  y\n"),
            Part("b", "&z", "b: &z\n"), Part("c", "*x", "c: *x\n")),
        Row(
            "a:\n- x\n# c\n-\n\n- y\nb: 1\n", Part("a", "- x\n# c\n-\n\n- y", "a:\n- x\n# c\n-\n\n- y\n"),
            Part("-", "x", "- x\n"),
            Part("-", "", "-\n"), Part("-", "y", "- y\n"), Part("b", "1", "b: 1\n")),
        Row(
            "a:\n - - x\n   - y\n  # deeper\n - k: 1\n   l: 2\n",
            Part(
                "a", "- - x\n   - y\n  # deeper\n - k: 1\n   l: 2",
                "a:\n - - x\n   - y\n  # deeper\n - k: 1\n   l: 2\n"),
            Part("-", "- x\n   - y", " - - x\n   - y\n  # deeper\n"), Part("-", "x", " - - x\n"),
            Part("-", "y", "   - y\n"),
            Part("-", "k: 1\n   l: 2", " - k: 1\n   l: 2\n"), Part("k", "1", " - k: 1\n"),
            Part("l", "2", "   l: 2\n")),
        Row(
            "a: |\n  x\n\n  y\n\n\n# c\nb: |+ # h\n x\n\n\nc: >-\n\n",
            Part("a", "|\n  x\n\n  y\n", "a: |\n  x\n\n  y\n"),
            Part("b", "|+ # h\n x\n\n\n", "b: |+ # h\n x\n\n\n"), Part("c", ">-\n", "c: >-\n")),
        Row(
            "a:\n  b: |2-\n     x\n    # text\n      \n    \n # deeper\nc: |\n x",
            Part(
                "a", "b: |2-\n     x\n    # text\n      \n",
                "a:\n  b: |2-\n     x\n    # text\n      \n    \n # deeper\n"),
            Part("b", "|2-\n     x\n    # text\n      \n", "  b: |2-\n     x\n    # text\n      \n"),
            Part("c", "|\n x", "c: |\n x")),
        Row(
            "a: [x, &y\n  'z', ] # c\nb: {k: 1, \"l\":2,\n m, n: }\n",
            Part("a", "[x, &y\n  'z', ]", "a: [x, &y\n  'z', ] # c\n"),
            Part("-", "x", "x"), Part("-", "&y\n  'z'", "&y\n  'z'"),
            Part("b", "{k: 1, \"l\":2,\n m, n: }", "b: {k: 1, \"l\":2,\n m, n: }\n"), Part("k", "1", "k: 1"),
            Part("l", "2", "\"l\":2"), Part("m", "", "m"), Part("n", "", "n:")),
        Row(
            "--- !!map # c\n{ a: 1, ? b : 2, c: [d: 3] }\n", Part("a", "1", "a: 1"),
            Part("b", "2", "? b : 2"),
            Part("c", "[d: 3]", "c: [d: 3]"), Part("-", "d: 3", "d: 3"), Part("d", "3", "d: 3")),
        Row(
            "&r\n  &k a: 1\n  b:\n    -\n     # deeper\n    # not\n    - x\n",
            Part("a", "1", "  &k a: 1\n"),
            Part(
                "b", "-\n     # deeper\n    # not\n    - x",
                "  b:\n    -\n     # deeper\n    # not\n    - x\n"),
            Part("-", "", "    -\n     # deeper\n"), Part("-", "x", "    - x\n")),
    ])
    func `the value's bytes and the entry's lines`(row: Row) throws {
        let document = try Document(parsing: Array(row.text.utf8))
        #expect(Self.parts(of: document.root, document.bytes) == row.parts)
    }

    private static func parts(of node: Node, _ bytes: [UInt8]) -> [Part] {
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        switch node.shape {
        case .scalar, .alias: return []
        case .sequence(_, let items):
            return items.flatMap { item in
                [Part("-", text(item.value.range), text(item.lines))] + parts(of: item.value, bytes)
            }
        case .mapping(_, let entries):
            return entries.flatMap { entry in
                [Part(entry.key, text(entry.value.range), text(entry.lines))] + parts(of: entry.value, bytes)
            }
        }
    }
}
