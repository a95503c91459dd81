import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Undoing commands.
@Suite(.serialized) struct UndoTests {
    @Test func `what an editor made of a file that todosync opened is logged, and can be undone`()
        async throws
    {
        let machine = try await World().machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        let before = try machine.workspace.locate("a.yaml")
        machine.edit("a.yaml", "A", "edited")
        try machine.workspace.logEdit(of: before)
        let entry = try #require(try machine.workspace.log("a.yaml").first)
        #expect(entry.todos.map(\.state) == [.pending])
        _ = try machine.workspace.undo(entry.operation)
        #expect(machine["a.yaml"] == "id: a\ntext: A\n")
        #expect(try machine.isClean)
    }

    // MARK: Laws

    @Test(arguments: Scene.all)
    func `an undo gives every file its old bytes, and an undo of the undo gives the new ones`(
        _ scene: Scene
    ) async throws {
        let machine = try await scene.prepare(World())
        let before = try Sight(machine)
        try await scene.command(machine)
        let after = try Sight(machine)
        #expect(
            before.files != after.files || before.conflicts != after.conflicts, "the scene does something")
        let report = try machine.undoNewest()
        #expect(report.refused == [])
        #expect(try Sight(machine) == before)
        let undo = try machine.workspace.log(nil)[0]
        #expect(undo.undoes == report.operation?.operation)
        _ = try machine.workspace.undo(undo.operation)
        #expect(try Sight(machine) == after)
        // The operation is in force again, so the next undo takes it back.
        let again = try machine.undoNewest()
        #expect(again.operation?.operation == report.operation?.operation)
        #expect(try Sight(machine) == before)
    }

    @Test(.covers(["a scene without conflicts": 37, "a file that is synced": 62]), arguments: Scene.all)
    func `an undo can be synced, and the remote then has what was before`(_ scene: Scene) async throws {
        let world = World()
        let machine = try await scene.prepare(world)
        try await scene.command(machine)
        let undone = try machine.undoNewest().undone
        guard try machine.status.conflicts == [] else { return }
        cover("a scene without conflicts")
        let files = machine.files
        try await machine.sync(.use(.local))
        #expect(try machine.status.pending == [])
        // A file without an id gets a new one.
        for todo in undone where files[todo.path]?.contains("id: ") ?? true {
            cover("a file that is synced", files[todo.path] != nil)
            #expect(machine[todo.path] == files[todo.path], "\(todo.path)")
        }
        let other = try world.machine()
        try await other.pull()
        #expect(Set(other.files.values) == Set(machine.files.values))
    }

    @Test(arguments: Scene.all.indices)
    func `a crash in an undo loses nothing, and the next run makes it good`(_ index: Int) async throws {
        let world = World()
        let scene = Scene.all[index]
        let template = try await scene.prepare(world)
        try await scene.command(template)
        let done = try Sight(template)
        let newest = try template.newestOperation
        let step = PropertySeeds.isLongRun ? 1 : 29
        var number = index % step
        var isDone = false
        while !isDone {
            number += step
            let folder = try TemporaryFolder(copyOf: template.folder)
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: 5)
            _ = try? world.workspace(at: folder, failing).undo(newest)
            isDone = failing.calls < number
            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            // For a file without an id, which has no record, only the journal shows whether the undo began.
            let hasBegun = folder.read(".todosync/journal")?.contains(#""record":"undoes""#) == true
            // If the undo began, it is finished or can be repeated; otherwise, nothing has changed.
            let target = try #require(try machine.workspace.log(nil).first { $0.undoes == nil }).operation
            if !hasBegun { #expect(try Sight(machine) == done, "at call \(number)") }
            _ = try machine.workspace.undo(target)
            #expect(try Sight(machine) == (try undoneSight(template, world)), "at call \(number)")
        }
        #expect(number > 10)
    }

    private func undoneSight(_ template: Machine, _ world: World) throws -> Sight {
        let folder = try TemporaryFolder(copyOf: template.folder)
        let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
        _ = try machine.undoNewest()
        return try Sight(machine)
    }

    /// What a user sees of a working directory.
    struct Sight: Equatable {
        var files: [String: String]
        var conflicts: [String]
        var invalid: [String]

        init(_ machine: Machine) throws {
            files = machine.files
            let status = try machine.status
            conflicts = status.conflicts.map { "\($0.kind.rawValue) \($0.path) \($0.fields)" }
            invalid = status.invalid.map(\.path)
        }
    }

    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var prepare: @Sendable (World) async throws -> Machine
        var command: @Sendable (Machine) async throws -> Void
    }

    // MARK: Later changes

    @Test func `what was changed since stays, in the same todo and in others`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        _ = try machine.workspace.change(["a", "b"], set: [("priority", .string("high"))], unset: [])
        machine.edit("a.yaml", "text: A", "text: later # note")
        machine["c.yaml"] = "text: C\n"
        _ = try machine.workspace.undo(nil)
        #expect(
            machine.files == [
                "a.yaml": "id: a\ntext: later # note\n", "b.yaml": "id: b\ntext: B\n", "c.yaml": "text: C\n",
            ])
    }

    @Test func `a field that was changed again is left, and so is its todo`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        _ = try machine.workspace.change(
            ["a", "b"], set: [("priority", .string("high")), ("n", .string("x"))], unset: [])
        let first = try machine.workspace.log(nil)[0].operation
        try machine.set("a.yaml", "priority", "low")
        let report = try machine.workspace.undo(first)
        #expect(report.refused.map(\.path) == ["a.yaml"])
        #expect(report.undone.map(\.path) == ["b.yaml"])
        #expect(machine["a.yaml"] == "id: a\ntext: A\npriority: low\nn: x\n")
        #expect(machine["b.yaml"] == "id: b\ntext: B\n")
    }

    @Test func `a new todo that was edited since stays`() throws {
        let machine = try World().machine()
        let path = try machine.workspace.add(NewTodo(text: "Milk", fields: [:], path: nil))
        machine.edit(path, "Milk", "Oat milk")
        let report = try machine.workspace.undo(nil)
        #expect(report.refused.map(\.path) == [path] && report.undone == [])
        #expect(machine[path]?.contains("Oat milk") == true)
        // An undo that did nothing leaves the operation to be undone.
        #expect(try machine.workspace.undo(nil).operation == report.operation)
    }

    @Test func `what undoes nothing is not recorded`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        let path = try machine.workspace.add(NewTodo(text: "Milk", fields: [:], path: nil))
        let text = machine[path]
        machine[path] = nil
        let journal = machine.folder.read(".todosync/journal")
        for _ in 0..<2 {
            let report = try machine.workspace.undo(nil)
            #expect(report.operation != nil && report.undone == [] && report.refused == [])
        }
        #expect(machine.folder.read(".todosync/journal") == journal)
        // An editor has written the file again.
        machine[path] = text
        #expect(try machine.workspace.undo(nil).undone.map(\.operation) == [.delete])
        #expect(machine[path] == nil)
    }

    @Test func `the log shows what undoes what, and only as long as it is in force`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try machine.set("a.yaml", "n", "1")
        func entries() throws -> [LogEntry] { try machine.workspace.log(nil) }
        #expect(try entries().map(\.undoneBy) == [nil])
        _ = try machine.workspace.undo(nil)
        var log = try entries()
        #expect(log.map(\.undoes) == [log[1].operation, nil])
        #expect(log.map(\.undoneBy) == [nil, log[0].operation])
        _ = try machine.workspace.redo()
        log = try entries()
        #expect(log.map(\.undoes) == [log[1].operation, log[2].operation, nil])
        #expect(log.map(\.undoneBy) == [nil, log[0].operation, nil])
        _ = try machine.workspace.undo(nil)
        log = try entries()
        #expect(log.map(\.undoneBy) == [nil, nil, log[1].operation, log[0].operation])
    }

    @Test func `a todo that was deleted or came back since is left as it is`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try machine.set("a.yaml", "n", "1")
        let change = try machine.workspace.log(nil)[0].operation
        machine["a.yaml"] = nil
        #expect(try machine.workspace.undo(change).refused.count == 1)
        machine["a.yaml"] = "id: a\ntext: A\nn: '1'\n"
        _ = try machine.workspace.remove(["a"])
        let removal = try machine.workspace.log(nil)[0].operation
        machine["elsewhere.yaml"] = "id: a\ntext: another\n"
        #expect(try machine.workspace.undo(removal).refused.count == 1)
        #expect(machine.files == ["elsewhere.yaml": "id: a\ntext: another\n"])
    }

    @Test func `a deleted todo comes back beside what has its path now`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        _ = try machine.workspace.remove(["a"])
        machine["a.yaml"] = "id: b\ntext: B\n"
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == ["a.yaml": "id: b\ntext: B\n", "a-a.yaml": "id: a\ntext: A\n"])
    }

    @Test func `a move is undone where the old path is free, and the text in any case`() async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        let (here, there) = (machines[0], machines[1])
        there.rename("a.yaml", to: "folder/a.yaml")
        there.edit("folder/a.yaml", "text: A", "text: there")
        there.rename("b.yaml", to: "c.yaml")
        try await there.push()
        try await here.pull()
        here["a.yaml"] = "text: new\n"
        _ = try here.undoNewest()
        #expect(
            here.files == [
                "a.yaml": "text: new\n", "folder/a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n",
            ])
    }

    @Test func `an open conflict is unchanged, and resolve named`() async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].edit("a.yaml", "A", "there")
        try await machines[1].push()
        machines[0].edit("a.yaml", "A", "here")
        try await machines[0].pull()
        let content = machines[0]["a.yaml"]
        let report = try machines[0].undoNewest()
        #expect(report.refused.map { $0.reason.contains("resolve") } == [true])
        #expect(machines[0]["a.yaml"] == content)
    }

    @Test func `a push that changed no file restores none, and leaves nothing in the log`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.push()
        let push = try machine.workspace.log(nil)[0].operation
        let report = try machine.workspace.undo(push)
        #expect(report.undone == [] && report.refused.map(\.path) == ["a.yaml"])
        #expect(try machine.workspace.undo(nil).operation == nil)
        #expect(try machine.workspace.log(nil).count == 1)
    }

    @Test func `without a name, an undo reverses what the user did, and nothing that a pull applied`()
        async throws
    {
        let machines = try await World().machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        let (here, there) = (machines[1], machines[0])
        there.edit("b.yaml", "B", "there")
        try await there.push()
        _ = try here.workspace.remove(["a.yaml"])
        try await here.sync()
        #expect(here.files == ["b.yaml": "id: b\ntext: there\n"])
        let report = try here.workspace.undo(nil)
        #expect(report.undone.map(\.path) == ["a.yaml"])
        #expect(here.files == ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: there\n"])
        #expect(try here.status.pendingLines == ["insert a.yaml: text"])
        #expect(try here.workspace.undo(nil).operation == nil)
        // An operation that is named is undone completely.
        let pulled = try #require(try here.workspace.log("b.yaml").first)
        _ = try here.workspace.undo(pulled.operation)
        #expect(here["b.yaml"] == "id: b\ntext: B\n")
    }

    @Test(arguments: [Side.local, .base])
    func `an edit that kept a todo alive is undone without deleting it`(_ side: Side) async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\nn: x\n"])
        let (here, there) = (machines[1], machines[0])
        there["a.yaml"] = nil
        try await there.push()
        try here.set("a.yaml", "n", "new")
        var options = SyncOptions()
        options.handler = .program { _ in .take(side) }
        _ = try await here.workspace.sync(options)
        #expect(here["a.yaml"] == "id: a\ntext: A\nn: \(side == .local ? "new" : "x")\n")
        let report = try here.workspace.undo(nil)
        #expect(report.undone.map(\.operation) == (side == .local ? [.update] : []))
        #expect(here["a.yaml"] == "id: a\ntext: A\nn: x\n")
    }

    @Test func `undo after undo goes back step by step`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        var contents: [String?] = []
        for number in 0..<5 {
            contents.append(machine["a.yaml"])
            try machine.set("a.yaml", "n\(number)", "x")
        }
        for content in contents.reversed() {
            _ = try machine.workspace.undo(nil)
            #expect(machine["a.yaml"] == content)
        }
        #expect(try machine.workspace.undo(nil).operation == nil)
        #expect(try machine.workspace.log(nil).allSatisfy { $0.todos.allSatisfy { $0.state == .undone } })
    }

    @Test func `a tracked file that was pushed keeps its id`() async throws {
        let machine = try World().machine(["a.yaml": "text: A\n"])
        _ = try machine.workspace.track(["a.yaml"])
        try await machine.push()
        let content = machine["a.yaml"]
        #expect(try machine.workspace.undo(nil).refused.count == 1)
        #expect(machine["a.yaml"] == content)
    }

    @Test func `an editor that saves during an undo keeps its text`() throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try machine.set("a.yaml", "n", "1")
        let saving = FailingFileSystem { [folder = machine.folder] call throws(FileError) in
            if call.operation == .rename { try? folder.save("id: a\ntext: saved\nn: 1\n", to: "a.yaml") }
        }
        let report = try world.workspace(at: machine.folder, saving).undo(nil)
        #expect(report.undone == [])
        #expect(machine["a.yaml"] == "id: a\ntext: saved\nn: 1\n")
    }
}

