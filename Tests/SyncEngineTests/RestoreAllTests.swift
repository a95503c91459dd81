import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Restoring the whole folder to an earlier state.
@Suite struct RestoreAllTests {
    private let files = [
        "a.yaml": "# note\nid: a\ntext: 'A'   # one\r\n", "b.yaml": "id: b\ntext: B",
        "c.yaml": "id: c\ntext: C\n", "d/d.yaml": "id: d\ntext: D\n",
    ]

    @Test(
        arguments: UndoTests.Scene.all.filter { !["push that merged", "sync"].contains($0.testDescription) })
    func `each command's effect is gone, by a new operation that can be undone`(
        _ scene: UndoTests.Scene
    ) async throws {
        let machine = try await scene.prepare(World())
        let before = machine.files
        try await scene.command(machine)
        let (after, conflicts) = (machine.files, Set(try machine.status.conflicts.map(\.path)))
        let command = try machine.workspace.log(nil)[0].operation
        let report = try machine.workspace.restoreAll(before: command)
        // A file with markers is restored as the local side, and one without an id keeps its new id.
        let isWhole = before.values.allSatisfy { !$0.contains("<<<<<<<") && $0.contains("id: ") }
        #expect(Set(report.refused.map(\.path)).isSuperset(of: conflicts))
        if isWhole && conflicts.isEmpty {
            #expect(machine.files == before)
            #expect(report.refused == [])
        }
        let isNothing = report.undone.isEmpty
        #expect(try machine.workspace.restoreAll(before: command).undone == [])
        if isNothing { return }
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == after)
        _ = try machine.workspace.redo()
        #expect(!isWhole || !conflicts.isEmpty || machine.files == before)
    }

    @Test func `all that was done since is gone, and pending, and nothing is merged`() async throws {
        let world = World()
        let machines = try await world.machines(2, files)
        let (here, there) = (machines[0], machines[1])
        try here.set("c.yaml", "n", "1")
        let first = try here.workspace.log(nil)[0].operation
        there.edit("a.yaml", "'A'", "there")
        there["b.yaml"] = nil
        there["new.yaml"] = "id: new\ntext: new\n"
        try await there.push()
        here.edit("c.yaml", "C", "edited")
        here["d/d.yaml"] = nil
        here.rename("b.yaml", to: "moved.yaml")
        try await here.sync()
        let path = try here.workspace.add(NewTodo(text: "Added", fields: [:], path: nil))
        here["never-recorded.yaml"] = "text: mine\n"
        let dry = try here.workspace.restoreAll(before: first, ReversalOptions(isDryRun: true))
        #expect(here[path] != nil)
        let report = try here.workspace.restoreAll(before: first)
        #expect(report.undone == dry.undone && report.refused == [])
        #expect(here.files == files.merging(["never-recorded.yaml": "text: mine\n"]) { $1 })
        #expect(
            try here.workspace.log(nil)[0].todos.map { "\($0.change) \($0.path) \($0.state)" }.sorted() == [
                "delete added.yaml pending", "delete new.yaml pending", "insert b.yaml pending",
                "insert d/d.yaml pending", "update a.yaml pending", "update c.yaml pending",
            ])
        here["never-recorded.yaml"] = nil
        try await here.sync()
        try await there.sync()
        #expect(there.files == files)
    }

    @Test func `an editor's changes that the operation sent go back, too`() async throws {
        let world = World()
        let machines = try await world.machines(2, files)
        machines[1].edit("a.yaml", "'A'", "there")
        try await machines[1].push()
        let here = machines[0]
        here.edit("c.yaml", "C", "edited")
        here["b.yaml"] = nil
        here["new.yaml"] = "id: new\ntext: new\n"
        here.edit("a.yaml", "note", "my note")
        try await here.sync()
        let after = here.files
        let sync = try here.workspace.log(nil)[0].operation
        #expect(try here.workspace.restoreAll(before: sync).refused == [])
        // What an editor created existed before.
        #expect(here.files == files.merging(["new.yaml": "id: new\ntext: new\n"]) { $1 })
        _ = try here.workspace.undo(nil)
        #expect(here.files == after)
    }

    @Test func `paths that were swapped, taken over and given up come back`() async throws {
        let machine = try await World().machines(1, files)[0]
        let first = try {
            try machine.set("a.yaml", "n", "1")
            return try machine.workspace.log(nil)[0].operation
        }()
        let (b, c) = (machine["b.yaml"], machine["c.yaml"])
        (machine["b.yaml"], machine["c.yaml"]) = (c, b)
        machine["d/d.yaml"] = "id: other\ntext: in its place\n"
        try await machine.sync()
        let after = machine.files
        _ = try machine.workspace.restoreAll(before: first)
        #expect(machine.files == files)
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == after)
    }

    @Test func `an edit that no command recorded counts as made since, and is kept in the log`() async throws
    {
        let machine = try await World().machines(1, files)[0]
        try machine.set("a.yaml", "n", "1")
        machine.edit("c.yaml", "C", "edited")
        machine["b.yaml"] = nil
        let edited = machine.files
        _ = try machine.workspace.restoreAll(before: try machine.workspace.log(nil)[0].operation)
        #expect(machine.files == files)
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == edited)
    }

    @Test func `a conflict and what can't be seen stay unchanged, and are named`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[0], machines[1])
        try here.set("c.yaml", "n", "1")
        let first = try here.workspace.log(nil)[0].operation
        there.edit("b.yaml", "B", "there")
        try await there.push()
        here.edit("b.yaml", "B", "here")
        try await here.pull()
        here[".todosyncignore"] = "d\n"
        let conflicted = here["b.yaml"]
        let report = try here.workspace.restoreAll(before: first)
        #expect(report.refused.map(\.path) == ["b.yaml", "d/d.yaml"])
        #expect(report.refused[0].reason.contains("resolve"))
        #expect(here["b.yaml"] == conflicted && here["c.yaml"] == files["c.yaml"])
    }

    @Test func `a todo that the log shows only later, and was there, is named and stays`() async throws {
        let world = World()
        let there = try world.machine(files)
        try await there.push()
        // These are copies of the same files, without records about them.
        let here = try world.machine(files)
        _ = try here.workspace.add(NewTodo(text: "first", fields: [:], path: nil))
        let first = try here.workspace.log(nil)[0].operation
        try await here.sync()
        let report = try here.workspace.restoreAll(before: first)
        #expect(report.refused.count == files.count && report.undone.map(\.path) == ["first.yaml"])
        #expect(here.files == files)
    }
}
