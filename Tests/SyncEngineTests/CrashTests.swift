import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// A command that stops or fails at each call to the file system, and the next one, which recovers.
@Suite(.serialized) struct CrashTests {
    @Test(arguments: Scene.all, [true, false])
    func `the next run finishes what was interrupted, as if nothing had happened`(
        _ scene: Scene, isCrash: Bool
    ) async throws {
        let world = World()
        let template = try await scene.prepare(world)
        let backup = await world.remote.backup()
        let expected = try await undisturbed(scene, world, template)

        // Every call in a long run, otherwise one of 41: crashes from call 1 on, failures from call 3 on.
        let stride = PropertySeeds.isLongRun ? 1 : 41
        var number = isCrash ? 1 - stride : 3 - stride
        var isDone = false
        while !isDone {
            number += stride
            await world.remote.restore(backup)
            let code = isCrash ? EIO : Self.codes[number % Self.codes.count]
            let failing = FailingFileSystem(failingAt: number, andAfter: isCrash, code: code)
            let folder = try TemporaryFolder(copyOf: template)
            let stopped = Machine(folder: folder, workspace: world.workspace(at: folder, failing))
            do {
                try await scene.command(stopped)
            } catch {
                let isOfDisk = error is FileError || error is LockError || error is EngineError
                #expect(isOfDisk, "at call \(number): \(error)")
            }
            isDone = failing.calls < number

            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            // To read-only commands, an interrupted change is neither a delete nor a new file.
            for todo in try machine.status.pending where todo.operation == .delete {
                #expect(scene.deletes.contains(todo.path), "at call \(number)")
            }
            machine.saveMeanwhile()
            try await scene.repeatCommand(machine)
            try await scene.repeatCommand(machine)
            let outcome = try await Outcome(machine, world)
            #expect(outcome == expected, "at call \(number)")
            if outcome != expected { return }
        }
        #expect(number > 20, "the scene is worth the test")
    }

    private static let codes = [EIO, ENOSPC, EACCES, EROFS, EINTR, EDQUOT, EMFILE]

