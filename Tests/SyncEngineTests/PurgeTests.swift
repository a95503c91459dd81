import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Done todos that a folder doesn't keep, although the remote does.
@Suite struct PurgeTests {
    private static let done = "id: done\ntext: Done\ncomplete: true\n"
    private static let open = "id: open\ntext: Open\n"

    private func machines(_ count: Int = 2) async throws -> (World, [Machine]) {
        let world = World()
        return (world, try await world.machines(count, ["done.yaml": Self.done, "open.yaml": Self.open]))
    }

    @Test func `a purged todo is on the remote and elsewhere, and nothing is pending`() async throws {
        let (world, machines) = try await machines()
        let report = try machines[0].workspace.purge(PurgeOptions())
        #expect(report.todos.map(\.path) == ["done.yaml"])
        #expect(machines[0].files == ["open.yaml": Self.open])
        #expect(try machines[0].isClean)
        let sync = try await machines[0].sync()
        #expect(sync.pushedLines.isEmpty && sync.pulledLines.isEmpty && sync.pending == 0)
        try await machines[1].sync()
        #expect(machines[1].files["done.yaml"] == Self.done)
        #expect(await world.remote.liveRecords().count == 2)
        #expect(try machines[0].workspace.list().map(\.path) == ["open.yaml"])
    }

    @Test func `a purge is undone by its option, by undo, and by hand`() async throws {
        let ways: [(Machine) throws -> Void] = [
            { _ = try $0.workspace.undoPurge([]) },
            { _ = try $0.workspace.undoPurge(["done.yaml"]) },
            { _ = try $0.workspace.undoPurge(["done"]) },
            { _ = try $0.workspace.undo(nil) },
            { $0["done.yaml"] = Self.done },
            // An editor writes back an old buffer.
            { $0["done.yaml"] = "text: Done\ncomplete: true\n" },
        ]
        for (number, undo) in ways.enumerated() {
            let (_, machines) = try await machines()
            _ = try machines[0].workspace.purge(PurgeOptions())
            try undo(machines[0])
            #expect(try machines[0].isClean, "way \(number)")
            try await machines[0].sync()
            #expect(machines[0].files == ["done.yaml": Self.done, "open.yaml": Self.open], "way \(number)")
            // The folder keeps the todo again, so removing its file is a delete.
            machines[0]["done.yaml"] = nil
            #expect(try machines[0].status.pendingLines == ["delete done.yaml"], "way \(number)")
        }
    }

    @Test func `another text at a purged todo's path is a new todo`() async throws {
        let (world, machines) = try await machines()
        _ = try machines[0].workspace.purge(PurgeOptions())
        machines[0]["done.yaml"] = "text: Again\n"
        #expect(try machines[0].status.pendingLines == ["insert done.yaml: text"])
        try await machines[0].sync()
        let texts = await world.remote.liveRecords().compactMap { $0.fields["text"] }
        #expect(Set(texts) == [.string("Done"), .string("Open"), .string("Again")])
    }

    @Test func `a file that git puts back and removes again deletes nothing`() async throws {
        let folders = try await GitFolders(["t1", "t2", "t3"])
        let ann = folders.ann
        _ = try ann.workspace.change(["t1"], set: [("complete", .bool(true))], unset: [])
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("commit", "-q", "-a", "-m", "done")
        try ann.git("rm", "-q", "--cached", "t1.yaml")
        try ann.git("commit", "-q", "-m", "untracked")
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(try ann.workspace.purge(PurgeOptions()).todos.map(\.name) == ["t1"])
        for target in ["HEAD~1", "main", "HEAD~1", "main"] {
            try ann.git("checkout", "-q", target)
            #expect(try await ann.workspace.sync(SyncOptions()).pushed == [], "\(target)")
        }
        #expect(await folders.remote("t1", "text") == "a")
        #expect(try ann.workspace.undoPurge([]).todos.map(\.name) == ["t1"])
    }

