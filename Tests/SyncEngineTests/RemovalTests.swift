import Foundation
import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Files that `rm` removes before they are tracked todos.
@Suite struct RemovalTests {
    private static let text = "text: new # note\n"

    @Test(arguments: [
        ["new.yaml": text], ["new.yaml": "text: [\n"],
        ["a.yaml": "id: a\ntext: A\n", "new.yaml": "id: a\ntext: twice\n"],
    ])
    func `it is in the log, by its path, and an undo restores it as it was`(_ files: [String: String])
        async throws
    {
        let machine = try World().machine(files)
        _ = try machine.workspace.remove(["new.yaml"])
        #expect(machine["new.yaml"] == nil)
        let entry = try #require(try machine.workspace.log("new.yaml").first)
        #expect(entry.todos.map(\.path) == ["new.yaml"] && entry.todos.map(\.change) == [.delete])
        #expect(try machine.workspace.check(repairs: false).isHealthy)
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == files)
        #expect(try machine.workspace.check(repairs: false).isHealthy)
    }

    @Test func `restore creates it as a todo, which is pushed like any other`() async throws {
        let world = World()
        let machine = try world.machine(["new.yaml": Self.text])
        _ = try machine.workspace.remove(["new.yaml"])
        let entry = try #require(try machine.workspace.log(nil).first)
        _ = try machine.workspace.restore("new.yaml", to: entry.operation + "^")
        let id = try #require(entry.todos.first?.id)
        #expect(machine["new.yaml"] == "id: \(id.string)\n" + Self.text)
        #expect(try await machine.push().pushedLines == ["insert new.yaml"])
        #expect(await world.remote.liveRecords().map(\.id) == [id.string])
    }

    @Test func `a todo is named by the path that it had here, whatever the remote calls it`() async throws {
        let world = World()
        await world.remote.put(
            RemoteRecord(
                id: "unsafe", version: Version(""), fields: ["text": .string("u")],
                layout: Layout(path: "../../etc/x.yaml", yaml: "id: unsafe\ntext: u\n")))
        await world.remote.put(id: "plain", fields: ["text": .string("Plain")])
        let machine = try world.machine()
        try await machine.pull()
        let paths = machine.files.keys.sorted()
        let deletes = paths.map { "delete \($0)" }
        _ = try machine.workspace.remove(paths)
        #expect(try machine.status.pendingLines == deletes)
        let diff = String(decoding: try machine.workspace.diff([]), as: UTF8.self)
        #expect(paths.count == 2 && paths.allSatisfy { diff.contains("--- a/\($0)\n") })
        _ = try machine.workspace.undo(nil)
        #expect(try machine.isClean)

        _ = try machine.workspace.remove(paths)
        await world.remote.put(id: "unsafe", fields: ["text": .string("edited")])
        #expect(try await machine.pull().conflicts.map(\.path) == paths.filter { $0.contains("unsafe") })
        try machine.resolve(by: .use(.remote))
        // The todo's name still applies to this folder only.
        #expect(try machine.status.pendingLines == deletes.filter { $0.contains("plain") })
        #expect(try await machine.push().pushedLines == deletes.filter { $0.contains("plain") })
    }

    @Test func `a removed todo is gone, whatever is made at its path`() async throws {
        let machine = try World().machine(["one.yaml": "id: i1\ntext: One\n"])
        try await machine.push()
        _ = try machine.workspace.remove(["one.yaml"])
        machine[".todosyncignore"] = "one.yaml\n"
        #expect(try machine.status.pendingLines == ["delete one.yaml"])
        machine[".todosyncignore"] = nil
        machine["one.yaml"] = "text: Another\n"
        _ = try machine.workspace.track(["one.yaml"])
        #expect(machine["one.yaml"]?.contains("i1") == false)
        #expect(try machine.status.pendingLines == ["insert one.yaml: text", "delete one.yaml"])
    }

    @Test func `a removed todo whose file is written back is as if it had not been removed`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.push()
        _ = try machine.workspace.remove(["a.yaml"])
        machine["a.yaml"] = "id: a\ntext: B\n"
        #expect(try await machine.push().pushedLines == ["update a.yaml"])
        #expect(try machine.isClean)
        let problems = try machine.workspace.check(repairs: false)
        #expect(problems.isHealthy, "\(problems)")
    }

    @Test func `a new todo at the path of a removed one keeps it when its id is lost`() async throws {
        for number in 0..<8 {
            let machine = try World().machine(["new.yaml": "id: a\(number)\ntext: A\n"])
            try await machine.push()
            _ = try machine.workspace.remove(["new.yaml"])
            machine["new.yaml"] = "id: b\ntext: B\n"
            try machine.set("new.yaml", "n", "1")
            machine["new.yaml"] = "text: edited\n"
            #expect(try machine.status.pendingLines.contains("delete new.yaml"))
        }
    }

    @Test func `an undo of the undo doesn't change a file that was edited since`() throws {
        let machine = try World().machine(["new.yaml": Self.text])
        _ = try machine.workspace.remove(["new.yaml"])
        _ = try machine.workspace.undo(nil)
        let undo = try machine.workspace.log(nil)[0].operation
        machine["new.yaml"] = "text: edited\n"
        #expect(try machine.workspace.undo(undo).refused.map(\.path) == ["new.yaml"])
        #expect(machine["new.yaml"] == "text: edited\n")
    }

    /// The editor opens the file at one call and writes at a later one, when the file might be gone.
    @Test func `what an editor saves into it at any call is in the file or in the log`() throws {
        var number = 0
        var saves = 0
        var savesIntoRemoved = 0
        var isDone = false
        while !isDone {
            number += 1
            let world = World()
            let machine = try world.machine(["new.yaml": Self.text])
            let file = URL(filePath: machine.folder.path(of: "new.yaml"))
            let editor = Mutex<FileHandle?>(nil)
            let at = number
            let saving = FailingFileSystem { call throws(FileError) in
                editor.withLock { editor in
                    if call.number == at { editor = try? FileHandle(forUpdating: file) }
                    guard call.number == at + 2, let opened = editor else { return }
                    try? opened.truncate(atOffset: 0)
                    try? opened.write(contentsOf: Data("text: saved\n".utf8))
                }
            }
            _ = try? world.workspace(at: machine.folder, saving).remove(["new.yaml"])
            isDone = editor.withLock { $0 == nil }
            guard !isDone, saving.calls >= at + 2 else { continue }
            saves += 1
            let isInLog = try machine.texts().contains("text: saved\n")
            savesIntoRemoved += isInLog ? 1 : 0
            #expect(machine["new.yaml"] == "text: saved\n" || isInLog, "at call \(number)")
        }
        #expect(saves > 20)
        #expect(savesIntoRemoved > 5)
    }

    @Test func `a crash at any call leaves it in the folder or in the log`() throws {
        var number = 0
        var undone = 0
        var isDone = false
        while !isDone {
            number += 1
            let world = World()
            let machine = try world.machine(["new.yaml": Self.text])
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: 5)
            _ = try? world.workspace(at: machine.folder, failing).remove(["new.yaml"])
            isDone = failing.calls < number
            // The next command that records something recovers.
            _ = try machine.workspace.add(NewTodo(text: "other", fields: [:], path: nil))
            let isInLog = try machine.texts().contains(Self.text)
            #expect(machine["new.yaml"] == Self.text || isInLog, "at call \(number)")
            #expect(try machine.workspace.check(repairs: false).isHealthy, "at call \(number)")
            let removal = try machine.workspace.log(nil).last
            if machine["new.yaml"] == nil, let removal, removal.operation != "" {
                _ = try machine.workspace.undo(removal.operation)
                #expect(machine["new.yaml"] == Self.text, "at call \(number)")
                undone += 1
            }
        }
        #expect(number > 20)
        #expect(undone > 5)
    }
}

