import Foundation
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import WorkingCopy

/// `merge.identity` in the configuration.
@Suite struct MergeIdentityTests {
    @Test func `elements are matched by the field that the configuration names`() async throws {
        let list = "  - sku: a\n    count: 1\n"
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: t\nitems:\n\(list)"])
        let config = try #require(machines[0][".todosync/config.yaml"])
        try machines[0].folder.write(
            config + "merge:\n  identity: [ean, sku]\n", to: ".todosync/config.yaml")
        machines[1]["a.yaml"] = "id: a\ntext: t\nitems:\n\(list)  - sku: b\n    count: 2\n"
        try await machines[1].push()
        machines[0]["a.yaml"] = "id: a\ntext: t\nitems:\n\(list)  - sku: b\n    shop: corner\n"
        let report = try await machines[0].sync()
        #expect(report.conflicts.isEmpty)
        let lines = try #require(machines[0]["a.yaml"]).split(separator: "\n").dropFirst(5)
        #expect(lines.first == "  - sku: b")
        #expect(lines.dropFirst().sorted() == ["    count: 2", "    shop: corner"])
        let explained = try machines[0].workspace.explain("a.yaml")
        #expect(explained.fields.map(\.decision.field) == ["items"])
    }

    @Test(arguments: [
        ("merge:\n  identity: [url, title]\n", ["url", "title"]), ("merge.identity: [sku]\n", ["sku"]),
        ("merge: {identity: sku, conflictStyle: diff3}\n", ["sku"]), ("merge:\n  identity: []\n", []),
        ("merge:\n  conflictStyle: diff3\n", nil),
    ])
    func `the configuration names one field or several`(_ text: String, _ names: [String]?) throws {
        #expect(try Configuration(parsing: Array(text.utf8)).identity == names)
    }

    @Test(arguments: ["merge:\n  identity: {a: b}\n", "merge.identity: [1]\n", "merge.identity: true\n"])
    func `what names no field is reported with its position`(_ text: String) throws {
        let problem = #expect(throws: Configuration.Problem.self) {
            try Configuration(parsing: Array(text.utf8))
        }
        #expect(problem?.reason == "merge.identity must be a field's name or a list of names")
        #expect(problem?.line == 1)
    }
}