    @Test func `redo purges again instead of deleting`() async throws {
        let (world, machines) = try await machines()
        _ = try machines[0].workspace.purge(PurgeOptions())
        _ = try machines[0].workspace.undo(nil)
        _ = try machines[0].workspace.redo()
        #expect(machines[0].files == ["open.yaml": Self.open])
        try await machines[0].sync()
        #expect(await world.remote.liveRecords().count == 2)
        _ = try machines[0].workspace.undoPurge([])
        #expect(machines[0].files["done.yaml"] == Self.done)
    }

    @Test func `the undo of an undone purge purges again, unless the todo was edited`() async throws {
        let (_, machines) = try await machines()
        _ = try machines[0].workspace.purge(PurgeOptions())
        _ = try machines[0].workspace.undoPurge([])
        machines[0].edit("done.yaml", "text: Done", "text: edited")
        #expect(try machines[0].workspace.undo(nil).refused.count == 1)
        machines[0].edit("done.yaml", "text: edited", "text: Done")
        #expect(try machines[0].workspace.undo(nil).undone.count == 1)
        #expect(machines[0].files == ["open.yaml": Self.open])
        #expect(try machines[0].isClean)
    }

    struct Remote: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (Machine) -> Void
        /// The files that a pull brings to the folder that doesn't keep the todo.
        var brought: [String: String]
        /// The todo's files once the purge is undone.
        var kept: [String: String]
    }

    @Test(arguments: [
        Remote(
            testDescription: "an edit of a done todo", change: { $0.edit("done.yaml", "Done", "edited") },
            brought: [:], kept: ["done.yaml": "id: done\ntext: edited\ncomplete: true\n"]),
        Remote(
            testDescription: "a rename", change: { $0.rename("done.yaml", to: "old/done.yaml") },
            brought: [:], kept: ["old/done.yaml": Self.done]),
        Remote(
            testDescription: "a delete", change: { $0["done.yaml"] = nil }, brought: [:], kept: [:]),
        Remote(
            testDescription: "an open todo",
            change: { $0.edit("done.yaml", "complete: true", "due: 2026-12-01") },
            brought: ["done.yaml": "id: done\ntext: Done\ndue: 2026-12-01\n"],
            kept: ["done.yaml": "id: done\ntext: Done\ndue: 2026-12-01\n"]),
        Remote(
            testDescription: "an open todo elsewhere",
            change: {
                $0.rename("done.yaml", to: "again.yaml")
                $0.edit("again.yaml", "complete: true", "complete: false")
            },
            brought: ["again.yaml": "id: done\ntext: Done\ncomplete: false\n"],
            kept: ["again.yaml": "id: done\ntext: Done\ncomplete: false\n"]),
    ])
    func `only an open todo comes back, and other versions are remembered`(_ remote: Remote) async throws {
        for verb in Verb.allCases where verb != .push {
            let (_, machines) = try await machines()
            _ = try machines[0].workspace.purge(PurgeOptions())
            remote.change(machines[1])
            try await machines[1].sync()
            let foreseen = try await machines[0].workspace.pull(SyncOptions(isDryRun: true))
            #expect(foreseen.pulled.map(\.path) == Array(remote.brought.keys))
            let report = try await machines[0].run(verb)
            #expect(report.pulled.map(\.path) == Array(remote.brought.keys))
            #expect(report.conflicts.isEmpty)
            #expect(machines[0].files == remote.brought.merging(["open.yaml": Self.open]) { $1 })
            #expect(try machines[0].isClean)
            #expect(try await machines[0].sync().pushed.isEmpty)
            _ = try machines[0].workspace.undoPurge([])
            #expect(machines[0].files == remote.kept.merging(["open.yaml": Self.open]) { $1 })
            #expect(try machines[0].isClean)
            #expect(try await machines[0].sync().pushed.isEmpty)
        }
    }

    @Test func `a renamed todo that is opened later comes back where it is now`() async throws {
        let (_, machines) = try await machines()
        _ = try machines[0].workspace.purge(PurgeOptions())
        machines[1].rename("done.yaml", to: "moved.yaml")
        try await machines[1].sync()
        try await machines[0].sync()
        machines[1].edit("moved.yaml", "complete: true", "complete: false")
        try await machines[1].sync()
        try await machines[0].sync()
        #expect(machines[0].files.keys.sorted() == ["moved.yaml", "open.yaml"])
        #expect(try machines[0].isClean)
    }

    @Test func `after .todosync is lost, the next pull brings all of them back`() async throws {
        let (world, machines) = try await machines(1)
        _ = try machines[0].workspace.purge(PurgeOptions())
        try machines[0].folder.remove(".todosync")
        let machine = Machine(
            folder: machines[0].folder,
            workspace: world.workspace(at: machines[0].folder, FailingFileSystem()))
        try machine.workspace.directory.create(.init(remote: World.url))
        try await machine.pull()
        #expect(machine.files == ["done.yaml": Self.done, "open.yaml": Self.open])
        #expect(try machine.isClean)
    }

    @Test func `a damaged journal restores them, and deletes nothing`() async throws {
        let (world, machines) = try await machines(1)
        _ = try machines[0].workspace.purge(PurgeOptions())
        let journal = machines[0][".todosync/journal"] ?? ""
        machines[0][".todosync/journal"] = String(journal.dropLast(80))
        machines[0][".todosync/cache"] = nil
        try await machines[0].sync()
        try await machines[0].sync()
        #expect(machines[0].files == ["done.yaml": Self.done, "open.yaml": Self.open])
        #expect(await world.remote.liveRecords().count == 2)
    }

    @Test func `gc, fsck and the cache support them`() async throws {
        let (_, machines) = try await machines(1)
        let machine = machines[0]
        _ = try machine.workspace.purge(PurgeOptions())
        for _ in 0..<2 {
            #expect(try machine.workspace.check(repairs: false).problems.isEmpty)
            #expect(try machine.isClean)
            _ = try machine.workspace.compact(keeping: 0)
            #expect(try machine.workspace.check(repairs: true).isHealthy)
            machine[".todosync/cache"] = nil
            #expect(try machine.isClean)
            try await machine.sync()
        }
        #expect(throws: (any Error).self) { try machine.workspace.show("done", .file) }
        #expect(try machine.workspace.show("done", .base).path == "done.yaml")
        _ = try machine.workspace.undoPurge([])
        #expect(machine.files == ["done.yaml": Self.done, "open.yaml": Self.open])
    }

    @Test func `no guard counts them`() async throws {
        let world = World()
        var files = ["a/open.yaml": Self.open]
        for number in 0..<30 {
            files["done-\(number).yaml"] = "id: d\(number)\ntext: Done\ncomplete: true\n"
        }
        let machine = try await world.machines(1, files)[0]
        #expect(try machine.workspace.purge(PurgeOptions()).todos.count == 30)
        let report = try await machine.sync()
        #expect(report.withheld == nil && report.pushed.isEmpty)
        // This is the only todo that the folder keeps.
        machine["a/open.yaml"] = nil
        machine["b.yaml"] = "id: b\ntext: B\n"
        let second = try await machine.sync()
        #expect(second.withheld == nil)
        #expect(second.pushedLines.sorted() == ["delete a/open.yaml", "insert b.yaml"])
    }

    @Test func `pending, conflicted and open todos, and those that only this folder has, stay`() async throws
    {
        let (_, machines) = try await machines()
        machines[0].edit("done.yaml", "text: Done", "text: edited")
        machines[0]["new.yaml"] = "id: new\ntext: New\ncomplete: true\n"
        machines[0].edit("open.yaml", "text: Open", "text: Open\ncomplete: true")
        let report = try machines[0].workspace.purge(PurgeOptions())
        #expect(report.todos.isEmpty)
        #expect(report.left.map(\.path) == ["done.yaml", "new.yaml", "open.yaml"])
        #expect(machines[0].files.count == 3)
        machines[1].edit("done.yaml", "text: Done", "text: other")
        try await machines[1].sync()
        try await machines[0].sync()
        #expect(
            try machines[0].workspace.purge(PurgeOptions()).todos.map(\.path) == ["new.yaml", "open.yaml"])
        #expect(machines[0].files.keys.sorted() == ["done.yaml"])
    }

    @Test(arguments: ["done 2.yaml", "elsewhere.yaml"])
    func `a todo stays while another file has its id`(_ path: String) async throws {
        let (_, machines) = try await machines(1)
        machines[0][path] = Self.done
        #expect(try machines[0].workspace.purge(PurgeOptions()).todos.isEmpty)
        #expect(machines[0].files.count == 3)
        machines[0][path] = nil
        #expect(try machines[0].workspace.purge(PurgeOptions()).todos.map(\.path) == ["done.yaml"])
    }

    @Test(arguments: ["open.yaml", "edited.yaml"])
    func `a named todo that has to stay is refused, and nothing is purged`(_ name: String) async throws {
        let (_, machines) = try await machines(1)
        machines[0]["edited.yaml"] = "id: edited\ntext: E\ncomplete: true\n"
        #expect(throws: EngineError.self) {
            try machines[0].workspace.purge(PurgeOptions(todos: ["done.yaml", name]))
        }
        #expect(machines[0].files.count == 3)
    }

    @Test func `commands report that a todo isn't kept here`() async throws {
        let (_, machines) = try await machines(1)
        let workspace = machines[0].workspace
        _ = try workspace.purge(PurgeOptions())
        for name in ["done.yaml", "done", "don"] {
            for command: () async throws -> Void in [
                { _ = try workspace.change([name], set: [("owner", .string("me"))], unset: []) },
                { _ = try workspace.remove([name]) },
                { _ = try workspace.discard([name]) },
                { _ = try workspace.purge(PurgeOptions(todos: [name])) },
                { _ = try await machines[0].push(todos: [name]) },
            ] {
                do {
                    try await command()
                    Issue.record("\(name) is not refused")
                } catch EngineError.notKept(let path) { #expect(path == "done.yaml") }
            }
        }
        #expect(throws: EngineError.self) { try workspace.undoPurge(["open.yaml"]) }
        #expect(try workspace.log("done.yaml").first?.todos.map(\.state) == [.purged])
        #expect(try machines[0].isClean)
    }

    @Test func `what the log no longer shows the age of is counted, and stays`() async throws {
        let (_, machines) = try await machines(1)
        let workspace = machines[0].workspace
        _ = try workspace.compact(keeping: 0)
        let report = try workspace.purge(PurgeOptions(age: 0, isDryRun: true))
        #expect(report.todos.isEmpty && report.undated == 1)
        #expect(try workspace.purge(PurgeOptions(isDryRun: true)).todos.map(\.path) == ["done.yaml"])
    }

    @Test func `restoring the folder to a time after a purge deletes nothing`() async throws {
        let (_, machines) = try await machines(1)
        let machine = machines[0]
        _ = try machine.workspace.purge(PurgeOptions())
        _ = try machine.workspace.change(["open.yaml"], set: [("owner", .string("me"))], unset: [])
        let change = try #require(try machine.workspace.log(nil).first?.operation)
        let purge = try #require(try machine.workspace.log("done").first?.operation)
        _ = try machine.workspace.undoPurge([])
        _ = try machine.workspace.restoreAll(before: change)
        #expect(machine.files == ["done.yaml": Self.done, "open.yaml": Self.open])
        #expect(try machine.workspace.restore("done", to: purge).change == nil)
        #expect(machine.files["done.yaml"] == Self.done)
        _ = try machine.workspace.purge(PurgeOptions())
        _ = try machine.workspace.restoreAll(before: change)
        #expect(machine.files == ["open.yaml": Self.open])
        _ = try machine.workspace.restoreAll(before: purge)
        #expect(machine.files == ["done.yaml": Self.done, "open.yaml": Self.open])
        #expect(try machine.isClean)
    }

    @Test func `an older operation on a purged todo isn't undone`() async throws {
        let (_, machines) = try await machines(1)
        let machine = machines[0]
        _ = try machine.workspace.change(["open.yaml"], set: [("complete", .bool(true))], unset: [])
        let change = try #require(try machine.workspace.log(nil).first?.operation)
        try await machine.sync()
        _ = try machine.workspace.purge(PurgeOptions())
        let report = try machine.workspace.undo(change)
        #expect(report.undone.isEmpty && report.refused.map(\.path) == ["open.yaml"])
        #expect(machine.files.isEmpty)
        #expect(try machine.isClean)
    }

    @Test func `an edit while the user is asked is kept`() async throws {
        let (_, machines) = try await machines(1)
        let machine = machines[0]
        let options = PurgeOptions { _ in
            machine.edit("done.yaml", "text: Done", "text: edited")
            return true
        }
        let report = try machine.workspace.purge(options)
        #expect(report.todos.isEmpty && report.left.map(\.path) == ["done.yaml"])
        #expect(machine["done.yaml"] == "id: done\ntext: edited\ncomplete: true\n")
        #expect(try machine.workspace.purge(PurgeOptions { _ in false }).isCancelled == false)
        machine["done.yaml"] = Self.done
        #expect(try machine.workspace.purge(PurgeOptions { _ in false }).isCancelled)
        #expect(machine["done.yaml"] == Self.done)
    }

    @Test func `the operation log shows since when a todo is done`() async throws {
        let world = World()
        let machine = try await world.machines(
            1, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])[0]
        func workspace(_ time: String) -> Workspace {
            var surroundings = world.surroundings()
            surroundings.now = { time }
            return Workspace(directory: machine.workspace.directory, surroundings: surroundings)
        }
        let day = 86_400
        for (name, time) in [("a", "2027-01-01T00:00:00Z"), ("b", "2027-01-10T00:00:00Z")] {
            _ = try workspace(time).change(["\(name).yaml"], set: [("complete", .bool(true))], unset: [])
        }
        _ = try await workspace("2027-01-11T00:00:00Z").sync(SyncOptions())
        // A later edit doesn't count.
        _ = try workspace("2027-01-12T00:00:00Z").change(
            ["a.yaml"], set: [("owner", .string("x"))], unset: [])
        _ = try await workspace("2027-01-12T00:00:00Z").sync(SyncOptions())
        func due(_ age: Int, at time: String) throws -> [String] {
            try workspace(time).purge(PurgeOptions(age: age, isDryRun: true)).todos.map(\.path)
        }
        #expect(try due(10 * day, at: "2027-01-10T23:59:59Z").isEmpty)
        #expect(try due(10 * day, at: "2027-01-11T00:00:00Z") == ["a.yaml"])
        #expect(try due(10 * day, at: "2027-01-20T00:00:00Z") == ["a.yaml", "b.yaml"])
        // The age of a todo that was reopened counts from its last completion.
        _ = try workspace("2027-01-13T00:00:00Z").change(
            ["a.yaml"], set: [("complete", .bool(false))], unset: [])
        _ = try workspace("2027-01-14T00:00:00Z").change(
            ["a.yaml"], set: [("complete", .bool(true))], unset: [])
        _ = try await workspace("2027-01-14T00:00:00Z").sync(SyncOptions())
        #expect(try due(10 * day, at: "2027-01-20T00:00:00Z") == ["b.yaml"])
        #expect(try due(10 * day, at: "2027-01-24T00:00:00Z") == ["a.yaml", "b.yaml"])
        // A completion that the log no longer shows counts from the beginning of the log's oldest operation.
        _ = try workspace("2027-02-01T00:00:00Z").compact(keeping: 0)
        _ = try workspace("2027-02-01T00:00:00Z").change(
            ["a.yaml"], set: [("owner", .string("y"))], unset: [])
        _ = try await workspace("2027-02-01T00:00:00Z").sync(SyncOptions())
        #expect(try due(10 * day, at: "2027-02-10T00:00:00Z").isEmpty)
        #expect(try due(10 * day, at: "2027-02-11T00:00:00Z") == ["a.yaml", "b.yaml"])
    }
}
