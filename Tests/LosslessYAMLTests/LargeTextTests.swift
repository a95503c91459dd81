import LosslessYAML
import Testing

/// Texts of the maximum size, in forms that provoke quadratic time; reading or editing each one would then
/// take hours.
@Suite(.timeLimit(.minutes(30))) struct `Large texts take proportional time` {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    @Test(arguments: [
        Row("keys", (0..<70_000).map { "k\($0): \($0)\n" }.joined()),
        Row("keys in braces", "{" + (0..<70_000).map { "k\($0): \($0)," }.joined() + "}"),
        Row("items", "a:\n" + repeated("- x\n", 250_000)),
        Row("items in brackets", "a: [" + repeated("\u{E9},", 300_000) + "]"),
        Row("anchors", "a:\n" + (0..<60_000).map { "- &a\($0) x\n" }.joined()),
        Row("aliases", "a: &a x\nb:\n" + repeated("- *a\n", 90_000)),
        Row("blocks", "a: |+\n x\n" + (0..<60_000).map { "k\($0): |\n x\n\n" }.joined()),
        Row("lines of a block", "a: |\n" + repeated("  \u{E9}\n", 200_000)),
        Row("comments", "a: 1\n" + repeated("#\n", 500_000)),
        Row("blank lines", "a: 1\n" + repeated("\n", 1_000_000) + "b: 2\n"),
        Row("one long line", "a: " + repeated("x ", 500_000)),
        Row(
            "comments below a deep entry",
            (0..<60).map { repeated(" ", $0) + "k:\n" }.joined() + repeated(" ", 60) + "x: 1\n"
                + repeated(repeated(" ", 62) + "#\n", 15_000)),
        Row("hexadecimal digits", "a: [" + repeated("0x" + repeated("f", 9_990) + ",", 100) + "]"),
    ])
    func `for reading and editing`(row: Row) throws {
        let document = try Document(parsing: Array(row.text.utf8))
        var target = document.fields
        for key in target.keys.dropFirst(target.count / 2) { target[key] = .null }
        if case .list(let list)? = target["a"] {
            target["a"] = .list(Array(list.dropFirst(list.count / 2)) + ["new"])
        }
        target["new"] = "x"
        #expect(try Document(parsing: document.updated(to: target)).fields == target)
    }
}
