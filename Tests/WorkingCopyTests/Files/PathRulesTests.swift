import Testing
import WorkingCopy

@Suite struct PathRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let path: String
        let problem: PathProblem?
        var testDescription: String { String(path.prefix(40)).debugDescription }
    }

    static let rows: [Row] = [
        Row(path: "milk.yaml", problem: nil),
        Row(path: "milk.yml", problem: nil),
        Row(path: "a/b c/ä.yaml", problem: nil),
        Row(path: "a\\b.yaml", problem: nil),
        Row(path: "", problem: .empty),
        Row(path: "/milk.yaml", problem: .absolute),
        Row(path: "a//milk.yaml", problem: .emptyComponent),
        Row(path: "a/milk.yaml/", problem: .emptyComponent),
        Row(path: "../milk.yaml", problem: .dotComponent),
        Row(path: "a/../milk.yaml", problem: .dotComponent),
        Row(path: "./milk.yaml", problem: .dotComponent),
        Row(path: ".milk.yaml", problem: .hiddenComponent),
        Row(path: ".todosync/config.yaml", problem: .hiddenComponent),
        Row(path: "a/.git/x.yaml", problem: .hiddenComponent),
        Row(path: ".yaml", problem: .hiddenComponent),
        Row(path: "a/.yaml", problem: .hiddenComponent),
        Row(path: "milk", problem: .notYAML),
        Row(path: "milk.YAML", problem: .notYAML),
        Row(path: "milk.yaml.txt", problem: .notYAML),
        Row(path: "yaml", problem: .notYAML),
        Row(path: "a\nb.yaml", problem: .controlCharacter),
        Row(path: "a\0b.yaml", problem: .controlCharacter),
        Row(path: "a\u{7F}.yaml", problem: .controlCharacter),
        Row(path: "a\u{85}.yaml", problem: .controlCharacter),
        Row(path: "a\u{9F}/b.yaml", problem: .controlCharacter),
        Row(path: "\u{1B}[2J.yaml", problem: .controlCharacter),
        Row(path: "\u{A0}.yaml", problem: nil),
        Row(path: String(repeating: "a", count: 250) + ".yaml", problem: nil),
        Row(path: String(repeating: "a", count: 251) + ".yaml", problem: .componentTooLong),
        Row(path: String(repeating: "ä", count: 126) + ".yaml", problem: .componentTooLong),
        Row(path: String(repeating: "a/", count: 100) + "a.yaml", problem: nil),
        Row(path: String(repeating: "a/", count: 101) + "a.yaml", problem: .tooDeep),
        Row(path: String(repeating: "a", count: 5000) + ".yaml", problem: .tooLong),
    ]

    @Test(arguments: rows) func `a path is judged by the location that it leads to`(row: Row) {
        #expect(PathRules.problem(with: row.path) == row.problem)
    }
}

@Suite struct SlugTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let slug: String
        var testDescription: String { String(text.prefix(40)).debugDescription }
    }

    static let rows: [Row] = [
        Row(text: "Hello world 3", slug: "hello-world-3"),
        Row(text: "  Buy milk, now!  ", slug: "buy-milk-now"),
        Row(text: "Ärger mit Öl", slug: "ärger-mit-öl"),
        Row(text: "牛乳を買う", slug: "牛乳を買う"),
        Row(text: "हिन्दी", slug: "हिन्दी"),
        Row(text: "", slug: "todo"),
        Row(text: "!!! 🎉", slug: "todo"),
        Row(text: "../../etc/passwd", slug: "etc-passwd"),
        Row(text: "line\nbreak\u{85}\u{1B}[2J", slug: "line-break-2j"),
        Row(text: "CON", slug: "con-todo"),
        Row(text: "com1", slug: "com1-todo"),
        Row(text: "com0", slug: "com0"),
        Row(text: "console", slug: "console"),
        Row(
            text: String(repeating: "word ", count: 30), slug: String(repeating: "word-", count: 11) + "word"),
        Row(text: String(repeating: "a", count: 100), slug: String(repeating: "a", count: 60)),
        Row(text: String(repeating: "😀a", count: 100), slug: String(repeating: "a-", count: 29) + "a"),
    ]

    @Test(arguments: rows) func `a slug keeps letters and digits`(row: Row) {
        #expect(text(PathRules.slug(of: row.text).bytes) == row.slug)
    }

    @Test(arguments: rows) func `a path is derived from a slug`(row: Row) {
        #expect(PathRules.problem(with: PathRules.slug(of: row.text) + ".yaml") == nil)
    }

    @Test func `a slug is short in bytes, too`() {
        let marks = "a" + String(repeating: "\u{301}", count: 500)
        #expect(PathRules.slug(of: marks + " b").utf8.count <= 200)
        #expect(PathRules.slug(of: String(repeating: "𝒜", count: 500)).utf8.count <= 200)
    }
}