/// Files whose old and new paths are both taken while a command moves them.
@Suite struct OccupiedPathTests {
    @Test func `an undo whose file loses both its paths loses no text`() async throws {
        let contents: Set = ["id: a\ntext: A\n", "id: b\ntext: B\n"]
        var number = 0
        var lost = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(
                2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
            let (here, there) = (machines[0], machines[1])
            (there["a.yaml"], there["b.yaml"]) = (there["b.yaml"], there["a.yaml"])
            try await there.push()
            try await here.pull()
            let at = number
            let folder = here.folder
            let pull = try here.newestOperation
            let racing = FailingFileSystem { call throws(FileError) in
                guard call.number >= at else { return }
                for path in ["a.yaml", "b.yaml"] where !folder.exists(path) {
                    try? folder.write("text: in the way\n", to: path)
                }
            }
            _ = try? world.workspace(at: folder, racing).undo(pull)
            isDone = racing.calls < number
            #expect(contents.isSubset(of: here.files.values), "at call \(number): \(here.files)")
            if here.files.count > 2 { lost += 1 }
            #expect(try here.status.pending.allSatisfy { $0.operation != .delete }, "at call \(number)")
            #expect(try here.workspace.check(repairs: false).isHealthy, "at call \(number)")
        }
        #expect(number > 20 && lost > 0)
    }

    @Test(arguments: [true, false])
    func `what a crash leaves without a path gets one, whoever has taken it`(isUndo: Bool) async throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(
                2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
            var here = machines[0]
            let there = machines[1]
            // A dry run doesn't give the files in the way ids and names of their own.
            here.isCompared = false
            there.rename("a.yaml", to: "folder/a.yaml")
            there.rename("b.yaml", to: "a.yaml")
            try await there.push()
            if isUndo { try await here.pull() }
            let crashing = FailingFileSystem(failingAt: number, andAfter: true, code: 5)
            let workspace = world.workspace(at: here.folder, crashing)
            if isUndo { _ = try? workspace.undo(nil) } else { _ = try? await workspace.pull(SyncOptions()) }
            isDone = crashing.calls < number
            for path in ["a.yaml", "b.yaml", "folder/a.yaml"] where here[path] == nil {
                here[path] = "text: in the way\n"
            }
            // The next command recovers, whatever it does.
            try here.set("a", "n", "1")
            #expect(here.files.values.contains { $0.hasPrefix("id: a\ntext: A\n") }, "at call \(number)")
            #expect(here.files.values.contains { $0.hasPrefix("id: b\ntext: B\n") }, "at call \(number)")
            #expect(try here.status.pending.allSatisfy { $0.operation != .delete }, "at call \(number)")
            try await here.sync()
            #expect(await world.remote.liveRecords().filter { ["a", "b"].contains($0.id) }.count == 2)
            #expect(try here.isClean && here.workspace.check(repairs: false).isHealthy, "at call \(number)")
        }
        #expect(number > 20)
    }
}

extension Machine {
    /// Returns all texts in the operation log.
    func texts() throws -> Set<String> {
        let events = try workspace.directory.history().operations.flatMap(\.events)
        return Set(events.flatMap(\.texts).map { String(decoding: $0.bytes, as: UTF8.self) })
    }
}
