import LosslessYAML
import Testing
import TodoModel

@Suite struct FieldRulesTests {
    @Test(arguments: [
        "version", "Version", "DELETED", "createdAt", "createdat", "updatedAt", "UPDATEDAT", "todosync",
        "TodoSync", "__",
        "__proto__", "__\u{301}x", "ID", "Id", "iD",
    ])
    func `names of the protocol are reserved in any letter case`(_ name: String) {
        #expect(FieldName.isReserved(name))
    }

    @Test(arguments: [
        "id", "text", "complete", "versions", "_version", "_", "created_at", "createdAt ", "delete", "ids",
        "ıd", "", "due", "todo", "vérsion", "deletes", "updatedby", "todosyns",
    ])
    func `other names are the user's`(_ name: String) {
        #expect(!FieldName.isReserved(name))
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        var field: String
        var left: Value?
        var right: Value?
        var areSame: Bool

        var testDescription: String { "\(field): \(String(describing: left)), \(String(describing: right))" }

        static let all = [
            Pair(field: "x", left: nil, right: .null, areSame: true),
            Pair(field: "x", left: nil, right: .bool(false), areSame: false),
            Pair(field: "x", left: .string(""), right: nil, areSame: false),
            Pair(field: "complete", left: nil, right: .bool(false), areSame: true),
            Pair(field: "complete", left: .null, right: .bool(false), areSame: true),
            Pair(field: "complete", left: nil, right: .bool(true), areSame: false),
            Pair(field: "complete", left: nil, right: .string("false"), areSame: false),
            Pair(field: "Complete", left: nil, right: .bool(false), areSame: false),
            Pair(
                field: "due", left: .string("2026-12-01T09:30:00Z"),
                right: .string("2026-12-01T10:30:00.0+01:00"),
                areSame: true),
            Pair(
                field: "due", left: .string("2026-12-01"), right: .string("2026-12-01T00:00:00Z"),
                areSame: false),
            Pair(field: "due", left: .string("soon"), right: .string("soon"), areSame: true),
            Pair(
                field: "begin", left: .string("2026-12-01T09:30:00Z"),
                right: .string("2026-12-01T10:30:00+01:00"),
                areSame: false),
            Pair(field: "x", left: .string("\u{E9}"), right: .string("e\u{301}"), areSame: false),
            Pair(field: "x", left: .number(Number(1)), right: .string("1"), areSame: false),
            Pair(
                field: "x", left: .number(Number(1)), right: Number(json: "1.0").map { .number($0) },
                areSame: true),
        ]
    }

    @Test(arguments: Pair.all)
    func `values are equal where the rules make them so`(_ pair: Pair) {
        let left = CanonicalField.value(pair.field, pair.left)
        let right = CanonicalField.value(pair.field, pair.right)
        #expect((left == right) == pair.areSame)
        var (old, new): (Mapping, Mapping) = ([:], [:])
        old[pair.field] = pair.left
        new[pair.field] = pair.right
        #expect(CanonicalField.areEqual(old, new) == pair.areSame)
        #expect(CanonicalField.areEqual(new, old) == pair.areSame)
        #expect(CanonicalField.differences(from: old, to: new) == (pair.areSame ? [] : [pair.field]))
    }

    @Test func `differences name fields in the order of the new ones, then those that are gone`() {
        let old: Mapping = ["gone": .bool(true), "same": .null, "changed": .string("a"), "null": .null]
        let new: Mapping = ["new": .string("x"), "changed": .string("b"), "same": .null, "absent": .null]
        #expect(CanonicalField.differences(from: old, to: new) == ["new", "changed", "gone"])
    }

    @Test(arguments: [
        ("complete", Value.string("yes")), ("due", .string("tomorrow")), ("due", .bool(true)),
        ("priority", .string("High")),
        ("priority", .number(Number(1))), ("tags", .string("home")), ("tags", .list([.number(Number(1))])),
        ("tags", .mapping([:])), ("notes", .list([])),
    ])
    func `a different kind of value in a conventional field is a problem in words`(
        _ field: String, value: Value
    ) {
        #expect(ConventionalField.problem(field, value)?.hasPrefix(field) == true)
    }

    @Test(arguments: [
        ("complete", Value.bool(false)), ("complete", .null), ("due", .string("2026-12-01")),
        ("due", .string("2026-12-01T09:30:00Z")), ("priority", .string("high")), ("tags", .list([])),
        ("tags", .list([.string("home")])), ("notes", .string("")), ("owner", .list([.null])),
    ])
    func `a value that fits the convention is no problem`(_ field: String, value: Value) {
        #expect(ConventionalField.problem(field, value) == nil)
    }

    @Test(arguments: [
        ("2026-12-01", "2026-12-02", true), ("2026-12-02", "2026-12-01", false),
        ("2026-12-01", "2026-12-01", false),
        ("2026-12-01T09:30:00Z", "2026-12-01T10:30:00.001+01:00", true),
        ("2026-12-01T10:30:00+01:00", "2026-12-01T09:30:00Z", false),
        ("2026-12-01", "2026-12-01T09:30:00Z", nil), ("2026-12-01T09:30:00Z", "2026-12-02", nil),
        ("a", "b", nil), ("2026-12-01", "soon", nil), ("2026-13-01", "2026-12-01", nil),
    ])
    func `days are compared with days, and times with times`(
        _ left: String, _ right: String, isLess: Bool?
    ) {
        #expect(ComparableField.isLess(.string(left), .string(right)) == isLess)
    }

    @Test func `numbers are compared with numbers, and nothing else is`() {
        #expect(ComparableField.isLess(.number(Number(2)), .number(Number(10))) == true)
        #expect(ComparableField.isLess(.number(Number(10)), .number(Number(2))) == false)
        let values: [Value] = [.null, .bool(false), .string("1"), .list([]), .mapping([:])]
        for value in values {
            #expect(ComparableField.isLess(.number(Number(1)), value) == nil)
            #expect(ComparableField.isLess(value, value) == nil)
        }
    }
}
