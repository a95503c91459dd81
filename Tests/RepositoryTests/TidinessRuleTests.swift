import Testing

/// Tests how the tidiness rules parse Swift.
@Suite struct TidinessRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String
        let code: String
        let isFound: Bool

        var testDescription: String { "\(pattern) in \(code)" }
    }

    static let rows = [
        Row(pattern: "exit(", code: "exit(1)", isFound: true),
        Row(pattern: "exit(", code: "{exit(1)}", isFound: true),
        Row(pattern: "exit(", code: "Glibc.exit(1)", isFound: true),
        Row(pattern: "exit(", code: "_exit(1)", isFound: false),
        Row(pattern: "exit(", code: "process.exit(1)", isFound: false),
        Row(pattern: "exit(", code: "func exit(_ status: Int)", isFound: false),
        Row(pattern: "exit(", code: "// exit(1)", isFound: false),
        Row(pattern: "exit(", code: "/* /* */ exit(1) */", isFound: false),
        Row(pattern: "exit(", code: "/* */ exit(1)", isFound: true),
        Row(pattern: "exit(", code: #"let text = "exit(1)""#, isFound: false),
        Row(pattern: "exit(", code: #"let text = "\(exit(1))""#, isFound: true),
        Row(pattern: "exit(", code: #"let text = "\"exit(1)""#, isFound: false),
        Row(pattern: "exit(", code: ##"let text = #"a " \(exit(1))"#"##, isFound: false),
        Row(pattern: "exit(", code: ##"let text = #"a " \#(exit(1))"#"##, isFound: true),
        Row(pattern: "exit(", code: "\"\"\"\n\"a\" exit(1)\n\"\"\"", isFound: false),
        Row(pattern: "exit(", code: "\"\"\"\n\"a\"\n\"\"\"; exit(1)", isFound: true),
        Row(pattern: "exit(", code: "text.contains(/\"/); exit(1)", isFound: true),
        Row(pattern: "exit(", code: "text.contains(/[/\"]\\//); exit(1)", isFound: true),
        Row(pattern: "exit(", code: "text.contains(#/ \" /#); exit(1)", isFound: true),
        Row(pattern: "exit(", code: "text.contains(/exit(1)/)", isFound: false),
        Row(pattern: "exit(", code: "a / b / exit(1)", isFound: true),
        Row(pattern: "exit(", code: ##"[#""\""#, a]; exit(1)"##, isFound: true),
        Row(pattern: "exit(", code: ##"[#""""#, a]; exit(1)"##, isFound: true),
        Row(pattern: "/srv/", code: "open /srv/a", isFound: true),
        Row(pattern: "/srv/", code: "open(web/srv/a)", isFound: false),
        Row(pattern: "/srv/", code: "open(../srv/a)", isFound: false),
        Row(pattern: "red", code: "ordered reduce", isFound: false),
        Row(pattern: ".random(", code: "Int.random(in: 0..<2)", isFound: true),
        Row(pattern: "try!", code: "try! call()", isFound: true),
        Row(pattern: "environ", code: "environment", isFound: false),
        Row(pattern: "environ", code: "spawn(environ)", isFound: true),
    ]

    @Test(arguments: rows)
    func `a pattern is found only in code, and as a separate word`(row: Row) {
        let code = SwiftCode(Array(row.code.utf8)).bytes
        #expect(linesWithOccurrences(of: row.pattern, in: code).isEmpty == !row.isFound)
    }

    @Test(arguments: [
        ("let place = 1", "place"), ("struct Place {}", "place"), ("func f(isTold: Bool)", "told"),
        ("let a: SettledValue", "settled"), ("knownFile(of: id)", "known"), ("tellLoss()", "tell"),
        ("bringInOlder()", "bring in"), ("case takenUp", "taken up"), ("if isLeftAlone {}", "left alone"),
        ("text.lastPlace?.path", "place"), ("let URLPlace = a", "place"), ("let place2 = 1", "place"),
        ("let _known = 1", "known"), ("@Test func `a conflict is told once`() {}", "told"),
        ("func `what is cut off`() {}", "cut off"), ("let text = \"\\(known)\"", "known"),
        ("let replacement = 1", nil), ("let unknown = 1", nil), ("let placeholder = 1", nil),
        ("let knowledge = 1", nil), ("bring(input)", nil), ("takeInvalid()", nil), ("workplace", nil),
        ("let text = \"place\"", nil), ("// place", nil), ("takeIncoming()", nil), ("mineral", nil),
    ])
    func `a name that the style page replaces is found in any form`(_ code: String, _ term: String?) {
        let names = SwiftCode(Array(code.utf8)).names
        #expect(names.lazy.compactMap { ReplacedTerms.first(in: $0.name) }.first == term)
    }

    @Test func `names have their lines`() {
        let names = SwiftCode(Array("let a1 = \"\"\"\n    b\n    \"\"\"\nf(`c d`, _e)\n".utf8)).names
        #expect(names.map(\.name) == ["let", "a1", "f", "c d", "_e"])
        #expect(names.map(\.line) == [1, 1, 4, 4, 4])
    }

    @Test func `lines keep their numbers`() {
        let text = "/* 1\n2 */\nlet text = \"\"\"\n    4\n    \"\"\"\nexit(6)\n"
        #expect(linesWithOccurrences(of: "exit(", in: SwiftCode(Array(text.utf8)).bytes) == [6])
    }
}
