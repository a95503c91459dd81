import LosslessYAML
import Remotes
import Testing
import TodoModel
import Values

@Suite struct `The grammar of filters and orders` {
    private static let a = FilterExpression.property(.field(["a"]))
    private static let b = FilterExpression.property(.field(["b"]))
    private static let c = FilterExpression.property(.field(["c"]))

    private static func number(_ json: String) -> FilterExpression {
        .literal(Number(json: json).map { .number($0) } ?? .null)
    }

    private static func instant(_ time: String) -> FilterExpression {
        .literal(Instant(time).map(FilterExpression.Literal.instant) ?? .null)
    }

    private static let readings: [(String, FilterExpression)] = [
        ("a or b and c", .or([a, .and([b, c])])),
        ("a and b or c", .or([.and([a, b]), c])),
        ("a and b and c", .and([a, b, c])),
        ("(a or b) and c", .and([.or([a, b]), c])),
        ("not a eq b", .comparison(.equal, .not(a), b)),
        ("not(a eq b)", .not(.comparison(.equal, a, b))),
        ("not not a", .not(.not(a))),
        (
            "a add b mul c eq 1",
            .comparison(.equal, .arithmetic(.add, a, .arithmetic(.multiply, b, c)), number("1"))
        ),
        (
            "a sub b sub c lt -1",
            .comparison(
                .less, .arithmetic(.subtract, .arithmetic(.subtract, a, b), c), .negative(number("1")))
        ),
        (
            "-a mod b ge c div 2",
            .comparison(
                .greaterOrEqual, .arithmetic(.remainder, .negative(a), b),
                .arithmetic(.divide, c, number("2")))
        ),
        ("a eq 'it''s'", .comparison(.equal, a, .literal(.string("it's")))),
        ("a eq ''''", .comparison(.equal, a, .literal(.string("'")))),
        ("a eq ''", .comparison(.equal, a, .literal(.string("")))),
        ("a eq 5.99d", .comparison(.equal, a, number("5.99"))),
        ("a eq 50f", .comparison(.equal, a, number("50"))),
        ("a eq 1.99m", .comparison(.equal, a, number("1.99"))),
        ("a eq 200l", .comparison(.equal, a, number("200"))),
        ("a eq 007L", .comparison(.equal, a, number("7"))),
        ("a eq 1.5e-3D", .comparison(.equal, a, number("1.5e-3"))),
        ("a ne null", .comparison(.notEqual, a, .literal(.null))),
        ("a eq true", .comparison(.equal, a, .literal(.bool(true)))),
        ("a", a),
        ("\t a  ", a),
        ("true", .literal(.bool(true))),
        ("null", .literal(.null)),
        ("@a-b_1/b/c", .property(.field(["@a-b_1", "b", "c"]))),
        ("Größe", .property(.field(["Größe"]))),
        ("length eq 1", .comparison(.equal, .property(.field(["length"])), number("1"))),
        ("length(a) eq 1", .comparison(.equal, .call(.length, [a]), number("1"))),
        (
            "a gt datetime'2015-12-13T04:28:12.816Z'",
            .comparison(.greater, a, instant("2015-12-13T04:28:12.816Z"))
        ),
        (
            "a gt datetimeoffset'2015-12-13T04:28:12.8160000+01:00'",
            .comparison(.greater, a, instant("2015-12-13T03:28:12.816Z"))
        ),
        ("a gt datetime'2015-12-13T04:28:12'", .comparison(.greater, a, instant("2015-12-13T04:28:12Z"))),
        ("a gt datetime'2015-12-13T04:28'", .comparison(.greater, a, instant("2015-12-13T04:28:00Z"))),
        ("a gt datetime'2015-12-13'", .comparison(.greater, a, instant("2015-12-13T00:00:00Z"))),
        (
            "a eq guid'7C1E0F0A-9a0e-4b5b-8f39-0d0f6a4b1c11'",
            .comparison(.equal, a, .literal(.guid("7C1E0F0A-9a0e-4b5b-8f39-0d0f6a4b1c11")))
        ),
        ("id", .property(.id)),
    ]

