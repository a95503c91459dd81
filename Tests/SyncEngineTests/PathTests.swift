import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Files' paths: renames on both sides, todos that want the same path, and paths that can't be used here.
@Suite struct PathTests {
    private static let three = [
        "a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n", "c.yaml": "id: c\ntext: C\n",
    ]

    @Test(arguments: [
        Renames("a swap", ["a.yaml": "b.yaml", "b.yaml": "a.yaml"]),
        Renames("a chain", ["a.yaml": "b.yaml", "b.yaml": "c.yaml", "c.yaml": "d.yaml"]),
        Renames("a circle of three", ["a.yaml": "b.yaml", "b.yaml": "c.yaml", "c.yaml": "a.yaml"]),
        Renames(
            "into folders and back",
            ["a.yaml": "one/a.yaml", "b.yaml": "one/two/b.yaml", "c.yaml": "b.yaml"]),
    ])
    func `renames on one side just happen on the other`(_ renames: Renames) async throws {
        let world = World()
        let machines = try await world.machines(2, Self.three)
        machines[1].rename(renames.paths)
        // Both the side that renames and the other side also edit.
        machines[1].edit(renames.paths["a.yaml"] ?? "a.yaml", "text: A", "text: A1")
        try await machines[1].push()
        machines[0].edit("b.yaml", "text: B", "text: B\npriority: high")

        try await machines[0].sync()
        try await machines[1].sync()

        var expected: [String: String] = [:]
        for (path, text) in Self.three {
            expected[renames.paths[path] ?? path] =
                switch path {
                case "a.yaml": text.replacing("A", with: "A1")
                case "b.yaml": text + "priority: high\n"
                default: text
                }
        }
        #expect(machines[0].files == expected)
        #expect(machines[1].files == expected)
        #expect(try machines.allSatisfy { try $0.isClean })
    }

