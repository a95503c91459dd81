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
        Row(pattern: "/srv/", code: "open(/srv/a)", isFound: true),
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

    @Test func `lines keep their numbers`() {
        let text = "/* 1\n2 */\nlet text = \"\"\"\n    4\n    \"\"\"\nexit(6)\n"
        #expect(linesWithOccurrences(of: "exit(", in: SwiftCode(Array(text.utf8)).bytes) == [6])
    }
}
