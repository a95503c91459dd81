import Foundation
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// A subfolder on a different file system than the folder: a record about a file there must not reach the
/// disk before the file.
@Suite struct MountedFolderTests {
    enum Case: CaseIterable, CustomTestStringConvertible {
        case pushedEdit, pushedRename, pushedDelete, sameOnBothSides, resolved, recovered

        var testDescription: String { "\(self)" }
    }

    /// Makes two machines with todos in `m`, which ``mount(_:_:)`` puts on a different file system.
    private func machines(_ world: World) async throws -> [Machine] {
        try await world.machines(
            2,
            [
                "m/a.yaml": "id: a\ntext: base\n", "b.yaml": "id: b\ntext: base\n",
                "m/c.yaml": "id: c\ntext: c\n",
            ])
    }

    private func mount(_ machine: Machine, _ fileSystem: FailingFileSystem) throws -> FailingFileSystem {
        let status = try FileManager.default.attributesOfItem(atPath: machine.folder.path(of: "m"))
        var mounted = fileSystem
        mounted.foreignFolders = [try #require(status[.systemFileNumber] as? UInt64)]
        return mounted
    }

    private func records(_ machine: Machine) throws -> [JournalRecord] {
        JournalLines(try #require(machine.folder.bytes(".todosync/journal"))).map(\.record)
    }

    @Test(arguments: Case.allCases)
    func `nothing is recorded that rests on a file which is not on its disk`(_ row: Case) async throws {
        let world = World()
        let machines = try await machines(world)
        let (here, there) = (machines[0], machines[1])
        switch row {
        case .pushedEdit: here.edit("m/a.yaml", "base", "edited")
        case .pushedRename: here.rename("m/a.yaml", to: "a.yaml")
        case .pushedDelete: here["m/a.yaml"] = nil
        case .sameOnBothSides:
            for machine in machines { machine.edit("m/a.yaml", "base", "same") }
            try await there.push()
        case .resolved:
            here.edit("m/a.yaml", "base", "here")
            there.edit("m/a.yaml", "base", "there")
            try await there.push()
            try await here.pull()
            here["m/a.yaml"] = "id: a\ntext: both\n"
        case .recovered:
            there.edit("m/a.yaml", "base", "there")
            try await there.push()
            let stopping = try mount(
                here, FailingFileSystem(crashingAt: { $0.name.hasPrefix("everything") }, code: EIO))
            _ = try? await world.workspace(at: here.folder, stopping).pull(SyncOptions())
            #expect(here["m/a.yaml"] == "id: a\ntext: there\n")
        }
        let before = try records(here).count
        let failing = try mount(
            here,
            FailingFileSystem(
                crashingAt: { $0.name == FailingFileSystem.everythingForeign.description }, code: EIO))
        let stopped = Machine(folder: here.folder, workspace: world.workspace(at: here.folder, failing))
        await #expect(throws: (any Error).self) {
            if row == .resolved { try stopped.resolve() } else { try await stopped.sync() }
        }
        for record in try records(here)[before...] {
            switch record {
            case .sent, .confirmed, .finished, .end: Issue.record("\(record)")
            default: break
            }
        }
        let whole = try mount(here, FailingFileSystem())
        let machine = Machine(folder: here.folder, workspace: world.workspace(at: here.folder, whole))
        try await machine.sync()
        try await there.sync()
        #expect(machine.files == there.files)
        #expect(try machine.isClean)
    }

    @Test func `a file system is written to disk once, and one that has nothing to do with it is not`()
        async throws
    {
        let world = World()
        let machine = try await machines(world)[0]
        func synchronizations(editing path: String) async throws -> [String] {
            let names = Mutex<[String]>([])
            let counting = try mount(
                machine,
                FailingFileSystem { call throws(FileError) in
                    if call.name.hasPrefix("everything") { names.withLock { $0.append(call.name) } }
                })
            machine.edit(path, "base", "edited base")
            _ = try await world.workspace(at: machine.folder, counting).sync(SyncOptions())
            return names.withLock(\.self)
        }
        #expect(try await synchronizations(editing: "b.yaml") == ["everything"])
        #expect(try await synchronizations(editing: "m/a.yaml") == ["everything", "everything foreign"])
    }
}