    @Test func `a path changed on both sides is the local one, which is sent`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].rename("a.yaml", to: "there.yaml")
        try await machines[1].push()
        machines[0].rename("a.yaml", to: "here.yaml")
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines.map { Array($0.files.keys) } == [["here.yaml"], ["here.yaml"]])
    }

    @Test(arguments: [["larger", "smaller"], ["smaller", "larger"]])
    func `of two todos that want one path the smaller id keeps it, on every machine`(_ order: [String])
        async throws
    {
        let ids = ["smaller": "aaaaaaaa-1", "larger": "bbbbbbbb-2"]
        let world = World()
        let machines = try await world.machines(3, [:])
        for (machine, name) in zip(machines, order) {
            machine["new.yaml"] = "id: \(ids[name] ?? "")\ntext: \(name)\n"
        }
        for _ in 0..<2 { for machine in machines { try await machine.sync() } }
        let expected = [
            "new.yaml": "id: aaaaaaaa-1\ntext: smaller\n",
            "new-bbbbbbbb.yaml": "id: bbbbbbbb-2\ntext: larger\n",
        ]
        for machine in machines {
            #expect(machine.files == expected)
            #expect(try machine.isClean)
        }
        let paths = await world.remote.liveRecords().map { $0.layout?.path }
        #expect(paths == ["new.yaml", "new-bbbbbbbb.yaml"])
    }

    @Test func `a rename onto a path that another todo has leaves both todos there`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0]["b.yaml"] = "id: b\ntext: B\n"
        try await machines[0].push()
        machines[1].rename("a.yaml", to: "b.yaml")
        try await machines[1].sync()
        try await machines[0].sync()
        try await machines[1].sync()
        let expected = ["b.yaml": "id: a\ntext: A\n", "b-b.yaml": "id: b\ntext: B\n"]
        #expect(machines[0].files == expected)
        #expect(machines[1].files == expected)
    }

    @Test func `a file that is no todo keeps its path, and the todo gets a name of this machine only`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].rename("a.yaml", to: "list.yaml")
        try await machines[1].push()
        machines[0]["list.yaml"] = "- no todo\n"

        try await machines[0].sync()

        #expect(machines[0].files == ["list.yaml": "- no todo\n", "list-a.yaml": "id: a\ntext: A\n"])
        #expect(try machines[0].isClean)
        #expect(await world.remote.record(id: "a")?.layout?.path == "list.yaml")
        // An edit is sent with the todo's own path.
        machines[0].edit("list-a.yaml", "A", "A1")
        try await machines[0].sync()
        #expect(await world.remote.record(id: "a")?.layout?.path == "list.yaml")
        try await machines[1].sync()
        #expect(machines[1].files == ["list.yaml": "id: a\ntext: A1\n"])
        // Once the path is free, the next incoming change moves the todo to it.
        machines[0]["list.yaml"] = nil
        machines[1].edit("list.yaml", "A1", "A2")
        try await machines[1].push()
        try await machines[0].sync()
        #expect(machines[0].files == ["list.yaml": "id: a\ntext: A2\n"])
        #expect(try machines[0].isClean)
    }

    @Test func `a name of this machine only is left by a pull without news, too, once the own path is free`()
        async throws
    {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0]["b.yaml"] = "- no todo\n"
        machines[1].rename("a.yaml", to: "b.yaml")
        try await machines[1].push()
        try await machines[0].pull()
        #expect(Set(machines[0].files.keys) == ["b.yaml", "b-a.yaml"])
        machines[0]["b.yaml"] = nil
        try await machines[0].pull()
        #expect(machines[0].files == machines[1].files)
        #expect(try machines[0].isClean)
    }

    @Test func `a name of this machine only that the user changes is a rename`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0]["list.yaml"] = "- no todo\n"
        machines[1].rename("a.yaml", to: "list.yaml")
        try await machines[1].push()
        try await machines[0].sync()
        machines[0].rename("list-a.yaml", to: "mine.yaml")
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1].files == ["mine.yaml": "id: a\ntext: A\n"])
    }

    @Test(arguments: ["pull", "set", "no id"])
    func `a name of this machine only is left by a rename, and by nothing else`(_ how: String) async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[0]["list.yaml"] = "- no todo\n"
        machines[1].rename("a.yaml", to: "list.yaml")
        try await machines[1].push()
        try await machines[0].sync()
        if how == "no id" {
            machines[0]["list-a.yaml"] = "text: A\n"
            try await machines[0].sync()
            #expect(machines[0]["list-a.yaml"] == "id: a\ntext: A\n")
            #expect(await world.remote.record(id: "a")?.layout?.path == "list.yaml")
        }
        machines[0].rename("list-a.yaml", to: "mine.yaml")
        if how == "set" {
            _ = try machines[0].workspace.change(["a"], set: [("owner", .string("me"))], unset: [])
        }
        if how == "pull" {
            machines[1].edit("list.yaml", "A", "A\nowner: me")
            try await machines[1].push()
            try await machines[0].pull()
        }
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(Array(machines[1].files.keys) == ["mine.yaml"])
    }

    @Test(arguments: [
        "../outside.yaml", "/outside.yaml", "a/../../outside.yaml", ".hidden.yaml", ".hidden/a.yaml",
        ".todosync/config.yaml", "ignored/a.yaml", "plain.txt", "folder/", "", "a//b.yaml", "a/./b.yaml",
        "..",
        "escape\u{1B}[2J.yaml", "nul\0.yaml", String(repeating: "n", count: 300) + ".yaml",
        String(repeating: "d/", count: 200) + "deep.yaml", "linked/a.yaml", "file.txt/a.yaml",
        "todo.yaml/a.yaml",
        ".yaml", "-.yaml",
    ])
    func `a path from the remote that is unusable here becomes a name of this machine only`(_ path: String)
        async throws
    {
        let world = World()
        let machine = try world.machine([
            ".todosyncignore": "ignored/\n", "file.txt": "mine\n", "todo.yaml": "id: t\ntext: T\n",
        ])
        try machine.folder.link("linked", to: "/tmp")
        try await machine.sync()
        let layout = Layout(path: path, yaml: "id: a-todo-id\ntext: A\n")
        let fields: Mapping = ["text": .string("A")]
        await world.remote.put(
            RemoteRecord(id: "a-todo-id", version: Version(""), fields: fields, layout: layout))

        let report = try await machine.pull()

        #expect(report.pulled.count == 1)
        #expect(report.held.waiting.isEmpty)
        let files = machine.files
        #expect(files.count == 3)
        let file = try #require(files.first { $0.value == layout.yaml })
        #expect(PathRules.problem(with: file.key) == nil)
        #expect(files["file.txt"] == "mine\n")
        #expect(try machine.isClean, "a name of this machine only is not pushed")
        machine.edit(file.key, "text: A", "text: A1")
        try await machine.sync()
        #expect(await world.remote.record(id: "a-todo-id")?.layout?.path == path)
        await world.remote.put(id: "a-todo-id", fields: ["text": .string("A2")])
        try await machine.sync()
        #expect(machine[file.key] == "id: a-todo-id\ntext: A2\n", "the name stays")
    }

    @Test func `a todo that no name in this folder would include waits outside, and is not lost`()
        async throws
    {
        let world = World()
        let other = try world.machine(["home/a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        try await other.sync()
        let machine = try world.machine(include: ["work/**"])

        let report = try await machine.pull()

        #expect(machine.files.isEmpty)
        // The folder's configuration leaves these todos out, so nothing waits for the user.
        #expect(report.held.waiting.isEmpty)
        #expect(!report.needsUser)
        other.rename("home/a.yaml", to: "work/a.yaml")
        try await other.sync()
        try await machine.sync()
        #expect(machine.files == ["work/a.yaml": "id: a\ntext: A\n"])
    }

    @Test func `a folder that todosync emptied is removed, one that the user emptied stays`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["one/two/a.yaml": "id: a\ntext: A\n"])
        try machines[0].folder.makeFolder("mine")
        machines[1].rename("one/two/a.yaml", to: "a.yaml")
        try await machines[1].push()
        try await machines[0].pull()
        #expect(!machines[0].folder.exists("one"))
        #expect(machines[0].folder.exists("mine"))
    }

    @Test func `a record without a path gets the slug of its text, which is not sent by itself`() async throws
    {
        let world = World()
        let machine = try world.machine()
        await world.remote.put(id: "x1", fields: ["text": .string("Buy milk, now!")])
        await world.remote.put(id: "x2", fields: ["text": .string("Buy milk, now!")])
        try await machine.sync()
        #expect(Set(machine.files.keys) == ["buy-milk-now.yaml", "buy-milk-now-x2.yaml"])
        #expect(try machine.isClean)
        #expect(await world.remote.record(id: "x1")?.layout == nil)
        machine.edit("buy-milk-now.yaml", "Buy milk, now!", "Buy oat milk")
        try await machine.sync()
        #expect(await world.remote.record(id: "x1")?.layout?.path == "buy-milk-now.yaml")
    }
}

extension PathTests {
    struct Renames: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var paths: [String: String]

        init(_ testDescription: String, _ paths: [String: String]) {
            self.testDescription = testDescription
            self.paths = paths
        }
    }
}

extension Machine {
    /// Renames files all at once.
    func rename(_ paths: [String: String]) {
        let contents = paths.keys.map { ($0, self[$0]) }
        for path in paths.keys { self[path] = nil }
        for (path, content) in contents { if let newPath = paths[path] { self[newPath] = content } }
    }
}
