import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Which todo a file belongs to: ids that are missing, copied, or already on the remote.
@Suite struct IdentityTests {
    @Test(arguments: [Verb.push, .sync])
    func `a file without an id gets one when it is sent, as its first field`(_ verb: Verb) async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "# why\ntext: A\n"])
        _ = try machine.status
        _ = try machine.workspace.list()
        try await machine.pull()
        #expect(machine["a.yaml"] == "# why\ntext: A\n")
        let report = try await machine.run(verb)
        let id = try #require(report.pushed.first?.id?.string)
        #expect(machine["a.yaml"] == "# why\nid: \(id)\ntext: A\n")
        #expect(await world.remote.record(id: id)?.layout?.yaml == machine["a.yaml"])
    }

    @Test(arguments: ["text: A\n", "text: B\n"], ["text: A", "text: C", "text: A\npriority: low"])
    func `a file that is written back without its id is the todo that was there`(
        _ local: String, remote: String
    )
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].edit("a.yaml", "text: A", remote)
        try await machines[1].sync()
        machines[0]["a.yaml"] = local
        #expect(try machines[0].status.duplicates.isEmpty)
        let pulled = try await machines[0].pull()
        let isConflict = local == "text: B\n" && remote == "text: C"
        #expect(pulled.conflictKinds == (isConflict ? ["edit/edit"] : []))
        #expect(try machines[0].status.invalid.isEmpty)
        try machines[0].resolve(by: .use(.local))
        try await machines[0].sync()
        try await machines[1].sync()
        let expected =
            isConflict || remote == "text: A"
            ? "id: a\n" + local
            : local == "text: A\n" ? "id: a\n\(remote)\n" : "id: a\ntext: B\npriority: low\n"
        #expect(machines[0]["a.yaml"] == expected)
        #expect(machines[1].files == machines[0].files)
        #expect(await world.remote.liveRecords().count == 1)
    }

    @Test func `a todo that moved away leaves its path to a new one`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0].rename("a.yaml", to: "b.yaml")
        machines[0]["a.yaml"] = "text: new\n"
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1]["b.yaml"] == "id: a\ntext: A\n")
        #expect(machines[1].files == machines[0].files)
        #expect(machines[1].files.count == 2)
    }

    @Test(arguments: ["a-copy.yaml", "z-copy.yaml"], ["a", "A"])
    func `a copy is reported and not pushed, until it has an id of its own`(_ path: String, id: String)
        async throws
    {
        let world = World()
        let machine = try world.machine(["m.yaml": "id: a\ntext: A\n"])
        try await machine.sync()
        machine[path] = "id: \(id)\ntext: copy\n"
        let report = try await machine.sync()
        #expect(report.duplicates.map(\.path) == [path])
        #expect(report.duplicates.map(\.keptBy) == ["m.yaml"])
        #expect(report.needsUser)
        #expect(report.pushed.isEmpty)
        _ = try machine.workspace.track([path])
        try await machine.sync()
        #expect(try machine.isClean)
        #expect(await world.remote.liveRecords().count == 2)
        #expect(machine[path]?.hasSuffix("\ntext: copy\n") == true)
    }

    @Test func `of new files with one id the first by path is the todo`() async throws {
        let machine = try World().machine(["b.yaml": "id: a\ntext: B\n", "a.yaml": "id: A\ntext: A\n"])
        let report = try await machine.sync()
        #expect(report.pushedLines == ["insert a.yaml"])
        #expect(report.duplicates.map(\.path) == ["b.yaml"])
    }

    @Test func `files without base versions are linked by id`() async throws {
        let world = World()
        let files = [
            "same.yaml": "id: same\ntext: S\n", "comment.yaml": "id: comment\ntext: C\n",
            "differs.yaml": "id: differs\ntext: D\n", "moved.yaml": "id: moved\ntext: M\n",
            "theirs.yaml": "id: theirs\ntext: T\n",
        ]
        let other = try world.machine(files)
        try await other.sync()
        let machine = try world.machine(
            [
                "same.yaml": "id: same\ntext: S\n", "comment.yaml": "# mine\nid: comment\ntext: C\n",
                "differs.yaml": "id: differs\ntext: mine\n", "folder/moved.yaml": "id: moved\ntext: M\n",
                "mine.yaml": "id: mine\ntext: new\n",
            ], url: nil)
        try await machine.workspace.addRemote(World.url)

        let report = try await machine.pull()

        #expect(report.pulledLines == ["insert theirs.yaml"])
        #expect(report.conflicts.map(\.path) == ["differs.yaml"])
        #expect(report.conflictKinds == ["insert/insert"])
        let pending = try machine.status.pendingLines
        #expect(
            pending == [
                "update comment.yaml", "insert differs.yaml: text",
                "update folder/moved.yaml from moved.yaml",
                "insert mine.yaml: text",
            ])
        try machine.resolve(by: .use(.local))
        try await machine.sync()
        try await other.sync()
        #expect(other.files == machine.files)
        #expect(await world.remote.liveRecords().count == 6)
    }

    @Test func `a todo that is ignored now is not taken for deleted`()
        async throws
    {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n", "work/b.yaml": "id: b\ntext: B\n"])
        try await machine.sync()
        machine[".todosyncignore"] = "work/\n"
        try machine.folder.remove("work/b.yaml")
        #expect(try machine.status.pending.isEmpty)
        try await machine.sync()
        #expect(await world.remote.liveRecords().count == 2)
    }

    @Test func `a todo put back after both sides had deleted it is made again`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0]["a.yaml"] = nil
        try await machines[0].sync()
        machines[0]["a.yaml"] = "id: a\ntext: again\n"
        #expect(try machines[0].status.pendingLines == ["insert a.yaml: text"])
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1].files == ["a.yaml": "id: a\ntext: again\n"])
    }
}
