import Testing

@testable import LosslessYAML

@Suite struct `An invalid document is refused with its position` {
    struct Row: CustomTestStringConvertible, Sendable {
        let text: [UInt8]
        let reason: YAMLError.Reason
        let line: Int
        let column: Int

        init(_ text: String, _ reason: YAMLError.Reason, _ line: Int, _ column: Int) {
            self.init(Array(text.utf8), reason, line, column)
        }

        init(_ text: [UInt8], _ reason: YAMLError.Reason, _ line: Int, _ column: Int) {
            (self.text, self.reason, self.line, self.column) = (text, reason, line, column)
        }

        var testDescription: String {
            String(String(decoding: text, as: UTF8.self).prefix(60)).debugDescription
        }
    }

    private static let surrogate = "found invalid Unicode character escape code"

    @Test(arguments: [
        Row(#"{"a": "b\ud83c"}"#, .syntax(surrogate), 1, 9),
        Row("a: \"\\ud83c\\udf89\"\nb: \"\\udf89\"", .syntax(surrogate), 2, 5),
        Row(#"{"a": ["\ud83c\udf89", "\ud83c\udf89\ud83c"]}"#, .syntax(surrogate), 1, 37),
        Row("", .noMapping, 1, 1), Row("# only\n\n", .noMapping, 3, 1), Row("---\n", .noMapping, 2, 1),
        Row("text", .noMapping, 1, 1), Row("- a\n", .noMapping, 1, 1), Row("\"a\"", .noMapping, 1, 1),
        Row("a: 1\n---\nb: 2\n", .severalDocuments, 2, 1), Row("a: 1\n...\nb: 2\n", .severalDocuments, 3, 1),
        Row("a: 1\n...\n%TAG ! x\n", .severalDocuments, 3, 1),
        Row("{a: 1}\n--- {b: 2}", .severalDocuments, 2, 1),
        Row("a: 1\nb: 2\na: 3\n", .repeatedKey("a"), 3, 1),
        Row("a: {x: 1, \"x\": 2}", .repeatedKey("x"), 1, 11),
        Row("a: &b c\n*b : 1\nc: 2\n", .repeatedKey("c"), 3, 1),
        Row("1: a", .keyIsNoString, 1, 1), Row("true: a", .keyIsNoString, 1, 1),
        Row("~: a", .keyIsNoString, 1, 1),
        Row("? ~\n: a", .keyIsNoString, 1, 3), Row("a: 1\n? [b]\n: c", .keyIsNoString, 2, 3),
        Row("a: [{b: c}: d]", .keyIsNoString, 1, 5), Row("\"\": a", .badKey(""), 1, 1),
        Row("\"a\\tb\": 1", .badKey("a\tb"), 1, 1), Row("\"a\\u0085\": 1", .badKey("a\u{85}"), 1, 1),
        Row("\(String(repeating: "k", count: 256)): 1", .badKey(String(repeating: "k", count: 256)), 1, 1),
        Row("a: !mine b", .tag("!mine"), 1, 4), Row("a: !!set {b}", .tag("tag:yaml.org,2002:set"), 1, 4),
        Row("a: !!int b", .tag("tag:yaml.org,2002:int"), 1, 4),
        Row("a: !!int 1.5", .tag("tag:yaml.org,2002:int"), 1, 4),
        Row("a: !!seq b", .tag("tag:yaml.org,2002:seq"), 1, 4),
        Row("!!seq {a: b}", .tag("tag:yaml.org,2002:seq"), 1, 1),
        Row("a: !!str [b]", .tag("tag:yaml.org,2002:str"), 1, 4),
        Row("a: !!binary aGk=", .tag("tag:yaml.org,2002:binary"), 1, 4),
        Row("a: .inf", .notFinite, 1, 4), Row("a: [-.Inf]", .notFinite, 1, 5),
        Row("a: .NAN", .notFinite, 1, 4),
        Row("a: 1e1000000000000000", .numberTooLarge, 1, 4), Row("a: *b", .unknownAlias("b"), 1, 4),
        Row("a: &b [*b]", .recursiveAlias("b"), 1, 8), Row("a: &b {c: {d: *b}}", .recursiveAlias("b"), 1, 15),
        Row("a: b\u{7}", .controlCharacter(7), 1, 5), Row("# \u{85}", .controlCharacter(0x85), 1, 3),
        Row("a: \u{E9}\u{2028}b: 1", .controlCharacter(0x2028), 1, 5),
        Row("a: \u{7F}", .controlCharacter(0x7F), 1, 4),
        Row("\u{FEFF}a: \u{9F}", .controlCharacter(0x9F), 1, 4),
        Row("a\u{FEFF}: 1", .controlCharacter(0xFEFF), 1, 2),
        Row("\u{FEFF}\u{FEFF}a: 1", .controlCharacter(0xFEFF), 1, 1),
        Row("a: \u{FFFF}", .controlCharacter(0xFFFF), 1, 4),
        Row("a: \0", .controlCharacter(0), 1, 4),
        Row([0xFF, 0xFE, 0x61, 0], .isUTF16, 1, 1), Row([0x61, 0], .isUTF16, 1, 1),
        Row(Array("a: ".utf8) + [0xC3], .notUTF8, 1, 4),
        Row(Array("a:\r\n ".utf8) + [0xC0, 0x80], .notUTF8, 2, 2),
        Row(Array("a: ".utf8) + [0xED, 0xA0, 0x80], .notUTF8, 1, 4),
        Row(Array("a: ".utf8) + [0xF4, 0x90, 0x80, 0x80], .notUTF8, 1, 4),
        Row(Array("a: ".utf8) + [0xE0, 0x80, 0xAF], .notUTF8, 1, 4),
        Row(Array("a: ".utf8) + [0x80], .notUTF8, 1, 4),
        Row("a: \(String(repeating: "[", count: 64))", .tooDeep, 1, 67),
        Row("a: \(String(repeating: "[", count: 1_000_000))", .tooDeep, 1, 67),
        Row(String(repeating: "- ", count: 500_000), .noMapping, 1, 1),
        Row("a:\n " + String(repeating: "- ", count: 500_000), .tooDeep, 2, 128),
        Row("a: " + String(repeating: "x", count: 1 << 20), .tooLarge, 1, 1),
        Row(
            "a: &a \(String(repeating: "[", count: 40))\(String(repeating: "]", count: 40))\n"
                + "b: \(String(repeating: "[", count: 30))*a\(String(repeating: "]", count: 30))", .tooDeep,
            2, 34),
        Row(
            String(repeating: "%TAG !a! b\n", count: 17) + "---\na: 1", .syntax("too many directives"),
            17, 1),
    ])
    func `with a reason, line and column`(row: Row) {
        let error = #expect(throws: YAMLError.self) { try Document(parsing: row.text) }
        #expect(error?.reason == row.reason)
        #expect(error?.line == row.line)
        #expect(error?.column == row.column)
    }

    @Test(arguments: [
        Row("a: [b\nc: d", .syntax(""), 2, 2), Row("a: \"b", .syntax(""), 1, 6),
        Row("a:\n\tb: c", .syntax(""), 2, 1),
        Row("\u{FEFF}a: \u{E9}\u{1F600} b: c", .syntax(""), 1, 8),
        Row("a:\r\nb: c: d\r\n", .syntax(""), 2, 5),
        Row("a: b\n  c: d", .syntax(""), 2, 4), Row("a: \"\\ud83d\"", .syntax(""), 1, 5),
        Row("a: 'b' c", .syntax(""), 1, 8), Row("a: @b", .syntax(""), 1, 4),
        Row("%YAML 2.0\n---\na: 1", .syntax(""), 1, 1),
    ])
    func `in libyaml's words`(row: Row) {
        let error = #expect(throws: YAMLError.self) { try Document(parsing: row.text) }
        guard case .syntax(let words) = error?.reason else {
            Issue.record("\(String(describing: error)) is not a syntax error")
            return
        }
        #expect(!words.isEmpty)
        #expect(error?.line == row.line)
        #expect(error?.column == row.column)
    }

    @Test func `aliases that grow without bound are refused fast`() {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...20 {
            text +=
                "a\(level): &a\(level) [\(String(repeating: "*a\(level - 1), ", count: 10))]\n"
        }
        let error = #expect(throws: YAMLError.self) { try Document(parsing: Array(text.utf8)) }
        #expect(error?.reason == .aliasesTooLarge)
    }

    @Test func `nodes behind the last alias count, too`() {
        let nodes = String(repeating: "x, ", count: 99_990)
        #expect(throws: Never.self) { try Document(parsing: Array("a: &a b\nc: *a\nd: [\(nodes)]\n".utf8)) }
        let text = "a: &a b\nc: *a\nd: [\(nodes)\(nodes)]\n"
        let error = #expect(throws: YAMLError.self) { try Document(parsing: Array(text.utf8)) }
        #expect(error?.reason == .aliasesTooLarge)
        #expect(error.map { [$0.line, $0.column] } == [2, 4])
        // Without aliases, only the text's size is limited.
        #expect(throws: Never.self) {
            try Document(parsing: Array("a: b\nc: b\nd: [\(nodes)\(nodes)]\n".utf8))
        }
    }

    @Test func `sixty-four levels are allowed`() throws {
        let text = "a: \(String(repeating: "[", count: 63))\(String(repeating: "]", count: 63))"
        _ = try Document(parsing: Array(text.utf8))
    }

    @Test func `a description is a phrase without control characters`() {
        let reasons: [YAMLError.Reason] = [
            .syntax("x"), .notUTF8, .isUTF16, .controlCharacter(7), .noMapping, .severalDocuments,
            .repeatedKey("a"),
            .keyIsNoString,
            .badKey("\u{1B}[2J"), .tag("!\u{9F}"), .tooDeep, .tooLarge, .unknownAlias("a"),
            .recursiveAlias("a"),
            .aliasesTooLarge, .notFinite, .numberTooLarge,
        ]
        let descriptions = reasons.map { String(describing: Self.error($0)) }
        #expect(Set(descriptions).count == reasons.count)
        for description in descriptions {
            #expect(
                !description.isEmpty && description.first?.isUppercase == false && !description.hasSuffix(".")
            )
            #expect(description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
    }

    private static func error(_ reason: YAMLError.Reason) -> YAMLError {
        YAMLError(reason, at: 0, in: UnsafeBufferPointer(start: nil, count: 0))
    }
}