    @Test func `filters follow the precedence of operators`() throws {
        for (text, expected) in Self.readings where text != "id" {
            let wanted = try? FilterExpression(odata: text, flavor: .v2)
            #expect(wanted == expected, "\(text)")
        }
    }

    @Test(arguments: [
        (Flavor.v1, "__version", RecordProperty.version), (.v1, "__createdAt", .createdAt),
        (.v1, "__updatedAt", .updatedAt), (.v1, "__deleted", .deleted), (.v1, "id", .id),
        (.v1, "__UPDATEDAT", .updatedAt), (.v1, "version", .field(["version"])),
        (.v1, "updatedAt", .field(["updatedAt"])), (.v2, "version", .version), (.v2, "createdAt", .createdAt),
        (.v2, "updatedAt", .updatedAt), (.v2, "deleted", .deleted), (.v2, "id", .id),
        (.v2, "__updatedAt", .field(["__updatedAt"])), (.v2, "a/version", .field(["a", "version"])),
        (.v2, "ID", .field(["ID"])),
    ])
    func `each flavor has its own names for the system properties`(
        _ flavor: Flavor, _ text: String, _ property: RecordProperty
    ) throws {
        #expect(
            try RecordOrder.list(odata: text, flavor: flavor) == [RecordOrder(property: property)])
        let filter = try FilterExpression(odata: "\(text) ne null", flavor: flavor)
        #expect(filter == .comparison(.notEqual, .property(property), .literal(.null)))
    }

    private static let problems: [(String, Int, String)] = [
        ("", 0, "unexpected end, at character 1"),
        ("   ", 3, "unexpected end, at character 4"),
        ("a eq", 4, "unexpected end, at character 5"),
        ("a eq 1 b", 7, "unexpected 'b', at character 8"),
        ("(a eq 1", 7, "unexpected end, at character 8"),
        ("a eq 1)", 6, "unexpected text, at character 7"),
        ("a EQ 1", 2, "unexpected 'EQ', at character 3"),
        ("ä eq 'x", 6, "missing closing quotation mark, at character 6"),
        ("a = 1", 2, "unexpected '=', at character 3"),
        ("a eq \u{1}", 5, "unexpected '\\u{01}', at character 6"),
        ("a eq 1x", 5, "not a number, at character 6"),
        ("a eq 1.", 5, "not a number, at character 6"),
        ("a eq 1e", 5, "not a number, at character 6"),
        ("a eq 0x1F", 5, "not a number, at character 6"),
        ("a eq 1e9999999999999999999", 5, "not a number, at character 6"),
        ("a eq datetime'soon'", 5, "not a time, at character 6"),
        ("a eq datetime'2015-02-30T00:00:00Z'", 5, "not a time, at character 6"),
        ("a eq guid'1'", 5, "not a GUID, at character 6"),
        ("a eq time'1'", 5, "unknown type of literal, at character 6"),
        ("isof(a)", 0, "unknown function 'isof', at character 1"),
        ("LENGTH(a) eq 1", 0, "unknown function 'LENGTH', at character 1"),
        ("length() eq 1", 7, "unexpected text, at character 8"),
        ("length(a,b) eq 1", 0, "'length' has the wrong number of arguments, at character 1"),
        (
            "a eq 1 and substring(a) eq ''", 11,
            "'substring' has the wrong number of arguments, at character 12"
        ),
        ("length(1 eq 1) eq 1", 7, "'length' needs a string, at character 8"),
        ("length(5) eq 1", 7, "'length' needs a string, at character 8"),
        ("year(1) eq 1", 5, "'year' needs a time, at character 6"),
        ("floor('1') eq 1", 6, "'floor' needs a number, at character 7"),
        ("a add 'b' eq 1", 6, "'add' needs a number, at character 7"),
        ("createdAt add 1 eq 1", 0, "'add' needs a number, at character 1"),
        ("-'a' eq 1", 1, "'-' needs a number, at character 2"),
        ("not 1", 4, "'not' needs a condition, at character 5"),
        ("not id", 4, "'not' needs a condition, at character 5"),
        ("1 and a", 0, "'and' needs a condition, at character 1"),
        ("a or 'x'", 5, "'or' needs a condition, at character 6"),
        ("5", 0, "a filter needs a condition, at character 1"),
        ("tolower(a)", 0, "a filter needs a condition, at character 1"),
        ("a/ eq 1", 6, "unexpected text, at character 7"),
        ("a/'b' eq 1", 2, "unexpected text, at character 3"),
    ]

    @Test func `an invalid filter is refused with the position of the error`() {
        for (text, offset, message) in Self.problems {
            let problem = #expect(throws: ODataProblem.self, "\(text)") {
                try FilterExpression(odata: text, flavor: .v2)
            }
            #expect(problem == ODataProblem(message: message, offset: offset), "\(text)")
        }
    }

    @Test func `a filter has at most 64 levels and 16 KiB, but any number of operands in a chain`() throws {
        func nested(_ levels: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: levels) + "a" + String(repeating: close, count: levels)
        }
        for (open, close) in [("(", ")"), ("not ", ""), ("not(", ")")] {
            let levels = open == "not(" ? 32 : 63
            _ = try FilterExpression(odata: nested(levels, open, close), flavor: .v2)
            #expect(throws: ODataProblem.self) {
                try FilterExpression(odata: nested(65, open, close), flavor: .v2)
            }
            #expect(throws: ODataProblem.self) {
                try FilterExpression(odata: nested(4000, open, close), flavor: .v2)
            }
        }
        #expect(throws: ODataProblem.self) {
            try FilterExpression(odata: nested(65, "tolower(", ")") + " eq 'a'", flavor: .v2)
        }
        #expect(throws: ODataProblem.self) {
            try FilterExpression(odata: nested(200, "1 add ", "") + " eq 1", flavor: .v2)
        }
        let path = Array(repeating: "a", count: 65).joined(separator: "/")
        #expect(throws: ODataProblem.self) { try FilterExpression(odata: path, flavor: .v2) }
        let chain = Array(repeating: "a eq 1", count: 1638).joined(separator: " or ")
        #expect(chain.utf8.count <= 16 << 10)
        _ = try FilterExpression(odata: chain, flavor: .v2)
        #expect(throws: ODataProblem(message: "more than 16384 bytes", offset: 16384)) {
            try FilterExpression(odata: chain + String(repeating: " ", count: 100), flavor: .v2)
        }
    }

    @Test func `an order is a list of properties, each with an optional direction`() throws {
        let orders = try RecordOrder.list(odata: "a desc,b/c asc, updatedAt ,id", flavor: .v2)
        #expect(
            orders == [
                RecordOrder(property: .field(["a"]), isDescending: true),
                RecordOrder(property: .field(["b", "c"])), RecordOrder(property: .updatedAt),
                RecordOrder(property: .id),
            ])
        #expect(try RecordOrder.list(odata: "asc desc", flavor: .v2).first?.isDescending == true)
        let twenty = Array(repeating: "a", count: 20).joined(separator: ",")
        #expect(try RecordOrder.list(odata: twenty, flavor: .v2).count == 20)
        #expect(throws: ODataProblem(message: "more than 20 properties, at character 40", offset: 39)) {
            try RecordOrder.list(odata: twenty + ",a", flavor: .v2)
        }
        for text in ["", "a,", ",a", "a b", "a desc asc", "length(a)", "1", "'a'", "a/"] {
            #expect(throws: ODataProblem.self, "\(text)") { try RecordOrder.list(odata: text, flavor: .v2) }
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `any text is either a filter or a problem`(_ seed: UInt64) {
        var random = SystemRandomNumberGenerator()
        let words = [
            "a", "id", "eq", "and", "or", "not", "(", ")", ",", "/", "-", "'", "''", "1", "1e", ".5",
            "length",
            "substring(", "datetime'", "2015-01-01", "null", " ", " ", "true", "add", "div", "\u{0}", "ä",
            "\u{1F600}",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in words.randomElement() }
                .joined()
            do {
                _ = try FilterExpression(odata: text, flavor: seed % 2 == 0 ? .v1 : .v2)
            } catch {
                #expect(error.offset <= text.utf8.count)
            }
        }
    }
}