    @Test(arguments: [true, false])
    func `an interrupted clone is continued by the same command`(isCrash: Bool) async throws {
        let files = ["a.yaml": "id: a\ntext: A\n", "work/b.yaml": "id: b\ntext: B\n"]
        let world = World()
        _ = try await world.machines(1, files)
        var number = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let parent = try TemporaryFolder()
            let code = isCrash ? EIO : Self.codes[number % Self.codes.count]
            let failing = FailingFileSystem(failingAt: number, andAfter: isCrash, code: code)
            do {
                try await clone(world, into: parent, failing)
            } catch {
                #expect(error is FileError || error is LockError, "at call \(number)")
            }
            isDone = failing.calls < number
            do {
                try await clone(world, into: parent, FailingFileSystem())
            } catch EngineError.folderNotEmpty {
                // The interrupted clone had already created everything that matters.
            }
            let workspace = Workspace(
                directory: WorkingDirectory(root: parent.path + "/clone"), surroundings: world.surroundings())
            // A file that couldn't be written waits, which is not an interruption: the next sync writes it.
            let waiting = try workspace.status().held.waiting
            #expect(waiting.isEmpty || !isCrash, "at call \(number)")
            #expect(
                try await workspace.sync(SyncOptions()).pulled.map(\.path) == waiting.map(\.path),
                "at call \(number)")
            #expect(try workspace.status().isClean, "at call \(number)")
            let contents = parent.contents().filter { !$0.key.hasPrefix("clone/.todosync") }
            #expect(
                contents == ["clone/a.yaml": files["a.yaml"], "clone/work/b.yaml": files["work/b.yaml"]],
                "at call \(number)")
        }
        #expect(number > 50)
    }

    /// The state of the files when an interrupted clone is continued.
    enum CloneEnd: CaseIterable {
        /// A power failure left only the beginnings of the files, or only their sizes.
        case cut, empty, zeros
        case edited, deleted

        func text(_ text: String) -> String? {
            switch self {
            case .cut: String(text.prefix(text.count / 2))
            case .empty: ""
            case .zeros: String(repeating: "\0", count: text.count)
            case .edited: text.replacing("text: new", with: "text: mine")
            case .deleted: nil
            }
        }
    }

    @Test(arguments: CloneEnd.allCases)
    func `a half-written file of an interrupted clone is no edit, and an edited one is`(_ end: CloneEnd)
        async throws
    {
        let files = Dictionary(
            uniqueKeysWithValues: (1...6).map { ("clone/\($0).yaml", "id: t\($0)\ntext: new\nkey: k\n") })
        let world = World()
        _ = try await world.machines(
            1, Dictionary(uniqueKeysWithValues: files.map { (String($0.key.dropFirst(6)), $0.value) }))
        var number = 0
        var isDone = false
        var count = 0
        while !isDone {
            number += PropertySeeds.callStride
            let parent = try TemporaryFolder()
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            _ = try? await clone(world, into: parent, failing)
            isDone = failing.calls < number
            var expected = files
            // Once the command has ended, the files are synchronized to disk.
            let isComplete = parent.contents()["clone/.todosync/journal"]?.contains("\"end\"") == true
            for (path, text) in files where parent.contents()[path] == text && !isComplete {
                if let changed = end.text(text) {
                    try parent.write(changed, to: path)
                } else {
                    try FileManager.default.removeItem(atPath: parent.path + "/" + path)
                }
                count += 1
                if end == .edited { expected[path] = end.text(text) }
            }
            _ = try? await clone(world, into: parent, FailingFileSystem())
            let workspace = Workspace(
                directory: WorkingDirectory(root: parent.path + "/clone"), surroundings: world.surroundings())
            let contents = parent.contents().filter { !$0.key.hasPrefix("clone/.todosync") }
            #expect(contents == expected, "at call \(number)")
            let report = try await workspace.sync(SyncOptions(isDryRun: true))
            #expect(report.conflicts.isEmpty, "at call \(number)")
            let pushed = report.pushed.map { "clone/\($0.path)" }
            #expect(Set(pushed) == Set(expected.filter { $1.contains("mine") }.keys), "at call \(number)")
            if contents != expected { return }
        }
        #expect(count > 20 / PropertySeeds.callStride)
    }

    func clone(_ world: World, into parent: TemporaryFolder, _ fileSystem: any FileSystem)
        async throws
    {
        _ = try await Workspace.clone(
            World.url, into: parent.path + "/clone", world.surroundings(), fileSystem: fileSystem
        ) {
            try parent.makeFolder("clone")
            return try FileManager.default.contentsOfDirectory(atPath: parent.path + "/clone").isEmpty
        }
    }

    /// A crash during a move between two file systems leaves the file at its new and at its old path.
    @Test func `a move to another file system that is interrupted leaves no duplicate`() async throws {
        var number = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
            let folder = machines[0].folder
            try folder.makeFolder("other")
            machines[1].rename("a.yaml", to: "other/a.yaml")
            if number % 2 == 0 { machines[1].edit("other/a.yaml", "text: A", "text: B") }
            try await machines[1].push()
            var failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            let status = try FileManager.default.attributesOfItem(atPath: folder.path(of: "other"))
            failing.foreignFolders = [try #require(status[.systemFileNumber] as? UInt64)]
            let stopped = Machine(folder: folder, workspace: world.workspace(at: folder, failing))
            _ = try? await stopped.pull()
            isDone = failing.calls < number
            var whole = FailingFileSystem()
            whole.foreignFolders = failing.foreignFolders
            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, whole))
            try await machine.sync()
            #expect(machine.files == machines[1].files, "at call \(number)")
            #expect(try machine.isClean, "at call \(number)")
            #expect(!folder.contents().keys.contains { $0.hasPrefix("other/.") }, "at call \(number)")
        }
        #expect(number > 50)
    }

    @Test(arguments: [EIO, ENOSPC], [[".made", ".folder"], [".made"]])
    func `a disk that fails while an interrupted command is finished gives no todo another name`(
        _ code: Int32, failing roles: [String]
    ) async throws {
        let world = World()
        let files = ["a.yaml": "id: a\ntext: A\n", "sub/b.yaml": "id: b\ntext: B\n"]
        let machines = try await world.machines(2, [:])
        for (path, text) in files { machines[0][path] = text }
        try await machines[0].push()
        let crash = FailingFileSystem(
            crashingAt: { call in
                call.operation == .rename && roles.contains { call.name.contains($0) }
            }, code: EIO)
        let template = machines[1].folder
        _ = try? await Machine(folder: template, workspace: world.workspace(at: template, crash)).pull()
        var number = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let folder = try TemporaryFolder(copyOf: template)
            let failing = FailingFileSystem(failingAt: number, code: code)
            let stopped = Machine(folder: folder, workspace: world.workspace(at: folder, failing))
            if (try? await stopped.sync()) != nil { #expect(stopped.files == files, "at call \(number)") }
            isDone = failing.calls < number
            let machine = Machine(
                folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            try await machine.sync()
            #expect(machine.files == files, "at call \(number)")
        }
        #expect(number > 50)
    }

    @Test func `a folder that the user keeps empty stays after an interruption`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["sub/a.yaml": "id: a\ntext: A\n"])
        machines[1].edit("sub/a.yaml", "text: A", "text: B")
        try await machines[1].push()
        let folder = machines[0].folder
        let crashing = FailingFileSystem(crashingAt: { $0.manner == .exchanging }, code: EIO)
        _ = try? await Machine(folder: folder, workspace: world.workspace(at: folder, crashing)).pull()
        machines[0].rename("sub/a.yaml", to: "a.yaml")
        try folder.makeFolder("sub")
        try await machines[0].sync()
        #expect(machines[0].files == ["a.yaml": "id: a\ntext: B\n"])
        #expect(folder.folders().contains("sub"))
    }

    func undisturbed(
        _ scene: Scene, _ world: World, _ template: TemporaryFolder
    ) async throws -> Outcome {
        let folder = try TemporaryFolder(copyOf: template)
        let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
        try await scene.command(machine)
        machine.saveMeanwhile()
        try await scene.repeatCommand(machine)
        return try await Outcome(machine, world)
    }
}

