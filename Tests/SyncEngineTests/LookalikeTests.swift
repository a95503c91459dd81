import SyncEngine
import TestSupport
import Testing
import TodoModel

/// Keys that differ only in their Unicode form.
@Suite struct LookalikeTests {
    private static let text = "id: a\ntext: base\n"

    @Test func `status names the two forms of one key, until one of them is gone`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": Self.text])
        machines[0]["a.yaml"] = Self.text + "caf\u{E9}: 1\n"
        try await machines[0].push()
        machines[1]["a.yaml"] = Self.text + "cafe\u{301}: 2\n"
        let report = try await machines[1].sync()
        #expect(report.conflicts.isEmpty && report.pushed.count == 1)
        for _ in 1...2 {
            let status = try machines[1].status
            #expect(status.isClean)
            let found = try #require(status.lookalikes.first)
            #expect(status.lookalikes.count == 1 && found.path == "a.yaml" && found.id?.string == "a")
            #expect(Set(found.keys.map { Array($0.name.utf8).count }) == [5, 6])
            #expect(Set(found.keys.map(\.line)) == [3, 4])
        }
        _ = try machines[1].workspace.change(["a"], set: [], unset: ["cafe\u{301}"])
        #expect(try machines[1].status.lookalikes.isEmpty)
        #expect(machines[1]["a.yaml"] == Self.text + "caf\u{E9}: 1\n")
    }
}
