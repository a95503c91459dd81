import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

/// Rules for single fields in the configuration.
@Suite struct FieldRuleTests {
    struct Row: CustomTestStringConvertible {
        var rule: FieldRule
        var base: String?
        var local: String
        var remote: String
        /// The merged value; nil for a conflict.
        var merged: String?
        /// The rule in the explanation.
        var explained: MergeRule

        var testDescription: String { "\(rule): \(base ?? "–"), \(local), \(remote)" }

        init(
            _ rule: FieldRule, _ base: String?, _ local: String, _ remote: String, _ merged: String?,
            _ explained: MergeRule
        ) {
            (self.rule, self.base, self.local, self.remote) = (rule, base, local, remote)
            (self.merged, self.explained) = (merged, explained)
        }
    }

    static let oneSide = FieldRule.allCases.flatMap { rule in
        [
            Row(rule, "f: 1", "f: 5", "f: 1", "f: 5", .changedLocally),
            Row(rule, "f: 7", "f: 7", "f: 1", "f: 1", .changedRemotely),
            Row(rule, "f: 7", "f: 9", "f: 9.0", "f: 9", .changedAlike),
            Row(rule, "f: [a, b]", "f: [a]", "f: [a, b]", "f: [a]", .changedLocally),
        ]
    }

    static let sides = [
        Row(.local, "f: a", "f: b", "f: c", "f: b", .local),
        Row(.remote, "f: a", "f: b", "f: c", "f: c", .remote),
        Row(.local, nil, "f: b", "f: c", "f: b", .local),
        Row(.local, "f: a", "{}", "f: c", "{}", .local),
        Row(.remote, "f: a", "{}", "f: c", "f: c", .remote),
        Row(.local, "f: {a: 1}", "f: {a: 2, b: 1}", "f: {a: 3, c: 1}", "f: {a: 2, b: 1, c: 1}", .local),
        Row(.remote, "f: {a: 1}", "f: {a: 2, b: 1}", "f: {a: 3, c: 1}", "f: {a: 3, b: 1, c: 1}", .remote),
        Row(.remote, "f: {a: 1}", "f: {a: 1, b: 1}", "f: {a: 3}", "f: {a: 3, b: 1}", .mapping),
        Row(.remote, "f: \"a\\nb\\n\"", "f: \"x\\nb\\n\"", "f: \"y\\nb\\n\"", "f: \"y\\nb\\n\"", .remote),
        Row(.local, "f: [a, b]", "f: [a, b, c]", "f: [b]", "f: [b, c]", .set),
    ]

    static let unions = [
        Row(.union, "f: [a, b]", "f: [b, c]", "f: [a, d]", "f: [b, c, a, d]", .union),
        Row(.union, nil, "f: [b, 1]", "f: [1.0, a]", "f: [b, 1, a]", .union),
        Row(.union, "f: text", "f: [a]", "f: [b]", "f: [a, b]", .union),
        Row(.union, "f: [a]", "f: []", "f: [b]", "f: [b]", .union),
        Row(.union, "f: a", "f: [b]", "f: c", nil, .conflict),
        Row(.union, "f: a", "f: b", "f: c", nil, .conflict),
        Row(.union, "f: [a]", "{}", "f: [b]", nil, .conflict),
        Row(
            .union, "f: [{text: a}]", "f: [{text: a}, {text: b}]", "f: [{text: a, n: 1}]",
            "f: [{text: a, n: 1}, {text: b}]", .elements),
    ]

    static let extremes = [
        Row(.max, "f: 1", "f: 2", "f: 10", "f: 10", .max),
        Row(.min, "f: 1", "f: 2", "f: 10", "f: 2", .min),
        Row(.max, "f: 5", "f: 2", "f: 3", "f: 3", .max),
        Row(.max, "f: 0", "f: -3", "f: -0.5e1", "f: -3", .max),
        Row(.min, "f: 0", "f: -3", "f: -0.5e1", "f: -0.5e1", .min),
        Row(.min, nil, "f: 0.1", "f: 1e-2", "f: 1e-2", .min),
        Row(
            .max, "f: 1", "f: 123456789012345678901", "f: 123456789012345678902",
            "f: 123456789012345678902", .max),
        Row(.max, "f: a", "f: b", "f: c", nil, .conflict),
        Row(.max, "f: 1", "f: 2", "f: '3'", nil, .conflict),
        Row(.min, "f: 1", "f: 2", "{}", nil, .conflict),
        Row(.min, "f: true", "f: 2", "f: false", nil, .conflict),
        Row(.max, "f: [1]", "f: [1, 2]", "f: [1, 3]", "f: [1, 2, 3]", .set),
    ]