extension CrashTests {
    /// The visible state of a machine and its remote.
    struct Outcome: Equatable {
        var files: [String: String]
        var folders: [String]
        var pending: [String]
        var conflicts: [String]
        var records: [String]
        var leftovers: [String]

        init(_ machine: Machine, _ world: World) async throws {
            files = machine.files
            folders = machine.folder.folders().filter { !$0.hasPrefix(".") }
            let status = try machine.status
            pending = status.pendingLines
            conflicts = status.conflicts.map { "\($0.kind.rawValue) \($0.path)" } + status.invalid.map(\.path)
            records = await world.remote.liveRecords().map {
                "\($0.id) \($0.layout?.path ?? "") \($0.layout?.yaml ?? "")"
            }
            leftovers = machine.folder.contents().keys.filter { $0.hasPrefix(".todosync/tmp/") }
        }
    }

    struct Scene: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Prepares the folder that the command runs in.
        var prepare: @Sendable (World) async throws -> TemporaryFolder
        var command: @Sendable (Machine) async throws -> Void
        /// The paths of todos that the user has deleted.
        var deletes: Set<String> = ["gone-here.yaml"]
        /// Whether an error means that the command was already complete.
        var failsWhenDone: @Sendable (any Error) -> Bool = { _ in false }

        func repeatCommand(_ machine: Machine) async throws {
            do {
                try await command(machine)
            } catch  where failsWhenDone(error) {
                return
            }
        }
    }
}

