import LosslessYAML
import Testing

@testable import ThreeWayMerge

@Suite struct MergeRuleTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var base: String? = ""
        var local: String
        var remote: String
        /// The merged fields, with local's side of conflicts.
        var merged: String
        var conflicts: [String] = []
        var rule: MergeRule?
    }

    static let oneSide = [
        Row(testDescription: "nothing changed", base: "a: 1", local: "a: 1", remote: "a: 1", merged: "a: 1"),
        Row(
            testDescription: "local changed", base: "a: 1", local: "a: 2", remote: "a: 1", merged: "a: 2",
            rule: .changedLocally),
        Row(
            testDescription: "remote changed", base: "a: 1", local: "a: 1", remote: "a: 2", merged: "a: 2",
            rule: .changedRemotely),
        Row(
            testDescription: "both alike", base: "a: 1", local: "a: 2", remote: "a: 0x2", merged: "a: 2",
            rule: .changedAlike),
        Row(testDescription: "local added", local: "a: 1", remote: "", merged: "a: 1", rule: .changedLocally),
        Row(
            testDescription: "remote added", local: "", remote: "a: 1", merged: "a: 1", rule: .changedRemotely
        ),
        Row(
            testDescription: "local removed", base: "a: 1", local: "", remote: "a: 1", merged: "",
            rule: .changedLocally),
        Row(
            testDescription: "remote removed", base: "a: 1", local: "a: 1", remote: "", merged: "",
            rule: .changedRemotely),
        Row(
            testDescription: "both removed", base: "a: 1", local: "", remote: "", merged: "",
            rule: .changedAlike),
        Row(
            testDescription: "a type counts as a change", base: "a: 1", local: "a: '1'", remote: "a: 1",
            merged: "a: '1'", rule: .changedLocally),
        Row(
            testDescription: "a different spelling of a number", base: "a: 1.0", local: "a: 1.0",
            remote: "a: 1", merged: "a: 1.0"),
        Row(
            testDescription: "complete absent and false, changed to true", base: "complete: false", local: "",
            remote: "complete: true", merged: "complete: true", rule: .changedRemotely),
        Row(
            testDescription: "complete removed and set to false", base: "complete: true", local: "",
            remote: "complete: false", merged: "", rule: .changedAlike),
        Row(
            testDescription: "null removed and changed", base: "a: null", local: "", remote: "a: 1",
            merged: "a: 1", rule: .changedRemotely),
        Row(
            testDescription: "the id is local's", base: "id: a", local: "id: 'a'", remote: "id: b",
            merged: "id: a"),
    ]

    static let sets = [
        Row(
            testDescription: "both added", base: "t: [a]", local: "t: [a, b]", remote: "t: [a, c]",
            merged: "t: [a, b, c]", rule: .set),
        Row(
            testDescription: "removed on one, added on the other", base: "t: [a, b]", local: "t: [a]",
            remote: "t: [a, b, c]", merged: "t: [a, c]", rule: .set),
        Row(
            testDescription: "both removed", base: "t: [a, b, c]", local: "t: [b, c]", remote: "t: [a, b]",
            merged: "t: [b]", rule: .set),
        Row(
            testDescription: "both added the same", base: "t: [a]", local: "t: [a, x, b]",
            remote: "t: [a, x, c]", merged: "t: [a, x, b, c]", rule: .set),
        Row(
            testDescription: "an order changed remotely", base: "t: [a, b, c]", local: "t: [a, b, c, d]",
            remote: "t: [c, b, a]", merged: "t: [c, b, a, d]", rule: .set),
        Row(
            testDescription: "an order changed on both", base: "t: [a, b, c]", local: "t: [b, a, c]",
            remote: "t: [c, b, a]", merged: "t: [b, a, c]", rule: .set),
        Row(
            testDescription: "an order changed locally", base: "t: [a, b]", local: "t: [b, a]",
            remote: "t: [a, b, c]", merged: "t: [b, a, c]", rule: .set),
        Row(
            testDescription: "a different type is a different element", base: "t: [1]", local: "t: [1, '1']",
            remote: "t: [1, 2]", merged: "t: [1, '1', 2]", rule: .set),
        Row(
            testDescription: "a different spelling is the same element", base: "t: []", local: "t: [1]",
            remote: "t: [1.0, 2]",
            merged: "t: [1, 2]", rule: .set),
        Row(
            testDescription: "all removed, one added", base: "t: [a]", local: "t: []", remote: "t: [a, b]",
            merged: "t: [b]", rule: .set),
        Row(
            testDescription: "an element twice", base: "t: [a]", local: "t: [a, a]", remote: "t: [a, b]",
            merged: "t: [a, a]", conflicts: ["t"], rule: .conflict),
        Row(
            testDescription: "both new", local: "t: [a, b]", remote: "t: [b, c]", merged: "t: [a, b, c]",
            rule: .set),
        Row(
            testDescription: "no list before", base: "t: a", local: "t: [a]", remote: "t: [b]",
            merged: "t: [a]", conflicts: ["t"], rule: .conflict),
        Row(
            testDescription: "lists of lists", base: "t: [[a]]", local: "t: [[b]]", remote: "t: [[c]]",
            merged: "t: [[b]]", conflicts: ["t"], rule: .conflict),
    ]

    static let sequences = [
        Row(
            testDescription: "appended on both, one a repetition", base: "t: [70, 71]",
            local: "t: [70, 71, 70]", remote: "t: [70, 71, 72]", merged: "t: [70, 71, 70]",
            conflicts: ["t"], rule: .conflict),
        Row(
            testDescription: "apart", base: "t: [a, b, a, c]", local: "t: [x, a, b, a, c]",
            remote: "t: [a, b, a, c, b]", merged: "t: [x, a, b, a, c, b]", rule: .sequence),
        Row(
            testDescription: "one of two removed, one added", base: "t: [a, b, c, a]", local: "t: [b, c, a]",
            remote: "t: [a, b, c, a, a]", merged: "t: [b, c, a, a]", rule: .sequence),
        Row(
            testDescription: "the same change and another one", base: "t: [a, b, a, c]",
            local: "t: [a, b, a, c, d]", remote: "t: [b, a, c, d]", merged: "t: [b, a, c, d]",
            rule: .sequence),
        Row(
            testDescription: "removed and changed", base: "t: [a, b, a]", local: "t: [a, a]",
            remote: "t: [a, c, a]", merged: "t: [a, a]", conflicts: ["t"], rule: .conflict),
        Row(
            testDescription: "no list before", local: "t: [a, a]", remote: "t: [a, b]", merged: "t: [a, a]",
            conflicts: ["t"], rule: .conflict),
        Row(
            testDescription: "in an item", base: "l: [{text: x, t: [1, 2, 1]}]",
            local: "l: [{text: x, t: [0, 1, 2, 1]}]", remote: "l: [{text: x, t: [1, 2, 1, 1]}]",
            merged: "l: [{text: x, t: [0, 1, 2, 1, 1]}]", rule: .elements),
        Row(
            testDescription: "tags are a set", base: "tags: [a]", local: "tags: [a, a]",
            remote: "tags: [a, b]", merged: "tags: [a, a, b]", rule: .set),
        Row(
            testDescription: "a number replaced two ways", base: "t: [9, 17]", local: "t: [9, 18]",
            remote: "t: [9, 20]", merged: "t: [9, 18]", conflicts: ["t"], rule: .conflict),
        Row(
            testDescription: "a time replaced two ways", base: "t: ['09:00', '17:00']",
            local: "t: ['09:00', '18:00', '19:00']", remote: "t: ['09:00', '20:00']",
            merged: "t: ['09:00', '18:00', '19:00']", conflicts: ["t"], rule: .conflict),
        Row(
            testDescription: "a date replaced two ways", base: "t: [2026-12-01]", local: "t: [2026-12-02]",
            remote: "t: [2026-12-03T10:00:00Z]", merged: "t: [2026-12-02]", conflicts: ["t"],
            rule: .conflict),
        Row(
            testDescription: "a number replaced alike, another one on one side", base: "t: [9, 17]",
            local: "t: [8, 18]", remote: "t: [9, 18]", merged: "t: [8, 18]", rule: .set),
        Row(
            testDescription: "merged again, a number replaced", base: "t: [9, 18]", local: "t: [17, 8]",
            remote: "t: [8, 18]", merged: "t: [17, 8]", rule: .set),
        Row(
            testDescription: "different numbers replaced", base: "t: [9, 17]", local: "t: [8, 17]",
            remote: "t: [9, 18]", merged: "t: [8, 18]", rule: .set),
        Row(
            testDescription: "numbers added and removed", base: "t: [1, 2, 3]", local: "t: [2, 3, 4]",
            remote: "t: [2, 3, 5]", merged: "t: [2, 3, 4, 5]", rule: .set),
        Row(
            testDescription: "tags that are numbers", base: "tags: [9, 17]", local: "tags: [9, 18]",
            remote: "tags: [9, 20]", merged: "tags: [9, 18, 20]", rule: .set),
        Row(
            testDescription: "a word replaced two ways", base: "t: [a, b]", local: "t: [a, c]",
            remote: "t: [a, d]", merged: "t: [a, c, d]", rule: .set),
    ]

    static let elements = [
        Row(
            testDescription: "different items changed", base: "l: [{text: a, n: 1}, {text: b, n: 1}]",
            local: "l: [{text: a, n: 2}, {text: b, n: 1}]", remote: "l: [{text: a, n: 1}, {text: b, n: 3}]",
            merged: "l: [{text: a, n: 2}, {text: b, n: 3}]", rule: .elements),
        Row(
            testDescription: "matched by id, not by text", base: "l: [{id: 1, text: a}]",
            local: "l: [{id: 1, text: b}]", remote: "l: [{id: 1, text: a, done: true}]",
            merged: "l: [{id: 1, text: b, done: true}]", rule: .elements),
        Row(
            testDescription: "one item, two ways", base: "l: [{text: a, n: 1}]",
            local: "l: [{text: a, n: 2}]", remote: "l: [{text: a, n: 3}]", merged: "l: [{text: a, n: 2}]",
            conflicts: ["l"], rule: .elements),
        Row(
            testDescription: "added on both", base: "l: [{text: a}]", local: "l: [{text: a}, {text: b}]",
            remote: "l: [{text: a}, {text: c}]", merged: "l: [{text: a}, {text: b}, {text: c}]",
            rule: .elements),
        Row(
            testDescription: "added remotely in the middle", base: "l: [{text: a}, {text: z}]",
            local: "l: [{text: a}, {text: z, n: 1}]", remote: "l: [{text: a}, {text: b}, {text: z}]",
            merged: "l: [{text: a}, {text: b}, {text: z, n: 1}]", rule: .elements),
        Row(
            testDescription: "added remotely at the beginning", base: "l: [{text: a}]",
            local: "l: [{text: a, n: 1}]", remote: "l: [{text: b}, {text: a}]",
            merged: "l: [{text: b}, {text: a, n: 1}]", rule: .elements),
        Row(
            testDescription: "removed on one", base: "l: [{text: a}, {text: b}]", local: "l: [{text: b}]",
            remote: "l: [{text: a}, {text: b, n: 1}]", merged: "l: [{text: b, n: 1}]", rule: .elements),
        Row(
            testDescription: "removed and changed", base: "l: [{text: a, n: 1}, {text: b}]",
            local: "l: [{text: b}]", remote: "l: [{text: a, n: 2}, {text: b}]", merged: "l: [{text: b}]",
            conflicts: ["l"], rule: .elements),
        Row(
            testDescription: "the same item added with other details", base: "l: [{text: a}]",
            local: "l: [{text: a}, {text: b, n: 1}]", remote: "l: [{text: a}, {text: b, m: 2}]",
            merged: "l: [{text: a}, {text: b, n: 1, m: 2}]", rule: .elements),
        Row(
            testDescription: "equal content where texts repeat",
            base: "l: [{text: a, n: 1}, {text: a, n: 2}]", local: "l: [{text: a, n: 2}]",
            remote: "l: [{text: a, n: 1}, {text: a, n: 2}, {text: c}]",
            merged: "l: [{text: a, n: 2}, {text: c}]", rule: .elements),
        Row(
            testDescription: "one of two equal items removed, and one changed", base: "l: [{n: 1}, {n: 1}]",
            local: "l: [{n: 1}]", remote: "l: [{n: 1}, {n: 2}]", merged: "l: [{n: 1}]", conflicts: ["l"],
            rule: .elements),
        Row(
            testDescription: "the number of equal items stays the same", base: "l: [{n: 1}, {n: 1}]",
            local: "l: [{n: 1}, {n: 1}, {n: 2}]", remote: "l: [{n: 3}, {n: 1}, {n: 1}]",
            merged: "l: [{n: 3}, {n: 1}, {n: 1}, {n: 2}]", rule: .elements),
        Row(
            testDescription: "a third equal item added on one", base: "l: [{n: 1}, {n: 1}]",
            local: "l: [{n: 1}, {n: 1}, {n: 1}]", remote: "l: [{n: 1}, {n: 1}, {n: 2}]",
            merged: "l: [{n: 1}, {n: 1}, {n: 1}, {n: 2}]", rule: .elements),
        Row(
            testDescription: "an id that repeats matches nothing", base: "l: [{id: 1, n: 1}, {id: 1, n: 2}]",
            local: "l: [{id: 1, n: 2}]", remote: "l: [{id: 1, n: 1}, {id: 1, n: 2}, {id: 2}]",
            merged: "l: [{id: 1, n: 2}, {id: 2}]", rule: .elements),
        Row(
            testDescription: "an order changed remotely", base: "l: [{text: a}, {text: b}]",
            local: "l: [{text: a, n: 1}, {text: b}]", remote: "l: [{text: b}, {text: a}]",
            merged: "l: [{text: b}, {text: a, n: 1}]", rule: .elements),
        Row(
            testDescription: "all removed and one added", base: "l: [{text: a}]", local: "l: []",
            remote: "l: [{text: a}, {text: b}]", merged: "l: [{text: b}]", rule: .elements),
        Row(
            testDescription: "both new", local: "l: [{text: a}]", remote: "l: [{text: b}]",
            merged: "l: [{text: a}]", conflicts: ["l"], rule: .conflict),
    ]

    static let others = [
        Row(
            testDescription: "mappings, other keys", base: "m: {a: 1, b: 1}", local: "m: {a: 2, b: 1}",
            remote: "m: {a: 1, b: 1, c: 3}", merged: "m: {a: 2, b: 1, c: 3}", rule: .mapping),
        Row(
            testDescription: "mappings in mappings", base: "m: {a: {b: 1, c: 1}}",
            local: "m: {a: {b: 2, c: 1}}", remote: "m: {a: {b: 1}}", merged: "m: {a: {b: 2}}", rule: .mapping),
        Row(
            testDescription: "mappings, with different changes to one key", base: "m: {a: 1, b: 1}",
            local: "m: {a: 2, b: 2}",
            remote: "m: {a: 3, b: 1}", merged: "m: {a: 2, b: 2}", conflicts: ["m"], rule: .mapping),
        Row(
            testDescription: "a mapping removed and changed", base: "m: {a: 1}", local: "",
            remote: "m: {a: 2}", merged: "", conflicts: ["m"], rule: .conflict),
        Row(
            testDescription: "mappings, both new", local: "m: {a: 1, t: [x]}", remote: "m: {b: 2, t: [y]}",
            merged: "m: {a: 1, t: [x, y], b: 2}", rule: .mapping),
        Row(
            testDescription: "scalars, two ways", base: "a: 1", local: "a: 2", remote: "a: 3", merged: "a: 2",
            conflicts: ["a"], rule: .conflict),
        Row(
            testDescription: "removed and changed", base: "a: 1", local: "", remote: "a: 3", merged: "",
            conflicts: ["a"], rule: .conflict),
        Row(
            testDescription: "changed and removed", base: "a: 1", local: "a: 3", remote: "", merged: "a: 3",
            conflicts: ["a"], rule: .conflict),
        Row(
            testDescription: "different normal forms of Unicode are not equal", base: "a: e",
            local: "a: \u{e9}",
            remote: "a: e\u{301}", merged: "a: \u{e9}", conflicts: ["a"], rule: .conflict),
        Row(
            testDescription: "lines of notes", base: "n: \"a\\nb\\nc\\n\"", local: "n: \"x\\nb\\nc\\n\"",
            remote: "n: \"a\\nb\\ny\\n\"", merged: "n: \"x\\nb\\ny\\n\"", rule: .lines),
        Row(
            testDescription: "different changes to one line of notes", base: "n: \"a\\nb\\n\"",
            local: "n: \"x\\nb\\n\"",
            remote: "n: \"y\\nb\\n\"", merged: "n: \"x\\nb\\n\"", conflicts: ["n"], rule: .lines),
        Row(
            testDescription: "notes without a line break in the base", base: "n: a", local: "n: \"x\\na\\n\"",
            remote: "n: \"a\\ny\\n\"", merged: "n: \"x\\na\\n\"", conflicts: ["n"], rule: .conflict),
        Row(
            testDescription: "an empty mapping added remotely", local: "", remote: "m: {}", merged: "m: {}",
            rule: .changedRemotely),
        Row(
            testDescription: "items of one text are not mixed up",
            base: "l: [{text: a, n: 1}, {text: a, n: 2}]", local: "l: [{text: a, n: 2}]",
            remote: "l: [{text: a, n: 1, m: 1}, {text: a, n: 2}]",
            merged: "l: [{text: a, n: 2}]", conflicts: ["l"], rule: .elements),
        Row(
            testDescription: "lists where there was null", base: "t: null", local: "t: [a]", remote: "t: [b]",
            merged: "t: [a, b]", rule: .set),
        Row(
            testDescription: "notes, both new", local: "n: \"a\\nb\\n\"", remote: "n: \"a\\nc\\n\"",
            merged: "n: \"a\\nb\\n\"", conflicts: ["n"], rule: .conflict),
    ]

    static let withoutBase = [
        Row(testDescription: "equal", base: nil, local: "a: 1", remote: "a: 1", merged: "a: 1"),
        Row(
            testDescription: "fields of either", base: nil, local: "a: 1", remote: "b: 2",
            merged: "{a: 1, b: 2}"),
        Row(
            testDescription: "lists unite", base: nil, local: "t: [a, b]", remote: "t: [c, a]",
            merged: "t: [a, b, c]", rule: .set),
        Row(
            testDescription: "mappings by key", base: nil, local: "m: {a: 1}", remote: "m: {b: 2}",
            merged: "m: {a: 1, b: 2}", rule: .mapping),
        Row(
            testDescription: "everything else is a conflict", base: nil, local: "a: 1", remote: "a: 2",
            merged: "a: 1", conflicts: ["a"], rule: .conflict),
    ]

    @Test(arguments: oneSide + sets + sequences + elements + others + withoutBase)
    func `values merge by the rules of their fields`(row: Row) throws {
        func read(_ text: String) throws -> Mapping { try fields(text.isEmpty ? "{}" : text) }
        let merge = FieldMerge(
            base: try row.base.map(read), local: try read(row.local), remote: try read(row.remote),
            rules: .todo)
        let merged = merge.fields.taking(.local)
        #expect(merged == (try read(row.merged)))
        #expect(merge.fields.entries.filter(\.value.hasConflict).map(\.key) == row.conflicts)
        if let rule = row.rule { #expect(merge.decisions.map(\.rule) == [rule]) }
    }

    @Test func `a decision shows the three values and the result`() throws {
        let merge = FieldMerge(
            base: ["a": .bool(true)], local: ["a": .bool(false)], remote: ["b": .null, "a": .bool(true)],
            rules: .plain)
        let decision = try #require(merge.decisions.first { $0.field == "a" })
        #expect(decision.base == .bool(true))
        #expect(decision.local == .bool(false))
        #expect(decision.remote == .bool(true))
        #expect(decision.result == .bool(false))
        #expect(!decision.hasConflict)
    }

    @Test func `a conflict contains the value of each side`() throws {
        let merge = FieldMerge(
            base: ["a": .bool(true)], local: ["a": .null], remote: ["a": .string("x")], rules: .plain)
        #expect(merge.fields.taking(.base)["a"] == .bool(true))
        #expect(merge.fields.taking(.local)["a"] == .null)
        #expect(merge.fields.taking(.remote)["a"] == .string("x"))
    }
}