    private func merge(_ row: Row, isSwapped: Bool = false) throws -> FieldMerge {
        let (local, remote) = isSwapped ? (row.remote, row.local) : (row.local, row.remote)
        return FieldMerge(
            base: try row.base.map(fields), local: try fields(local), remote: try fields(remote),
            rules: .todo.choosing([ByteKey("f"): row.rule], isLess: isLess))
    }

    @Test(arguments: oneSide + sides + unions + extremes) func `a field's rule decides`(row: Row) throws {
        let merge = try merge(row)
        #expect(merge.decisions.map(\.rule) == [row.explained])
        #expect(merge.fields.hasConflict == (row.merged == nil))
        if let merged = row.merged { #expect(try merge.fields.taking(.local) == fields(merged)) }
    }

    @Test(arguments: unions + extremes)
    func `a rule that names no side gives the same result with swapped sides`(row: Row) throws {
        let (merge, swapped) = (try merge(row), try merge(row, isSwapped: true))
        #expect(merge.fields.hasConflict == swapped.fields.hasConflict)
        guard row.merged != nil else { return }
        #expect(
            Unordered(.mapping(merge.fields.taking(.local)))
                == Unordered(
                    .mapping(swapped.fields.taking(.local))))
    }

    @Test func `other fields merge as without the rule, and the text is complete`() throws {
        let base = "# head\nid: a\ntext: t\nsize: 1   # how large\nowner: A\n"
        let rules = FieldRules.todo.choosing([ByteKey("size"): .max], isLess: isLess)
        let merge = ThreeWayMerge.merge(
            base: try document(base), local: try document(base.replacing("size: 1", with: "size: 2")),
            remote: try document(
                base.replacing("size: 1", with: "size: 3").replacing("owner: A", with: "owner: B")),
            rules: rules)
        #expect(
            merge.outcome
                == .clean(Array("# head\nid: a\ntext: t\nsize: 3   # how large\nowner: B\n".utf8)))
        #expect(merge.mergedFields == ["size", "owner"])
    }

    @Test func `a field with a rule never counts as renamed`() throws {
        let base = "id: a\ntext: t\nplace: the corner shop in the market street\n"
        let local = base.replacing("place:", with: "shop:")
        let remote = base.replacing("corner", with: "other")
        func merge(_ rules: FieldRules) throws -> Merge {
            try ThreeWayMerge.merge(
                base: document(base), local: document(local), remote: document(remote), rules: rules)
        }
        #expect(try merge(.todo).relocations.count == 1)
        let merged = try merge(.todo.choosing([ByteKey("place"): .remote], isLess: isLess))
        #expect(merged.relocations.isEmpty)
        #expect(merged.conflictingFields.isEmpty)
    }

    @Test(.covers(["a decision in a clean merge": 100]), arguments: seeds(200))
    func `rules resolve conflicts, and change nothing else`(seed: UInt64) throws {
        let story = try MergePropertyTests.Story(seed: seed)
        let plain = story.merge()
        for rule in FieldRule.allCases {
            let names = Set(story.local.fields.keys + story.remote.fields.keys).subtracting(["id"])
            let choices = Dictionary(uniqueKeysWithValues: names.map { (ByteKey($0), rule) })
            let merge = ThreeWayMerge.merge(
                base: story.base, local: story.local, remote: story.remote,
                rules: .todo.choosing(choices, isLess: isLess))
            if plain.relocations.isEmpty {
                #expect(Set(merge.conflictingFields).isSubset(of: plain.conflictingFields))
            }
            if rule == .local || rule == .remote { #expect(merge.conflictingFields.isEmpty) }
            guard case .clean(let bytes) = merge.outcome else { continue }
            let merged = try Document(parsing: bytes).fields
            for decision in merge.decisions where !decision.hasConflict {
                cover("a decision in a clean merge")
                #expect(merged[decision.field] == decision.result, "\(decision)")
            }
        }
    }
}

private let isLess: @Sendable (Value, Value) -> Bool? = { left, right in
    guard case .number(let left) = left, case .number(let right) = right else { return nil }
    return left < right
}
