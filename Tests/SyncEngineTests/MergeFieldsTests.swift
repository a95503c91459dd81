import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import WorkingCopy

/// `merge.fields` in the configuration.
@Suite struct MergeFieldsTests {
    private static let base = "id: a\ntext: t\nowner: A\nestimate: 1\ndue: 2026-12-01\ntags: [a, b]\n"
    private static let here = "id: a\ntext: t\nowner: B\nestimate: 2\ndue: 2026-12-03\ntags: [b, c]\n"
    private static let there = "id: a\ntext: t\nowner: C\nestimate: 3\ndue: 2026-12-02\ntags: [a, d]\n"

    private func machines() async throws -> (here: Machine, there: Machine) {
        let machines = try await World().machines(2, ["a.yaml": Self.base])
        for machine in machines {
            machine.edit(
                ".todosync/config.yaml", "merge.labels: plain",
                "merge: {labels: plain, fields: {owner: remote, estimate: max, due: min, tags: union}}")
        }
        machines[1]["a.yaml"] = Self.there
        try await machines[1].push()
        machines[0]["a.yaml"] = Self.here
        return (machines[0], machines[1])
    }

    @Test func `rules resolve what would be conflicts`() async throws {
        let (here, there) = try await machines()
        let report = try await here.sync()
        #expect(report.conflicts == [])
        #expect(!report.needsUser)
        try await there.sync()
        for machine in [here, there] {
            #expect(
                machine["a.yaml"]
                    == "id: a\ntext: t\nowner: C\nestimate: 3\ndue: 2026-12-02\ntags: [b, c, a, d]\n")
            #expect(try machine.isClean)
        }
        let explained = try here.workspace.explain("a.yaml")
        #expect(explained.fields.map(\.decision.rule) == [.remote, .max, .min, .union])
    }

    @Test func `a rule that keeps what the file has leaves a trace`() async throws {
        let (here, there) = try await machines()
        there["a.yaml"] = Self.base.replacing("2026-12-01", with: "2026-12-09")
        try await there.push()
        here["a.yaml"] = Self.base.replacing("2026-12-01", with: "2026-12-03")
        let report = try await here.sync()
        #expect(report.merged.map(\.fields) == [["due"]])
        #expect(here["a.yaml"] == Self.base.replacing("2026-12-01", with: "2026-12-03"))
        let logged = try here.workspace.log(nil).first?.todos.map(\.state)
        #expect(logged == [.merged, .pushed])
        let explained = try here.workspace.explain("a.yaml")
        #expect(explained.outcome == .merged)
        #expect(explained.fields.map(\.decision.rule) == [.min])
        #expect(explained.fields.map(\.side) == [.local])
    }

    @Test func `a rule comes before a side that the command names`() async throws {
        let (here, _) = try await machines()
        try await here.pull(.use(.local))
        #expect(
            here["a.yaml"] == "id: a\ntext: t\nowner: C\nestimate: 3\ndue: 2026-12-02\ntags: [b, c, a, d]\n")
    }

    @Test func `whether a todo stays is not up to a field's rule`() async throws {
        let (here, _) = try await machines()
        here["a.yaml"] = nil
        #expect(try await here.sync().conflictKinds == ["delete/edit"])
    }

    @Test(arguments: [
        ("merge:\n  fields:\n    size: max\n    owner: local\n", ["size": "max", "owner": "local"]),
        ("merge.fields: {tags: union}\n", ["tags": "union"]),
        ("merge: {fields: {due: min, text: remote}}\n", ["due": "min", "text": "remote"]),
        ("merge:\n  fields: {}\n", [:]),
    ])
    func `the configuration names a rule for each field`(_ text: String, _ rules: [String: String]) throws {
        let found = try Configuration(parsing: Array(text.utf8)).fieldRules
        #expect(found == Dictionary(uniqueKeysWithValues: rules.map { (ByteKey($0.key), $0.value) }))
    }

    @Test func `every rule can be configured`() throws {
        for rule in FieldRule.allCases {
            let text = "merge.fields: {f: \(rule.rawValue)}\n"
            #expect(
                try Configuration(parsing: Array(text.utf8)).fieldRules == [ByteKey("f"): rule.rawValue])
        }
    }

    private static let badRule =
        "the rule of a in merge.fields must be local, remote, union, max or min"

    @Test(arguments: [
        ("merge.fields: max\n", "merge.fields must be a mapping from fields to their rules"),
        ("merge.fields: [max]\n", "merge.fields must be a mapping from fields to their rules"),
        ("merge.fields: {a: newest}\n", badRule), ("merge.fields: {a: [max]}\n", badRule),
        ("merge.fields: {id: local}\n", "merge.fields can't have a rule for id"),
        ("merge.fields: {Version: max}\n", "merge.fields can't have a rule for Version"),
    ])
    func `what is no rule is reported with its position`(_ text: String, _ reason: String) throws {
        let problem = #expect(throws: Configuration.Problem.self) {
            try Configuration(parsing: Array(text.utf8))
        }
        #expect(problem?.reason == reason)
        #expect(problem?.line == 1)
    }
}