extension UndoTests.Scene {
    private static let files = [
        "a.yaml": "# note\nid: a\ntext: 'A'   # one\ntags: [x]\r\n", "b.yaml": "id: b\ntext: B",
        "c.yaml": "id: c\ntext: C\nnotes: |\n  one\n  two\n", "d/d.yaml": "id: d\ntext: D\n",
    ]

    /// Makes a machine with edits, and a remote with changes of every kind.
    private static let news: @Sendable (World) async throws -> Machine = { world in
        let machines = try await world.machines(2, files)
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "[x]", "[x, y]")
        there["b.yaml"] = nil
        there.edit("c.yaml", "two", "TWO")
        there.rename("c.yaml", to: "moved/c.yaml")
        there["new.yaml"] = "id: new\ntext: new\n"
        try await there.push()
        here.edit("a.yaml", "[x]", "[x, z]")
        here.edit("c.yaml", "text: C", "text: CC  # here")
        return here
    }

    private static let conflicts: @Sendable (World) async throws -> Machine = { world in
        let machines = try await world.machines(2, files)
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "'A'", "there")
        there["b.yaml"] = nil
        there.edit("d/d.yaml", "D", "there")
        there["e.yaml"] = "id: e\ntext: there\n"
        try await there.push()
        here.edit("a.yaml", "'A'", "here")
        here.edit("b.yaml", "B", "here")
        here["d/d.yaml"] = nil
        here["e.yaml"] = "id: e\ntext: here\n"
        try await here.pull()
        return here
    }

    static let all: [Self] = [
        Self(testDescription: "set", prepare: { try $0.machine(files) }) {
            _ = try $0.workspace.change(["a", "b"], set: [("n", .string("1"))], unset: ["tags"])
        },
        Self(testDescription: "set, pushed before", prepare: { try await $0.machines(1, files)[0] }) {
            _ = try $0.workspace.change(["a", "c"], set: [("text", .string("new"))], unset: [])
        },
        Self(testDescription: "add", prepare: { try $0.machine(files) }) {
            _ = try $0.workspace.add(NewTodo(text: "Milk", fields: [:], path: nil))
        },
        Self(
            testDescription: "add files",
            prepare: { try $0.machine(["a.yaml": "text: A\n", "b.yaml": "id: b\ntext: B\n"]) }
        ) {
            _ = try $0.workspace.track(["a.yaml", "b.yaml"])
        },
        Self(testDescription: "rm", prepare: { try await $0.machines(1, files)[0] }) {
            _ = try $0.workspace.remove(["a", "b", "d"])
        },
        Self(testDescription: "rm of new todos", prepare: { try $0.machine(files) }) {
            _ = try $0.workspace.remove(["a", "d"])
        },
        Self(
            testDescription: "rm of a file without an id",
            prepare: { try $0.machine(["new.yaml": "text: new # note\r\n", "b.yaml": "id: b\ntext: B\n"]) }
        ) {
            _ = try $0.workspace.remove(["new.yaml"])
        },
        Self(testDescription: "pull", prepare: news) { try await $0.pull() },
        Self(testDescription: "push that merged", prepare: news) { try await $0.push() },
        Self(testDescription: "sync", prepare: news) { try await $0.sync() },
        Self(
            testDescription: "pull of a swap",
            prepare: { world in
                let machines = try await world.machines(2, files)
                let (a, b) = (machines[1]["a.yaml"], machines[1]["b.yaml"])
                (machines[1]["a.yaml"], machines[1]["b.yaml"]) = (b, a)
                try await machines[1].push()
                return machines[0]
            }
        ) { try await $0.pull() },
        Self(testDescription: "resolve with local", prepare: conflicts) { try $0.resolve(by: .use(.local)) },
        Self(testDescription: "resolve with remote", prepare: conflicts) {
            try $0.resolve(by: .use(.remote))
        },
        Self(testDescription: "abort", prepare: conflicts) { try $0.resolve(by: .abort) },
        Self(
            testDescription: "resolve as it is",
            prepare: { world in
                let machine = try await conflicts(world)
                machine["a.yaml"] = "id: a\ntext: my answer"
                return machine
            }
        ) { try $0.resolve("a") },
        Self(
            testDescription: "restore",
            prepare: { world in
                let machine = try world.machine(files)
                try machine.set("a.yaml", "n", "1")
                return machine
            }
        ) { _ = try $0.workspace.restore("a", to: try $0.workspace.log(nil)[0].operation + "^") },
    ]
}
