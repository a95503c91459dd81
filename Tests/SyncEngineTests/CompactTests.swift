import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Forgetting the operation log's beginning.
@Suite struct CompactTests {
    @Test func `nothing that is pending, held, in conflict or confirmed is forgotten`() async throws {
        let world = World()
        let files = ["edited", "gone", "conflict", "synced"].map { ("\($0).yaml", "id: \($0)\ntext: A\n") }
        let machines = try await world.machines(2, Dictionary(uniqueKeysWithValues: files))
        let (here, there) = (machines[0], machines[1])
        there.edit("conflict.yaml", "A", "there")
        try await there.push()
        here.edit("edited.yaml", "A", "here")
        here["gone.yaml"] = nil
        here.edit("conflict.yaml", "A", "here")
        here["new.yaml"] = "id: new\ntext: new\n"
        try await here.pull()
        there.edit("conflict.yaml", "there", "later")
        try await there.push()
        try await here.pull()
        let before = try here.status
        let state = try here.workspace.directory.state()
        let report = try #require(try here.workspace.compact(keeping: 0))
        #expect(report.dropped > 0 && report.kept == 0)
        #expect(report.sizeAfter < report.sizeBefore)
        #expect(try here.workspace.log(nil) == [])
        #expect(try here.workspace.directory.state().todos == state.todos)
        #expect(try here.status.pendingLines == before.pendingLines)
        #expect(try here.status.conflicts == before.conflicts)
        try here.resolve(by: .use(.local))
        try await here.sync(.use(.local))
        #expect(try here.isClean)
        let other = try world.machine()
        try await other.pull()
        #expect(other.files == here.files)
        #expect(other.files["conflict.yaml"] == "id: conflict\ntext: here\n")
    }

    @Test func `without a time a thousand operations and ninety days stay`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        for number in 0..<5 { try machine.set("a.yaml", "n", "x\(number)") }
        #expect(try machine.workspace.compact(keeping: nil) == nil)
        #expect(try machine.workspace.compact(keeping: 86_400) == nil)
        #expect(try machine.workspace.compact(keeping: 0)?.dropped == 5)
        #expect(try machine.workspace.compact(keeping: 0) == nil, "nothing is left to forget")
    }

    @Test func `what is done after it can be undone, with the base version as the text before`() async throws
    {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A # note\n"])
        try await machine.push()
        _ = try machine.workspace.compact(keeping: 0)
        try machine.set("a.yaml", "n", "x")
        _ = try machine.workspace.undo(nil)
        #expect(machine["a.yaml"] == "id: a\ntext: A # note\n")
        #expect(try machine.isClean)
    }
}
