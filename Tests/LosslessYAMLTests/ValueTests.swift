import LosslessYAML
import Testing

@Suite struct `Values follow the core schema of YAML 1_2` {
    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let value: Value
        init(_ text: String, _ value: Value) { (self.text, self.value) = (text, value) }
        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Row("", .null), Row("~", .null), Row("null", .null), Row("Null", .null), Row("NULL", .null),
        Row("nULL", "nULL"), Row("true", .bool(true)), Row("False", .bool(false)), Row("TRUE", .bool(true)),
        Row("tRUE", "tRUE"), Row("yes", "yes"), Row("no", "no"), Row("on", "on"), Row("y", "y"),
        Row("2026-12-01", "2026-12-01"), Row("12:30", "12:30"), Row("1_000", "1_000"), Row("<<", "<<"),
        Row("0", .json("0")), Row("-0", .json("0")), Row("+1", .json("1")), Row("007", .json("7")),
        Row("-012", .json("-12")), Row("0x1F", .json("31")), Row("0o17", .json("15")), Row("0x", "0x"),
        Row("0o8", "0o8"), Row("-0x1", "-0x1"), Row("0X1", "0X1"), Row("0b1", "0b1"),
        Row("0xffffffffffffffffffffffff", .json("79228162514264337593543950335")),
        Row("0o7777777777777777777777777", .json("37778931862957161709567")),
        Row("0x0000000000000000000000000000000000000000000001", .json("1")),
        Row(".5", .json("0.5")), Row("1.", .json("1")), Row("+.5e-3", .json("0.0005")),
        Row("1.e2", .json("100")),
        Row("1e3", .json("1000")), Row("1E+3", .json("1000")), Row("1.10", .json("1.1")), Row(".", "."),
        Row("+", "+"), Row("1e", "1e"), Row("e1", "e1"), Row(".e1", ".e1"), Row("1.2.3", "1.2.3"),
        Row("1e999999999999999", .json("1e999999999999999")), Row("+-1", "+-1"), Row(".info", ".info"),
        Row("\"1\"", "1"), Row("'true'", "true"), Row("\"\"", ""), Row("''", ""), Row("'it''s'", "it's"),
        Row("\"a\\tb\\u00e9\\U0001F600\\0\"", "a\tb\u{E9}\u{1F600}\0"),
        Row(#""\ud83c\uDF89""#, "\u{1F389}"),
        Row(#""é\uD83C\udf89\t\ud83c\udf89é""#, "é\u{1F389}\t\u{1F389}é"),
        Row(#""\\ud83c\\udf89""#, #"\ud83c\udf89"#), Row(#"'\ud83c\udf89'"#, #"\ud83c\udf89"#),
        Row(#"\ud83c\udf89"#, #"\ud83c\udf89"#), Row("|\n  \\ud83c\\udf89\n", "\\ud83c\\udf89\n"),
        Row(#"["\ud83c\udf89", '\ud83c\udf89'] # \ud83c\udf89"#, .list(["\u{1F389}", #"\ud83c\udf89"#])),
        Row("!!str 1", "1"), Row("!!str", ""), Row("! 1", "1"), Row("!!int \"1\"", .json("1")),
        Row("!!float 1", .json("1")), Row("!!bool 'true'", .bool(true)), Row("!!null ''", .null),
        Row("!<tag:yaml.org,2002:str> 1", "1"), Row("!!seq [1]", .list([.json("1")])),
        Row("!!map {}", .mapping([:])),
        Row(
            "[a, {b: 1}, [c: d], ]",
            .list(["a", .mapping(["b": .json("1")]), .list([.mapping(["c": "d"])])])),
        Row(
            "{a, b: , \"c\":1, d: {}}",
            .mapping(["a": .null, "b": .null, "c": .json("1"), "d": .mapping([:])])),
        Row("\n  two\n  lines\n\n  more", "two lines\nmore"), Row("|\n  a\n   b\n\n", "a\n b\n"),
        Row("|-\n  a\n", "a"), Row("|+\n  a\n\n", "a\n\n"), Row(">\n  a\n  b\n\n  c\n", "a b\nc\n"),
        Row("|2\n    a\n", "  a\n"),
        Row("\n- a\n-\n- - b\n  - c\n", .list(["a", .null, .list(["b", "c"])])),
    ])
    func `for scalars and collections`(row: Row) throws {
        let document = try Document(parsing: Array("key: \(row.text)".utf8))
        #expect(document.fields["key"] == row.value)
    }

    @Test func `a number keeps its digits`() throws {
        let document = try Document(
            parsing: Array("a: 1.10\nb: 12345678901234567890.0e-5\nc: .50\nd: 1.\n".utf8))
        let spellings = document.fields.entries.map { entry -> String in
            guard case .number(let number) = entry.value else { return "no number" }
            return number.json
        }
        #expect(spellings == ["1.10", "12345678901234567890.0e-5", "0.50", "1.0"])
    }

    @Test func `numbers are ordered by their mathematical values`() throws {
        let ascending = [
            ["-1e15", "-1000000000000000"], ["-12.5"], ["-12.25", "-1.225e1"], ["-1"], ["-1e-9"],
            ["0", "-0", "0.0e7"], ["0.001", "1e-3"], ["0.0011"], ["9"], ["9.5"], ["10", "1e1", "10.00"],
            ["99"], ["100"], ["123456789012345678901"], ["123456789012345678902"],
        ]
        let ranked = try ascending.enumerated().flatMap { rank, spellings in
            try spellings.map { (rank, try #require(Number(json: $0))) }
        }
        for (rank, left) in ranked {
            for (otherRank, right) in ranked {
                #expect((left < right) == (rank < otherRank), "\(left.json) < \(right.json)")
                #expect((left == right) == (rank == otherRank), "\(left.json) == \(right.json)")
            }
        }
    }

    @Test func `strings that differ only in Unicode form are different keys and values`() throws {
        let document = try Document(parsing: Array("\u{E9}: 1\ne\u{301}: 2\n".utf8))
        #expect(document.fields.count == 2)
        #expect(Value.string("\u{E9}") != .string("e\u{301}"))
    }

    @Test func `an alias has the value of the nearest preceding anchor`() throws {
        let text = "a: &x 1\nb: *x\nc: &x [2, &y z]\nd: [*x, *y]\n&k e: *k\n*k : 3\n"
        #expect(throws: YAMLError.self) { try Document(parsing: Array(text.utf8)) }
        let valid = String(text.dropLast("*k : 3\n".count)) + "f: &f g\n*f : 3\n"
        let list = Value.list([.json("2"), "z"])
        let expected: Mapping = [
            "a": .json("1"), "b": .json("1"), "c": list, "d": .list([list, "z"]), "e": "e", "f": "g",
            "g": .json("3"),
        ]
        #expect(try Document(parsing: Array(valid.utf8)).fields == expected)
    }
}