extension CrashTests.Scene {
    static let all = [
        Self(testDescription: "pull", prepare: news, command: { try await $0.pull() }),
        Self(testDescription: "push", prepare: news, command: { try await $0.push() }),
        Self(testDescription: "sync", prepare: news, command: { try await $0.sync() }),
        Self(
            testDescription: "pull, the remote winning", prepare: news,
            command: { try await $0.pull(.use(.remote)) }),
        Self(
            testDescription: "resolve with the local side", prepare: openConflicts,
            command: { _ = try $0.workspace.resolve([], .use(.local)) }, deletes: ["delete-edit.yaml"]),
        Self(
            testDescription: "resolve with the remote side", prepare: openConflicts,
            command: { _ = try $0.workspace.resolve([], .use(.remote)) }, deletes: ["delete-edit.yaml"]),
        Self(
            testDescription: "abort", prepare: openConflicts,
            command: { _ = try $0.workspace.resolve([], .abort) }, deletes: ["delete-edit.yaml"]),
        Self(
            testDescription: "a change", prepare: news,
            command: {
                _ = try $0.workspace.change(["edited.yaml"], set: [("owner", .string("me"))], unset: [])
            }),
        Self(
            testDescription: "copies being merged", prepare: copied,
            command: { _ = try $0.workspace.adopt([]) }, deletes: []),
        Self(
            testDescription: "an undo", prepare: logged,
            command: { machine in
                let changes = try machine.workspace.log(nil).last {
                    $0.todos.count == 2 && $0.todos[0].change == .update
                }
                _ = try machine.workspace.undo(changes?.operation)
            }),
        Self(
            testDescription: "a restoration", prepare: logged,
            command: { machine in
                let changes = try machine.workspace.log(nil).last {
                    $0.todos.count == 2 && $0.todos[0].change == .update
                }
                _ = try machine.workspace.restore("b", to: (changes?.operation ?? "") + "^")
            }),
        Self(
            testDescription: "a check that repairs", prepare: news,
            command: { _ = try $0.workspace.check(repairs: true) }),
        Self(
            testDescription: "leaving operations out of the log", prepare: news,
            command: { _ = try $0.workspace.compact(keeping: 0) }),
        Self(
            testDescription: "a removal", prepare: news,
            command: { _ = try $0.workspace.remove(["edited.yaml"]) },
            deletes: ["gone-here.yaml", "edited.yaml"], failsWhenDone: { $0 is EngineError }),
        Self(
            testDescription: "a purge", prepare: { try await finished($0)[0].folder },
            command: {
                _ = try $0.workspace.purge(PurgeOptions())
                // If there is nothing to purge, replaced files stay in .todosync until the next command.
                try await $0.pull()
            }, deletes: []),
        Self(
            testDescription: "the undo of a purge", prepare: purged,
            command: { _ = try $0.workspace.undoPurge([]) }, deletes: []),
        Self(
            testDescription: "a pull after a purge", prepare: purged, command: { try await $0.pull() },
            deletes: []),
    ]

    /// Makes machines with done todos.
    private static let finished: @Sendable (World) async throws -> [Machine] = { world in
        let names = ["kept", "a", "b", "deep/c", "deep/d", "deep/e"]
        let files = names.map { name in
            (
                "\(name).yaml",
                "id: \(name.suffix(1))\ntext: \(name)\n" + (name == "kept" ? "" : "complete: true\n")
            )
        }
        return try await world.machines(2, Dictionary(uniqueKeysWithValues: files))
    }

    /// Makes a folder that doesn't keep its done todos, after another machine has changed some of them.
    private static let purged: @Sendable (World) async throws -> TemporaryFolder = { world in
        let machines = try await finished(world)
        _ = try machines[0].workspace.purge(PurgeOptions())
        let there = machines[1]
        there.edit("a.yaml", "complete: true", "complete: false")
        there.edit("b.yaml", "text: b", "text: edited")
        there["deep/c.yaml"] = nil
        there.rename("deep/d.yaml", to: "d.yaml")
        there.edit("d.yaml", "complete: true", "priority: low")
        try await there.push()
        return machines[0].folder
    }

