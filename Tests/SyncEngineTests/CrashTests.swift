import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// A command stopped at, or failing at, each call to the file system; the next one makes it good.
@Suite struct CrashTests {
    @Test(arguments: Scene.all, [true, false])
    func `the next run finishes what was cut off, as if nothing had happened`(
        _ scene: Scene, isCrash: Bool
    ) async throws {
        let world = World()
        let template = try await scene.prepare(world)
        let backup = await world.remote.backup()
        let expected = try await undisturbed(scene, world, template)

        // All calls where one asks for a long run; else each second scene looks at other ones.
        let stride = PropertySeeds.isLongRun ? 1 : 3
        var number = isCrash ? 1 - stride : 3 - stride
        var isDone = false
        while !isDone {
            number += stride
            await world.remote.restore(backup)
            let failing = FailingFileSystem(failingAt: number, andAfter: isCrash, code: EIO)
            let folder = try TemporaryFolder(copyOf: template)
            let stopped = Machine(folder: folder, workspace: world.workspace(at: folder, failing))
            try? await scene.command(stopped)
            isDone = failing.calls < number

            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            // For commands that only read what was cut off is neither a deletion nor a new file.
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

    private func undisturbed(
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
    /// What one can see of a machine and its remote.
    struct Outcome: Equatable {
        var files: [String: String]
        var pending: [String]
        var conflicts: [String]
        var records: [String]
        var leftovers: [String]

        init(_ machine: Machine, _ world: World) async throws {
            files = machine.files
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
        /// What the command is about to meet.
        var prepare: @Sendable (World) async throws -> TemporaryFolder
        var command: @Sendable (Machine) async throws -> Void
        /// The paths of todos that the user has deleted.
        var deletes: Set<String> = ["gone-here.yaml"]
        /// Whether the command can't be said twice.
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
            testDescription: "a removal", prepare: news,
            command: { _ = try $0.workspace.remove(["edited.yaml"]) },
            deletes: ["gone-here.yaml", "edited.yaml"], failsWhenDone: { $0 is EngineError }),
    ]

    /// A machine on which a little of everything is about to happen.
    private static let news: @Sendable (World) async throws -> TemporaryFolder = { world in
        let names = ["edited", "moved", "merged", "conflict", "gone-here", "gone-there", "kept", "revived"]
        var files = Dictionary(
            uniqueKeysWithValues: names.map { ("\($0).yaml", "id: \($0)\ntext: \($0)\npriority: low\n") })
        files["swap1.yaml"] = "id: s1\ntext: one\n"
        files["swap2.yaml"] = "id: s2\ntext: two\n"
        let machines = try await world.machines(2, files)
        let (here, there) = (machines[0], machines[1])
        there.rename([
            "swap1.yaml": "swap2.yaml", "swap2.yaml": "swap1.yaml", "moved.yaml": "folder/moved.yaml",
        ])
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

    /// A machine with a conflict of each kind.
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
    /// Does what an editor does between a crash and the next command.
    fileprivate func saveMeanwhile() {
        guard let content = self["kept.yaml"] else { return }
        self["kept.yaml"] = content + "# saved meanwhile\n"
    }
}
