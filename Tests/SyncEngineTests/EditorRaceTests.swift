import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// An editor that saves while a command is at work, at each call that it makes to the file system.
@Suite struct EditorRaceTests {
    enum Manner: CaseIterable, CustomTestStringConvertible {
        /// The file is written where it is.
        case inPlace
        /// Another file is renamed over it.
        case byRename
        /// The file is away for the time of a few calls.
        case withAPause

        var testDescription: String { "\(self)" }
    }

    @Test(arguments: [Verb.push, .pull, .sync], Manner.allCases)
    func `what an editor saves meanwhile is in the file, and becomes no conflict with oneself`(
        _ verb: Verb, _ manner: Manner
    ) async throws {
        let saved = "id: a\ntext: base\npriority: low\n# saved\n"
        var number = 0
        var isDone = false
        while !isDone {
            number += 1
            let world = World()
            let machines = try await world.machines(
                2, ["a.yaml": "id: a\ntext: base\npriority: low\n", "b.yaml": "id: b\ntext: b\n"])
            machines[1].edit("a.yaml", "base", "there")
            machines[1]["c.yaml"] = "id: c\ntext: c\n"
            machines[1]["b.yaml"] = nil
            try await machines[1].push()
            machines[0].edit("a.yaml", "low", "high")
            let folder = machines[0].folder
            let at = number
            let fileSystem = FailingFileSystem { call throws(FileError) in
                do {
                    switch manner {
                    case .inPlace: if call.number == at { try folder.write(saved, to: "a.yaml") }
                    case .byRename: if call.number == at { try folder.save(saved, to: "a.yaml") }
                    case .withAPause:
                        if call.number == at, folder.exists("a.yaml") { try folder.remove("a.yaml") }
                        if call.number == at + 3 { try folder.save(saved, to: "a.yaml") }
                    }
                } catch {
                    throw FileError(.write, "the editor", code: 5)
                }
            }
            let busy = Machine(folder: folder, workspace: world.workspace(at: folder, fileSystem))
            let report = try await busy.run(verb)
            isDone = fileSystem.calls < number
            // The editor is done by now in any case.
            if manner == .withAPause, fileSystem.calls < at + 3 { machines[0]["a.yaml"] = saved }
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
}
