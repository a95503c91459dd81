import LosslessYAML
import Platform
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Files and todos that are left alone: they are neither sent nor deleted, and don't stop a command.
@Suite struct UnchangedFileTests {
    @Test(arguments: [".a.yaml", ".hidden/a.yaml", "ignored/a.yaml", "x.draft.yaml"])
    func `a todo that is moved to where it is ignored is not deleted`(_ path: String) async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", ".todosyncignore": "ignored/\n*.draft.yaml\n"])
        machines[0].rename("a.yaml", to: path)
        #expect(try machines[0].isClean)
        #expect(try await machines[0].push().pushed.isEmpty)
        machines[1].edit("a.yaml", "A", "B")
        try await machines[1].push()
        // The remote's change waits; it needs the user's attention unless the user's rules name the file.
        let report = try await machines[0].sync()
        #expect(report.needsUser == path.hasPrefix(".") && machines[0]["a.yaml"] == nil)
        #expect(try machines[0].isClean == !report.needsUser)
        machines[0].rename(path, to: "a.yaml")
        try await machines[0].sync()
        #expect(machines[0]["a.yaml"] == "id: a\ntext: B\n")
    }

    @Test func `a todo that is removed for good is deleted, though others are hidden`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        try await machine.sync()
        machine.rename("a.yaml", to: ".a.yaml")
        machine["b.yaml"] = nil
        #expect(try await machine.push().pushed.map(\.path) == ["b.yaml"])
    }

    @Test(arguments: ["id: a\npriority: high\n", "id: a\nte", "id: a\n- [\n"])
    func `a todo that was renamed and is half-written is not deleted`(_ text: String) async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0]["a.yaml"] = nil
        machines[0]["b.yaml"] = text
        #expect(try machines[0].workspace.status().invalid.map(\.path) == ["b.yaml"])
        #expect(try await machines[0].push().pushed.isEmpty)
        machines[0]["b.yaml"] = "id: a\ntext: B\n"
        #expect(try await machines[0].push().pushed.map(\.path) == ["b.yaml"])
    }

    @Test func `the file of a conflict that was renamed and has no text is not gone`() async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0]["a.yaml"] = nil
        machines[1].edit("a.yaml", "A", "B")
        try await machines[1].push()
        try await machines[0].pull()
        machines[0]["a.yaml"] = nil
        machines[0]["b.yaml"] = "id: a\n# mine\npriority: high\n"
        let status = try machines[0].workspace.status()
        #expect(status.conflicts.map(\.path) == ["b.yaml"])
        #expect(status.ignored.isEmpty)
        #expect(try machines[0].workspace.resolve([], .file).unresolved.map(\.path) == ["b.yaml"])
    }

    @Test func `other YAML with the id of a todo that has its file is ignored`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "b.yml": "id: a\nsize: 1\n"])
        try await machine.sync()
        let status = try machine.workspace.status()
        #expect(status.ignored.map(\.path) == ["b.yml"])
        #expect(status.invalid.isEmpty && status.pending.isEmpty)
    }

    @Test func `other YAML is listed as ignored`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "compose.yml": "services: {}\n"])
        #expect(try machine.workspace.status().ignored.map(\.path) == ["compose.yml"])
    }

    @Test func `a new todo goes where the folder takes todos`() throws {
        let world = World()
        let machine = try world.machine(include: ["*.txt", "todos/**/*.yaml"])
        let path = try machine.workspace.add(NewTodo(text: "Milk", fields: [:], path: nil))
        #expect(path == "todos/milk.yaml")
        machine[".todosyncignore"] = "beer*\n"
        #expect(throws: EngineError.self) {
            try machine.workspace.add(NewTodo(text: "Beer", fields: [:], path: nil))
        }
    }

    @Test func `an invalid todo that is named is named back`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.sync()
        machine["a.yaml"] = "id: a\ntext: [\n"
        for name in ["a.yaml", "a"] {
            await #expect(throws: EngineError.self) { try await machine.push(todos: [name]) }
        }
    }

    @Test func `a dry run resolves conflicts as the run itself would`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0].edit("a.yaml", "A", "B")
        try await machines[0].push()
        machines[1].edit("a.yaml", "A", "C")
        let options = SyncOptions(policy: .use(.local), isDryRun: true)
        let report = try await machines[1].workspace.sync(options)
        #expect(report.conflicts.isEmpty && !report.needsUser && report.pushed.map(\.path) == ["a.yaml"])
        #expect(machines[1]["a.yaml"] == "id: a\ntext: C\n")
    }

    @Test func `a separator that was left over is reported as a marker`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0].edit("a.yaml", "A", "B")
        try await machines[0].push()
        machines[1].edit("a.yaml", "A", "C")
        try await machines[1].push()
        machines[1]["a.yaml"] = "id: a\ntext: B\n=======\ntext: C\n"
        let unresolved = try machines[1].resolve().unresolved
        #expect(unresolved.map(\.line) == [3] && unresolved.map(\.column) == [1])
        machines[1]["a.yaml"] = nil
        #expect(try machines[1].workspace.status().conflicts.map(\.isFileGone) == [true])
    }

    @Test func `a conflict whose file is ignored is not reported as one whose file is gone`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["sub/a.yaml": "id: a\ntext: A\n"])
        machines[0].edit("sub/a.yaml", "A", "B")
        try await machines[0].push()
        machines[1].edit("sub/a.yaml", "A", "C")
        try await machines[1].push()
        let text = machines[1]["sub/a.yaml"]
        machines[1][".todosyncignore"] = "sub/\n"
        let conflict = try #require(try machines[1].status.conflicts.first)
        #expect(conflict.isFileUnseen && !conflict.isFileGone)
        for resolution in [Resolution.file, .use(.local)] {
            let unresolved = try machines[1].resolve("a", by: resolution).unresolved
            #expect(unresolved.map { $0.reason.contains("can't be seen") } == [true])
        }
        #expect(try machines[1].resolve().unresolved.map { $0.reason.contains("can't be seen") } == [true])
        #expect(machines[1]["sub/a.yaml"] == text)
        machines[1][".todosyncignore"] = nil
        #expect(try machines[1].resolve("a", by: .use(.local)).unresolved.isEmpty)
    }

    @Test(arguments: [".todosyncignore", "sub/.todosyncignore", ".todosync/config.yaml", "sub/.todosync/x"])
    func `the prompt counts no change of a todo that a scan skips`(_ path: String) async throws {
        let machine = try await World().machines(
            1, ["sub/a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])[0]
        try machine.set("sub/a.yaml", "n", "1")
        try machine.set("b.yaml", "n", "1")
        #expect(try Glance(of: machine.workspace).pending == 2)
        let texts = [".todosync/config.yaml": "include: [b.yaml]\n"]
        machine[path] = (machine[path] ?? "") + (texts[path] ?? "a.yaml\n")
        let status = try machine.status
        let glance = try Glance(of: machine.workspace)
        #expect(status.pending.map(\.path) == ["b.yaml"] && glance.pending == 1)
        #expect(glance.waiting == status.held.waiting.count)
    }

    @Test func `a todo whose file can't be read is reported`() async throws {
        let world = World()
        let machine = try await world.machines(
            1, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])[0]
        machine.edit("a.yaml", "A", "edited")
        let failing = FailingFileSystem { call throws(FileError) in
            guard call.operation == .open, call.name == "a.yaml" else { return }
            throw FileError(.open, call.name, code: EACCES)
        }
        let workspace = world.workspace(at: machine.folder, failing)
        let reason = "can't open a.yaml: permission denied"
        #expect(try workspace.status().held.waiting.map(\.message) == [reason])
        let report = try await workspace.sync(SyncOptions())
        #expect(report.pushed.isEmpty && report.needsUser && report.held.waiting.map(\.message) == [reason])
        let warning = "warning: can't open a.yaml: permission denied; todosync ignores it"
        #expect(world.notices == [warning, warning])
        try await machine.push()
        #expect(world.notices.count == 2)
    }
}