    private static let logged: @Sendable (World) async throws -> TemporaryFolder = { world in
        let machine = try await world.machines(
            1, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])[0]
        _ = try machine.workspace.change(["a.yaml", "b.yaml"], set: [("owner", .string("me"))], unset: [])
        try await machine.sync()
        machine.edit("b.yaml", "text: B", "text: edited")
        machine["kept.yaml"] = "id: kept\ntext: kept\n"
        return machine.folder
    }

    /// Makes a folder with other tools' copies of an edited, a missing, a conflicting and an unchanged todo.
    private static let copied: @Sendable (World) async throws -> TemporaryFolder = { world in
        let names = ["edited", "gone", "conflict", "kept"]
        let machine = try await world.machines(
            1,
            Dictionary(
                uniqueKeysWithValues: names.map { ("\($0).yaml", "id: \($0)\ntext: \($0)\na: 1\nb: 1\n") }))[
                0]
        machine.edit("edited.yaml", "text: edited", "text: here")
        machine["edited 2.yaml"] = "id: edited\ntext: edited\na: 2\nb: 1\n"
        machine["edited 3.yaml"] = "id: edited\ntext: edited\na: 1\nb: 2\n"
        machine["gone.yaml"] = nil
        machine["gone.sync-conflict-20261122-101112-ABCDEFG.yaml"] = "id: gone\ntext: there\na: 1\nb: 1\n"
        machine.edit("conflict.yaml", "text: conflict", "text: here")
        machine["conflict (1).yaml"] = "id: conflict\ntext: there\na: 1\nb: 1\n"
        machine["kept (1).yaml"] = "id: kept\ntext: kept\na: 1\nb: 1\n"
        return machine.folder
    }

    /// Makes a folder with pending and remote changes of every kind.
    private static let news: @Sendable (World) async throws -> TemporaryFolder = { world in
        let names = ["edited", "moved", "merged", "conflict", "gone-here", "gone-there", "kept", "revived"]
        var files = Dictionary(
            uniqueKeysWithValues: names.map { ("\($0).yaml", "id: \($0)\ntext: \($0)\npriority: low\n") })
        files["swap1.yaml"] = "id: s1\ntext: one\n"
        files["swap2.yaml"] = "id: s2\ntext: two\n"
        files["left/last.yaml"] = "id: last\ntext: last\n"
        files["emptied/deep/gone.yaml"] = "id: gone\ntext: gone\n"
        let machines = try await world.machines(2, files)
        let (here, there) = (machines[0], machines[1])
        there.rename([
            "swap1.yaml": "swap2.yaml", "swap2.yaml": "swap1.yaml", "moved.yaml": "folder/moved.yaml",
            "left/last.yaml": "folder/last.yaml",
        ])
        there["emptied/deep/gone.yaml"] = nil
        there.edit("merged.yaml", "low", "high")
        there.edit("conflict.yaml", "text: conflict", "text: there")
        there.edit("revived.yaml", "text: revived", "text: there")
        there["gone-there.yaml"] = nil
        there["new-there.yaml"] = "id: nt\ntext: new\n"
        try await there.push()
        here.edit("edited.yaml", "low", "high")
        here.edit("merged.yaml", "text: merged", "text: here")
        here.edit("conflict.yaml", "text: conflict", "text: here")
        here["gone-here.yaml"] = nil
        here["new-here.yaml"] = "id: nh\ntext: new\n"
        here.edit("swap1.yaml", "text: one", "text: ONE")
        return here.folder
    }

    /// Makes a folder with a conflict of each kind.
    private static let openConflicts: @Sendable (World) async throws -> TemporaryFolder = { world in
        let names = ["edit", "edit-delete", "delete-edit"]
        let machines = try await world.machines(
            2, Dictionary(uniqueKeysWithValues: names.map { ("\($0).yaml", "id: \($0)\ntext: base\n") }))
        let (here, there) = (machines[0], machines[1])
        there.edit("edit.yaml", "base", "there")
        there.edit("delete-edit.yaml", "base", "there")
        there["edit-delete.yaml"] = nil
        there["insert.yaml"] = "id: insert\ntext: there\n"
        try await there.push()
        here.edit("edit.yaml", "base", "here")
        here.edit("edit-delete.yaml", "base", "here")
        here["delete-edit.yaml"] = nil
        here["insert.yaml"] = "id: insert\ntext: here\n"
        try await here.pull()
        return here.folder
    }
}

extension Machine {
    /// Saves a file in an editor between a crash and the next command.
    func saveMeanwhile() {
        guard let content = self["kept.yaml"] else { return }
        self["kept.yaml"] = content + "# saved meanwhile\n"
    }
}
