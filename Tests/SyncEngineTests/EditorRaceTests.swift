import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// An editor saves while a command runs, at each of the command's calls to the file system.
@Suite(.serialized) struct EditorRaceTests {
    enum Manner: CaseIterable, CustomTestStringConvertible {
        /// The file is overwritten.
        case overwriting
        /// A new file is renamed to the path.
        case byRename
        /// The file is removed, and written again a few calls later.
        case withAPause

        var testDescription: String { "\(self)" }
    }

    /// Returns a file system that lets an editor save a text into `a.yaml` at a call.
    private func editor(
        saving text: String, at number: Int, _ manner: Manner, in folder: TemporaryFolder
    ) -> FailingFileSystem {
        FailingFileSystem { call throws(FileError) in
            do {
                switch manner {
                case .overwriting: if call.number == number { try folder.write(text, to: "a.yaml") }
                case .byRename: if call.number == number { try folder.save(text, to: "a.yaml") }
                case .withAPause:
                    if call.number == number, folder.exists("a.yaml") { try folder.remove("a.yaml") }
                    if call.number == number + 3 { try folder.save(text, to: "a.yaml") }
                }
            } catch {
                throw FileError(.write, "the editor", code: 5)
            }
        }
    }

    @Test(arguments: [Verb.push, .pull, .sync], Manner.allCases)
    func `what an editor saves meanwhile is in the file, and becomes no conflict with oneself`(
        _ verb: Verb, _ manner: Manner
    ) async throws {
        let saved = "id: a\ntext: base\npriority: low\n# saved\n"
        var number = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machines = try await world.machines(
                2, ["a.yaml": "id: a\ntext: base\npriority: low\n", "b.yaml": "id: b\ntext: b\n"])
            machines[1].edit("a.yaml", "base", "there")
            machines[1]["c.yaml"] = "id: c\ntext: c\n"
            machines[1]["b.yaml"] = nil
            try await machines[1].push()
            machines[0].edit("a.yaml", "low", "high")
            let folder = machines[0].folder
            let fileSystem = editor(saving: saved, at: number, manner, in: folder)
            let busy = Machine(
                folder: folder, workspace: world.workspace(at: folder, fileSystem))
            let report = try await busy.run(verb)
            isDone = fileSystem.calls < number
            // The command might have ended before the editor wrote the file again.
            if manner == .withAPause, fileSystem.calls < number + 3 { machines[0]["a.yaml"] = saved }
            guard !isDone else { break }

            let content = machines[0]["a.yaml"]
            #expect(content?.contains("# saved") == true, "at call \(number)")
            #expect(report.pushed.allSatisfy { $0.operation != .delete }, "at call \(number)")
            try await machines[0].sync()
            try await machines[1].sync()
            #expect(try machines[0].status.conflicts.isEmpty, "at call \(number)")
            #expect(machines[0]["a.yaml"]?.contains("# saved") == true, "at call \(number)")
            #expect(machines[1].files == machines[0].files, "at call \(number)")
        }
        #expect(number > 20)
    }

    private static let saved = "id: a\ntext: a\npriority: low\n# saved\n"

    /// Returns a machine whose editor puts a file back while a command waits, and a counter of the waits.
    private func machine(_ machine: Machine, savingInPause path: String?) -> (Machine, Counter) {
        let counter = Counter()
        let folder = machine.folder
        var surroundings = machine.workspace.surroundings
        surroundings.pause = { _ in
            counter.value.add(1, ordering: .relaxed)
            if let path { try folder.save(Self.saved, to: path) }
        }
        let workspace = Workspace(directory: machine.workspace.directory, surroundings: surroundings)
        return (Machine(folder: folder, workspace: workspace), counter)
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
        var count: Int { value.load(ordering: .relaxed) }
    }

    @Test(arguments: [Verb.push, .sync], ["a.yaml", "renamed.yaml"])
    func `a file that is back after a moment is not deleted, others are`(_ verb: Verb, _ path: String)
        async throws
    {
        let world = World()
        let original = try await world.machines(
            1, ["a.yaml": "id: a\ntext: a\n", "b.yaml": "id: b\ntext: b\n"])
        let (machine, counter) = machine(original[0], savingInPause: path)
        machine["a.yaml"] = nil
        machine["b.yaml"] = nil
        let report = try await machine.run(verb)
        #expect(report.pushedLines == ["delete b.yaml"])
        #expect(counter.count == 1)
        #expect(machine[path] == Self.saved)
        #expect(try await machine.run(verb).pushedLines == ["update \(path)"])
        #expect(counter.count == 1)
    }

    @Test(arguments: [Verb.pull, .sync], [true, false])
    func `a file that is back after a moment merges with what came`(_ verb: Verb, _ isDeleted: Bool)
        async throws
    {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: a\npriority: high\n", "b.yaml": "id: b\ntext: b\n"])
        machines[1]["a.yaml"] = isDeleted ? nil : "id: a\ntext: there\npriority: high\n"
        try await machines[1].push()
        let (machine, counter) = machine(machines[0], savingInPause: "a.yaml")
        machine["a.yaml"] = nil
        let report = try await machine.run(verb)
        #expect(report.conflictKinds == (isDeleted ? ["edit/delete"] : []))
        #expect(counter.count == 1)
        #expect(machine["a.yaml"]?.contains("priority: low") == true)
        #expect(machine["a.yaml"]?.contains("# saved") == true)
        #expect(isDeleted || machine["a.yaml"]?.contains("text: there") == true)
    }

    @Test func `a file that was deleted is waited for once, and nobody waits without deletes`() async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: a\n", "b.yaml": "id: b\ntext: b\n"])
        let (machine, counter) = machine(machines[0], savingInPause: nil)
        machines[1].edit("a.yaml", "text: a", "text: there")
        machines[1].edit("b.yaml", "text: b", "text: there")
        try await machines[1].push()
        machine.edit("b.yaml", "id: b", "id: b\nowner: me")
        machine["c.yaml"] = "id: c\ntext: c\n"
        try await machine.sync()
        #expect(counter.count == 0)
        machines[1].edit("a.yaml", "there", "elsewhere")
        try await machines[1].push()
        machine["a.yaml"] = nil
        machine["c.yaml"] = nil
        #expect(try await machine.sync().conflictKinds == ["delete/edit"])
        #expect(counter.count == 2)
        try await machine.sync()
        #expect(counter.count == 2)
    }

    /// A command that changes the file while an editor saves it.
    enum LocalVerb: CaseIterable, CustomTestStringConvertible {
        case set, setWithoutID, resolveAsItIs, resolveWithLocal, resolveWithRemote, abort, remove, undo

        var testDescription: String { "\(self)" }

        var isResolve: Bool {
            switch self {
            case .resolveAsItIs, .resolveWithLocal, .resolveWithRemote, .abort: true
            case .set, .setWithoutID, .remove, .undo: false
            }
        }
    }

    @Test(arguments: LocalVerb.allCases, Manner.allCases)
    func `what an editor saves while a command changes its file is in the file or in the log`(
        _ verb: LocalVerb, _ manner: Manner
    ) async throws {
        let id = verb == .setWithoutID ? "" : "id: a\n"
        let saved = id + "text: here\npriority: low\n# saved\n"
        var number = 0
        var isDone = false
        while !isDone {
            number += PropertySeeds.callStride
            let world = World()
            let machine = try await prepared(verb, world)
            let folder = machine.folder
            let fileSystem = editor(saving: saved, at: number, manner, in: folder)
            // The command can refuse what it finds, or report that the file keeps changing.
            do {
                try run(verb, world.workspace(at: folder, fileSystem))
            } catch is EngineError {}
            isDone = fileSystem.calls < number
            if manner == .withAPause, fileSystem.calls < number + 3 { machine["a.yaml"] = saved }
            guard !isDone else { break }
            func hasSaved() throws -> Bool {
                let texts = try machine.texts().union(machine.files.values)
                return texts.contains { $0.contains("# saved") }
            }
            #expect(try hasSaved(), "at call \(number)")
            let deletes = try machine.status.pending.filter { $0.operation == .delete }
            #expect(verb == .remove || deletes.isEmpty, "at call \(number)")
            try await machine.sync(verb.isResolve ? .use(.local) : .markers)
            #expect(try hasSaved(), "at call \(number)")
            #expect(try machine.workspace.check(repairs: false).isHealthy, "at call \(number)")
        }
        #expect(number > 20)
    }

    private func prepared(_ verb: LocalVerb, _ world: World) async throws -> Machine {
        if verb == .setWithoutID { return try world.machine(["a.yaml": "text: here\npriority: low\n"]) }
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: base\npriority: low\n"])
        let machine = machines[0]
        machine.edit("a.yaml", "base", "here")
        if verb.isResolve {
            machines[1].edit("a.yaml", "base", "there")
            try await machines[1].push()
            try await machine.pull()
            if verb == .resolveAsItIs { machine["a.yaml"] = "id: a\ntext: my answer\npriority: low\n" }
        }
        if verb == .undo { try machine.set("a.yaml", "priority", "high") }
        return machine
    }

    private func run(_ verb: LocalVerb, _ workspace: Workspace) throws {
        switch verb {
        case .set, .setWithoutID:
            _ = try workspace.change(["a.yaml"], set: [("owner", .string("me"))], unset: [])
        case .resolveAsItIs: _ = try workspace.resolve([], .file)
        case .resolveWithLocal: _ = try workspace.resolve([], .use(.local))
        case .resolveWithRemote: _ = try workspace.resolve([], .use(.remote))
        case .abort: _ = try workspace.resolve([], .abort)
        case .remove: _ = try workspace.remove(["a.yaml"])
        case .undo: _ = try workspace.undo(nil)
        }
    }
}
