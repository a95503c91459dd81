import LosslessYAML
import Testing
import TodoModel

@Suite struct FieldAssignmentTests {
    struct Assignment: Sendable, CustomTestStringConvertible {
        var typed: String
        var value: Value
        var testDescription: String { typed.debugDescription }

        init(_ typed: String, _ value: Value) {
            self.typed = typed
            self.value = value
        }
    }

    @Test(arguments: [
        Assignment("count=5", .number(Number(5))),
        Assignment("count=-0", .number(Number(0))),
        Assignment("count=-1.50e+3", .number(Number(-1500))),
        Assignment("count=0x1f", .string("0x1f")),
        Assignment("count=0o17", .string("0o17")),
        Assignment("count=.5", .string(".5")),
        Assignment("count=5.", .string("5.")),
        Assignment("count=1_000", .string("1_000")),
        Assignment("count=1e9999999999999999", .string("1e9999999999999999")),
        Assignment("count=.nan", .string(".nan")),
        Assignment("count=-.inf", .string("-.inf")),
        Assignment("zip=01234", .string("01234")),
        Assignment("perm=0755", .string("0755")),
        Assignment("phone=+491711234567", .string("+491711234567")),
        Assignment("flag=true", .bool(true)),
        Assignment("flag=True", .string("True")),
        Assignment("flag=no", .string("no")),
        Assignment("flag=on", .string("on")),
        Assignment("gone=null", .null),
        Assignment("gone=", .string("")),
        Assignment("gone=~", .string("~")),
        Assignment("gone=NULL", .string("NULL")),
        Assignment("day=2026-12-01", .string("2026-12-01")),
        Assignment("time=12:30", .string("12:30")),
        Assignment("text=5", .string("5")),
        Assignment("text=a=b", .string("a=b")),
        Assignment("notes=[not a list]", .string("[not a list]")),
        Assignment("due=2026-12-01", .string("2026-12-01")),
        Assignment("priority=high", .string("high")),
        Assignment("complete=true", .bool(true)),
        Assignment("tags=home,shop", .list([.string("home"), .string("shop")])),
        Assignment("tags= home , , 5 ", .list([.string("home"), .string("5")])),
        Assignment("tags=", .list([])),
        Assignment("tags=[a, \"b, c\"]", .list([.string("a"), .string("b, c")])),
        Assignment("tags=[01, b]", .list([.string("01"), .string("b")])),
        Assignment("list=[01234, 0x1f]", .list([.string("01234"), .string("0x1f")])),
        Assignment("list=[+491711234567, .5]", .list([.string("+491711234567"), .string(".5")])),
        Assignment("list=[!!int 017, 1e3]", .list([.number(Number(17)), .number(Number(1000))])),
        Assignment(
            "map={zip: 01234, a: [{b: +1}]}",
            .mapping([
                "zip": .string("01234"), "a": .list([.mapping(["b": .string("+1")])]),
            ])),
        Assignment(
            "map={zip: \"01234\", n: 5}", .mapping(["zip": .string("01234"), "n": .number(Number(5))])),
        Assignment("list=[1, two]", .list([.number(Number(1)), .string("two")])),
        Assignment("map={a: {b: true}}", .mapping(["a": .mapping(["b": .bool(true)])])),
        Assignment("quoted=\"5\"", .string("5")),
        Assignment("quoted='it''s'", .string("it's")),
        Assignment("quoted=\"a\" and \"b\"", .string("\"a\" and \"b\"")),
        Assignment("plain=a: b", .string("a: b")),
        Assignment("plain=a #b", .string("a #b")),
        Assignment("plain=# b", .string("# b")),
        Assignment("plain=- a", .string("- a")),
        Assignment("plain=&a 5", .string("&a 5")),
        Assignment("plain=!!str 5", .string("!!str 5")),
        Assignment("plain=*a", .string("*a")),
        Assignment("plain=|", .string("|")),
        Assignment("plain= 5", .string(" 5")),
        Assignment("plain=5 ", .string("5 ")),
        Assignment("plain=a\nb: c", .string("a\nb: c")),
        Assignment("plain=a\n b", .string("a\n b")),
        Assignment("Größe=ß", .string("ß")),
    ])
    func `a value is read as JSON has it, or as its field wants it`(_ assignment: Assignment)
        throws
    {
        let read = try FieldAssignment(parsing: assignment.typed)
        #expect(read.value == assignment.value)
        #expect(assignment.typed.hasPrefix(read.field + "="))
    }

