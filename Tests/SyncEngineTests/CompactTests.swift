import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Forgetting the oldest operations in the log.
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
        #expect(report.dropped > 0 && report.kept == 2, "those that opened the conflict and met it again")
        #expect(report.sizeAfter < report.sizeBefore)
        #expect(try here.workspace.log("synced.yaml") == [])
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

    @Test func `what made a todo pending stays while its file is not to be seen`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.push()
        try machine.set("a.yaml", "n", "1")
        machine[".todosyncignore"] = "a.yaml\n"
        _ = try machine.workspace.compact(keeping: 0)
        machine[".todosyncignore"] = nil
        #expect(try machine.workspace.log("a.yaml").count == 1)
    }

    @Test func `without a time a thousand operations and ninety days stay`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        for number in 0..<5 { try machine.set("a.yaml", "n", "x\(number)") }
        #expect(try machine.workspace.compact(keeping: nil) == nil)
        #expect(try machine.workspace.compact(keeping: 0) == nil, "all of it is pending")
        try await machine.push()
        #expect(try machine.workspace.compact(keeping: nil) == nil)
        #expect(try machine.workspace.compact(keeping: 86_400) == nil)
        #expect(try machine.workspace.compact(keeping: 0)?.dropped == 6)
        #expect(try machine.workspace.compact(keeping: 0) == nil, "nothing is left to forget")
    }

    @Test func `what made todos pending or brought them into conflict stays until that is over`() async throws
    {
        let world = World()
        let names = ["synced", "edited", "merged", "conflict", "broken"]
        let machines = try await world.machines(
            2, Dictionary(uniqueKeysWithValues: names.map { ("\($0).yaml", "id: \($0)\ntext: A\nn: 1\n") }))
        let (here, there) = (machines[0], machines[1])
        for name in ["merged", "conflict"] { there.edit("\(name).yaml", "A", "there") }
        try await there.push()
        // The edited todo is pending, then confirmed, and then pending again.
        for name in names { try here.set("\(name).yaml", "n", "2") }
        try await here.push(todos: ["synced.yaml", "edited.yaml"])
        for (name, key) in [("edited", "n"), ("conflict", "text")] { try here.set("\(name).yaml", key, "3") }
        try await here.pull()
        here["broken.yaml"] = "id: broken\ntext: [\n"
        let log = try names.map { try here.workspace.log("\($0).yaml") }
        let explained = try here.workspace.explain("conflict.yaml")
        #expect(explained.outcome == .conflict)
        let report = try #require(try here.workspace.compact(keeping: 0))
        #expect(report.dropped == 3, "the first exchange, and what was confirmed since")
        for (name, before) in zip(names, log).dropFirst() {
            let after = try here.workspace.log("\(name).yaml")
            #expect(after == before.dropLast(name == "edited" ? 2 : 1), "\(name)")
        }
        #expect(try here.workspace.explain("conflict.yaml").outcome == .conflict)
        #expect(try here.workspace.explain("merged.yaml").outcome == .merged)
        try here.resolve(by: .use(.local))
        here["broken.yaml"] = "id: broken\ntext: A\n"
        try await here.sync()
        #expect(try here.workspace.compact(keeping: 0)?.kept == 0)
        withExtendedLifetime(there) {}
    }

    @Test(arguments: ["set", "rm", "add"])
    func `an edit that is pending can be undone whatever is forgotten`(_ edit: String) async throws {
        let text = "id: a\ntext: A\n"
        let machine = try await World().machines(1, ["a.yaml": text])[0]
        let before = machine.files
        switch edit {
        case "set": try machine.set("a.yaml", "n", "1")
        case "rm": _ = try machine.workspace.remove(["a.yaml"])
        default: _ = try machine.workspace.add(NewTodo(text: "B", fields: [:], path: nil))
        }
        #expect(try #require(try machine.workspace.compact(keeping: 0)).kept == 1)
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == before)
        #expect(try machine.isClean)
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
