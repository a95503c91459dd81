import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// An undo that stops or fails at each call to the file system: what the log shows, and what the next undo
/// does.
@Suite struct UndoStopTests {
    @Test(arguments: UndoTests.Scene.all.indices, [true, false])
    func `what a stopped undo did not do is not logged as undone, and is what the next undo undoes`(
        _ index: Int, isCrash: Bool
    ) async throws {
        let world = World()
        let scene = UndoTests.Scene.all[index]
        let template = try await scene.prepare(world)
        // The restore scene restores what the newest operation found, so no operation is added.
        if scene.testDescription != "restore" {
            _ = try template.workspace.add(NewTodo(text: "older", fields: [:], path: nil))
        }
        let before = try UndoTests.Sight(template)
        try await scene.command(template)
        let after = try UndoTests.Sight(template)
        let target = try template.workspace.log(nil)[0]
        let whole = try undisturbed(template, world, target)
        #expect(!whole.isEmpty)
        let isSwap = scene.testDescription == "pull of a swap"

        // Every call in a long run and for the first scene; otherwise every ninth, from varying calls on.
        let step = PropertySeeds.isLongRun ? 1 : index == 0 ? 5 : 29
        var number = (isCrash ? index : index + 4) % step
        var isDone = false
        while !isDone {
            number += step
            let folder = try TemporaryFolder(copyOf: template.folder)
            let failing = FailingFileSystem(failingAt: number, andAfter: isCrash, code: isCrash ? 5 : 28)
            _ = try? world.workspace(at: folder, failing).undo(target.operation)
            isDone = failing.calls < number

            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            let earlier = try undone(target, machine)
            // A command that changes nothing itself still recovers.
            #expect(throws: EngineError.self) { try machine.workspace.undo("no operation") }
            let recovered = try undone(target, machine)
            // Between the moves of a swap, only the next command finds out which file is where.
            #expect(recovered == earlier || isSwap, "at call \(number)")
            if recovered == whole {
                #expect(try UndoTests.Sight(machine) == before, "at call \(number)")
                continue
            }
            // A file without an id is restored before its record, and a file can move before its text
            // changes.
            if recovered.isEmpty, !scene.testDescription.contains("without an id") {
                let texts = try UndoTests.Sight(machine).files.values.sorted()
                #expect(texts == after.files.values.sorted(), "at call \(number)")
            }
            let report = try machine.workspace.undo(target.operation)
            #expect(report.operation?.operation == target.operation, "at call \(number)")
            #expect(report.refused == [], "at call \(number)")
            let sight = try UndoTests.Sight(machine)
            // The swap can leave a name that applies to this folder only.
            let hasTexts = sight.files.values.sorted() == before.files.values.sorted()
            #expect(sight == before || isSwap && hasTexts, "at call \(number)")
            // If the stopped undo had restored all files, there is nothing left to record.
            #expect(try report.undone.isEmpty || undone(target, machine) == whole, "at call \(number)")
        }
        #expect(number > 10)
    }

    private func undisturbed(
        _ template: Machine, _ world: World, _ target: LogEntry
    ) throws -> [TodoID] {
        let folder = try TemporaryFolder(copyOf: template.folder)
        let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
        _ = try machine.workspace.undo(target.operation)
        return try undone(target, machine)
    }

    /// Returns the todos whose change by an operation is undone according to the log.
    private func undone(_ target: LogEntry, _ machine: Machine) throws -> [TodoID] {
        let entry = try machine.workspace.log(nil).first { $0.operation == target.operation }
        return try #require(entry).todos.filter { $0.state == .undone }.map(\.id)
    }

    @Test func `a todo that is already as it was counts as undone, and the one before comes next`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        try machine.set("b.yaml", "n", "1")
        let older = try machine.workspace.log(nil)[0].operation
        _ = try machine.workspace.change(["a", "b"], set: [("m", .string("2"))], unset: [])
        let newer = try machine.workspace.log(nil)[0].operation
        machine["b.yaml"] = "id: b\ntext: B\nn: '1'\n"
        let report = try machine.workspace.undo(nil)
        #expect(report.operation?.operation == newer && report.undone.map(\.path) == ["a.yaml"])
        #expect(try machine.workspace.undo(nil).operation?.operation == older)
        #expect(machine.files == ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
    }

    @Test func `what of an operation was refused can be undone later, and what was done stays done`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        _ = try machine.workspace.change(["a", "b"], set: [("n", .string("1"))], unset: [])
        let operation = try machine.workspace.log(nil)[0]
        machine["b.yaml"] = "id: b\ntext: B\nn: 7\n"
        #expect(try machine.workspace.undo(nil).refused.map(\.path) == ["b.yaml"])
        #expect(try undone(operation, machine) == [try #require(TodoID("a"))])
        machine.edit("b.yaml", "n: 7", "n: '1'")
        machine["a.yaml"] = "id: a\ntext: A\nn: 8\n"
        let report = try machine.workspace.undo(nil)
        #expect(report.undone.map(\.path) == ["b.yaml"] && report.refused == [])
        #expect(machine.files == ["a.yaml": "id: a\ntext: A\nn: 8\n", "b.yaml": "id: b\ntext: B\n"])
    }

    @Test(arguments: [true, false])
    func `what is reported after an interruption is what was done`(isWritten: Bool) throws {
        let world = World()
        let template = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try template.set("a.yaml", "n", "1")
        var notices: Set<String> = []
        var number = 0
        var stops = 0
        var isDone = false
        while !isDone {
            number += 1
            let folder = try TemporaryFolder(copyOf: template.folder)
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: 5)
            _ = try? world.workspace(at: folder, failing).undo(nil)
            isDone = failing.calls < number
            let isUndone = folder.read("a.yaml") == "id: a\ntext: A\n"
            guard isUndone == isWritten else { continue }
            stops += 1
            let earlier = world.notices.count
            let machine = Machine(folder: folder, workspace: world.workspace(at: folder, FailingFileSystem()))
            #expect(throws: EngineError.self) { try machine.workspace.undo("no operation") }
            notices.formUnion(world.notices.dropFirst(earlier))
        }
        #expect(stops > 12)
        #expect(
            notices == [
                isWritten
                    ? "finished an interrupted command (todosync)"
                    : "could not finish an interrupted command (todosync): 1 todo was left unchanged"
            ])
    }

    @Test func `a full disk is reported with the name of the journal`() throws {
        let world = World()
        let template = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try template.set("a.yaml", "n", "1")
        var number = 0
        var failures = 0
        var isDone = false
        while !isDone {
            number += 1
            let folder = try TemporaryFolder(copyOf: template.folder)
            let failing = FailingFileSystem { [number] call throws(FileError) in
                guard call.number >= number, [.write, .truncate, .synchronize].contains(call.operation) else {
                    return
                }
                throw FileError(call.operation, call.name, code: 28)
            }
            do {
                _ = try world.workspace(at: folder, failing).undo(nil)
            } catch let error as FileError {
                failures += 1
                #expect(error.path != "", "\(error)")
            }
            isDone = failing.calls < number
        }
        #expect(failures > 40)
    }
}

extension Machine {
    /// The newest operation that is not an undo.
    var newestOperation: String? {
        get throws { try workspace.log(nil).first { $0.undoes == nil }?.operation }
    }

    /// Undoes the newest operation, whatever it did.
    func undoNewest() throws -> UndoReport { try workspace.undo(newestOperation) }
}
