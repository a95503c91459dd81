import Foundation
import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Read-only commands, in any state of `.todosync`.
@Suite(.serialized) struct ReadingTests {
    struct State: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var prepare: @Sendable (World, Machine) async throws -> Void

        static let all = [
            State(testDescription: "healthy") { _, _ in },
            State(testDescription: "a damaged journal") { _, machine in
                let journal = try #require(machine.folder.read(".todosync/journal"))
                try machine.folder.write(
                    journal.replacing("confirmed", with: "confirned", maxReplacements: 1),
                    to: ".todosync/journal")
            },
            State(testDescription: "a journal that was cut") { _, machine in
                let journal = try #require(machine.folder.read(".todosync/journal"))
                try machine.folder.write(String(journal.prefix(journal.count / 2)), to: ".todosync/journal")
            },
            State(testDescription: "no journal") { _, machine in
                try machine.folder.remove(".todosync/journal")
            },
            State(testDescription: "neither journal nor its length") { _, machine in
                try machine.folder.remove(".todosync/journal")
                try machine.folder.remove(".todosync/journal.length")
            },
            State(testDescription: "a command that was cut off") { world, machine in
                for number in stride(from: 60, to: 200, by: 20) {
                    let failing = FailingFileSystem(failingAt: number, andAfter: true, code: 5)
                    _ = try? await world.workspace(at: machine.folder, failing).sync(SyncOptions())
                }
            },
            State(testDescription: "another store's URL") { world, machine in
                world.put(InMemoryRemote(seed: 9), at: "/other")
                try machine.folder.write("remote: /other\n", to: ".todosync/config.yaml")
            },
            State(testDescription: "no remote to reach") { _, machine in
                try machine.folder.write("remote: /nowhere\n", to: ".todosync/config.yaml")
            },
        ]
    }

    @Test(arguments: [false, true], 2...8)
    func `what can't be read is not taken for never recorded`(isDryRun: Bool, count: Int) async throws {
        let (world, machine) = try await busyMachine()
        var failures = 0
        for number in 1...100 {
            let folder = try TemporaryFolder(copyOf: machine.folder)
            // This creates a new cache, because another folder's cache doesn't count.
            _ = try world.workspace(at: folder, FailingFileSystem()).status()
            let reads = Atomic(0)
            let failing = FailingFileSystem { call throws(FileError) in
                guard call.operation == .read else { return }
                // A command reads the journal's parts with base versions, and then the whole journal.
                if number..<number + count ~= reads.add(1, ordering: .relaxed).newValue {
                    throw FileError(call.operation, call.name, code: 5)
                }
            }
            let workspace = world.workspace(at: folder, failing)
            guard let report = try? await workspace.pull(SyncOptions(isDryRun: isDryRun)) else {
                failures += 1
                continue
            }
            #expect(report.conflicts.filter { $0.kind == .insertInsert }.isEmpty, "at call \(number)")
            if reads.load(ordering: .relaxed) < number { break }
        }
        #expect(failures > 2)
    }

    @Test(arguments: State.all)
    func `a command that only looks writes nothing but the cache`(_ state: State) async throws {
        let (world, machine) = try await busyMachine()
        try await state.prepare(world, machine)
        let before = machine.folder.contentsBesidesCache().filter { $0 != (".todosync/lock", "") }
        let names = machine.folder.names()
        let workspace = machine.workspace
        _ = try workspace.status()
        _ = try workspace.list()
        _ = try workspace.diff([])
        _ = try workspace.log(nil)
        _ = try? workspace.show("a", .file)
        _ = try? workspace.show("a", .base)
        _ = try? workspace.explain("a")
        // The cache is written under a lock, whose file is empty.
        let written: Set = [".todosync/cache", ".todosync/lock"]
        #expect(machine.folder.contentsBesidesCache().filter { $0 != (".todosync/lock", "") } == before)
        #expect(machine.folder.names().subtracting(written) == names.subtracting(written))
    }

    @Test(arguments: ["a-copy.yaml", "z-copy.yaml"])
    func `a todo whose file was copied is listed once, also where the cache has it`(copy: String) async throws
    {
        let world = World()
        let machine = try world.machine(["m.yaml": "id: m\ntext: m\n", "n.yaml": "id: n\ntext: n\n"])
        try await machine.push()
        // Waits until no change to the files could be missed, so that they needn't be read again.
        try await Task.sleep(for: .milliseconds(30))
        _ = try machine.workspace.status()
        machine[copy] = machine["m.yaml"]
        #expect(try machine.workspace.list().map(\.path) == ["m.yaml", "n.yaml"])
        #expect(try machine.workspace.status().duplicates.map(\.path) == [copy])
        machine["m.yaml"] = nil
        #expect(try machine.workspace.list().map(\.path).sorted() == [copy, "n.yaml"].sorted())
    }

    @Test(arguments: State.all)
    func `a dry run writes nothing at all`(_ state: State) async throws {
        let (world, machine) = try await busyMachine()
        try await state.prepare(world, machine)
        let before = machine.folder.contents()
        let names = machine.folder.names()
        let records = await world.remote.liveRecords().map(\.version)
        for verb in Verb.allCases {
            let options = SyncOptions(isDryRun: true)
            switch verb {
            case .push: _ = try await machine.workspace.push(options)
            case .pull: _ = try await machine.workspace.pull(options)
            case .sync: _ = try await machine.workspace.sync(options)
            }
            #expect(machine.folder.contents() == before, "\(verb)")
            #expect(machine.folder.names() == names, "\(verb)")
        }
        #expect(await world.remote.liveRecords().map(\.version) == records)
    }

    @Test(arguments: State.all)
    func `a dry run reports what the run then does`(_ state: State) async throws {
        let (world, machine) = try await busyMachine()
        try await state.prepare(world, machine)
        let planned = try await machine.workspace.sync(SyncOptions(isDryRun: true))
        let done = try await machine.workspace.sync(SyncOptions())
        #expect(planned.conflicts.map(\.path) == done.conflicts.map(\.path))
        #expect(planned.pulled == done.pulled)
        #expect(planned.merged.map(\.path) == done.merged.map(\.path))
        #expect(planned.stop.map { "\($0)" } == done.stop.map { "\($0)" })
    }

    /// Makes a machine with edits, and a remote with a conflict, a mergeable edit, a delete and a new todo.
    private func busyMachine() async throws -> (World, Machine) {
        let world = World()
        let machines = try await world.machines(
            2,
            [
                "a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n", "c.yaml": "id: c\ntext: C\n",
                "d.yaml": "id: d\ntext: D\ntags: [x]\n",
            ])
        let (here, there) = (machines[0], machines[1])
        there.edit("b.yaml", "B", "there")
        there["c.yaml"] = nil
        there.edit("d.yaml", "[x]", "[x, y]")
        there["e.yaml"] = "id: e\ntext: E\n"
        try await there.push()
        here.edit("a.yaml", "A", "here")
        here.edit("b.yaml", "B", "here")
        here.edit("d.yaml", "[x]", "[x, z]")
        return (world, here)
    }
}

extension TemporaryFolder {
    /// Returns the paths of all files and folders.
    fileprivate func names() -> Set<String> {
        Set((FileManager.default.enumerator(atPath: path) ?? .init()).compactMap { $0 as? String })
    }
}