    @Test(arguments: [
        ("1.50", "1.50"), ("-0", "-0"), ("1E5", "1E5"), ("12345678901234567890", "12345678901234567890"),
        ("01234", "\"01234\""), ("+491711234567", "\"+491711234567\""), ("0755", "\"0755\""),
        ("0x1f", "\"0x1f\""), ("0o17", "\"0o17\""), ("1_000", "\"1_000\""), (".nan", "\".nan\""),
        ("~", "\"~\""),
        ("1e9999999999999999", "\"1e9999999999999999\""), ("True", "\"True\""), ("+49 171", "+49 171"),
    ])
    func `a value is written as it was typed, in quotes where YAML would read something else`(
        _ typed: String, _ written: String
    ) throws {
        let document = try Document(parsing: Array("text: a\n".utf8))
        for field in ["b", "b.c"] {
            var fields: Mapping = ["text": .string("a"), "b": .mapping([:])]
            try FieldChange(parsing: "\(field)=\(typed)").apply(to: &fields)
            let text = String(decoding: document.updated(to: fields), as: UTF8.self)
            #expect(text.hasSuffix(field == "b" ? "\nb: \(written)\n" : "\n  c: \(written)\n"))
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var typed: String
        var problem: FieldAssignmentProblem
        var testDescription: String { typed.debugDescription }

        init(_ typed: String, _ problem: FieldAssignmentProblem) {
            self.typed = typed
            self.problem = problem
        }
    }

    @Test(arguments: [
        Refusal("text", .noEqualsSign("text")),
        Refusal("id=x", .identity),
        Refusal("ID=x", .reserved("ID")),
        Refusal("version=1", .reserved("version")),
        Refusal("UpdatedAt=1", .reserved("UpdatedAt")),
        Refusal("todosync={}", .reserved("todosync")),
        Refusal("__x=1", .reserved("__x")),
        Refusal("=1", .badName("")),
        Refusal("text=", .emptyText),
        Refusal("a\u{7}=1", .badName("a\u{7}")),
        Refusal(
            "due=tomorrow",
            .wrongKind(
                field: "due", expectation: "due must be a date (2026-12-01) or a time (2026-12-01T09:30:00Z)")
        ),
        Refusal(
            "due=",
            .wrongKind(
                field: "due", expectation: "due must be a date (2026-12-01) or a time (2026-12-01T09:30:00Z)")
        ),
        Refusal(
            "priority=urgent",
            .wrongKind(field: "priority", expectation: "priority must be high, medium or low")),
        Refusal("complete=yes", .wrongKind(field: "complete", expectation: "complete must be true or false")),
        Refusal("tags=[1]", .wrongKind(field: "tags", expectation: "tags must be a list of strings")),
        Refusal("tags={a: b}", .wrongKind(field: "tags", expectation: "tags must be a list of strings")),
        Refusal("x=[a] b", .badValue(field: "x", reason: "")),
        Refusal("x=[a", .badValue(field: "x", reason: "")),
        Refusal("x={a: 1}\ny: 2", .badValue(field: "x", reason: "")),
    ])
    func `what can't be written is refused`(_ refusal: Refusal) {
        let problem = #expect(throws: FieldAssignmentProblem.self) {
            try FieldAssignment(parsing: refusal.typed)
        }
        switch (problem, refusal.problem) {
        // The reason comes from the YAML reader.
        case (.badValue(let field, let reason), .badValue(let expected, _)):
            #expect(field == expected)
            #expect(!reason.isEmpty)
        default: #expect(problem == refusal.problem)
        }
    }

    @Test func `a name of 255 characters is the longest`() throws {
        let name = String(repeating: "ä", count: 255)
        #expect(try FieldAssignment(parsing: name + "=1").field == name)
        #expect(throws: FieldAssignmentProblem.badName(name + "ä")) {
            try FieldAssignment(parsing: name + "ä=1")
        }
    }
}
