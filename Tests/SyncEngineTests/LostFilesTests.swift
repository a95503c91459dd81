import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Files in `.todosync` that somebody deleted or emptied because they looked useless.
@Suite struct LostFilesTests {
    // MARK: The configuration

    @Test(arguments: [nil, "", "\n \r\n"], Verb.allCases)
    func `nothing is pushed or pulled where the configuration is lost`(_ left: String?, _ verb: Verb)
        async throws
    {
        let (world, machine) = try await withPrivateFile(left)
        for isDryRun in [false, true] {
            let options = SyncOptions(isDryRun: isDryRun)
            let report =
                switch verb {
                case .push: try await machine.workspace.push(options)
                case .pull: try await machine.workspace.pull(options)
                case .sync: try await machine.workspace.sync(options)
                }
            guard case EngineError.lostConfiguration(World.url)? = report.stop else {
                Issue.record("\(String(describing: report.stop))")
                return
            }
        }
        #expect(await world.remote.liveRecords().map(\.id) == ["a"])
        #expect(machine["private.yaml"] == "text: secret\n", "it got no id")
        #expect(world.notices == [])
    }

    @Test func `a reader or writer is warned in one line that the configuration is lost`() async throws {
        let (world, machine) = try await withPrivateFile(nil)
        let commands: [() throws -> Void] = [
            { _ = try machine.status }, { _ = try machine.workspace.list() },
            { _ = try machine.workspace.diff([]) }, { _ = try machine.workspace.log(nil) },
            { try machine.set("work/a.yaml", "priority", "high") },
        ]
        for (number, command) in commands.enumerated() {
            try command()
            #expect(world.notices.count == number + 1)
        }
        #expect(
            world.notices.allSatisfy { $0.hasPrefix("warning: .todosync/config.yaml is missing or empty") })
        let report = try machine.workspace.check(repairs: false)
        #expect(report.problems == [.lostConfiguration(url: World.url)])
    }

    @Test func `the remote's URL is set anew, and then all goes on`() async throws {
        let (world, machine) = try await withPrivateFile(nil)
        try await machine.workspace.setRemote(World.url)
        #expect(machine.folder.read(".todosync/config.yaml") == "remote: \(World.url)\n")
        #expect(world.notices.count == 1, "that other settings are lost, too")
        try machine.folder.write("remote: \(World.url)\ninclude: work/**\n", to: ".todosync/config.yaml")
        let report = try await machine.sync()
        #expect(report.pushed == [] && report.conflicts == [])
        #expect(machine["private.yaml"] == "text: secret\n")
    }

    @Test func `a remote that was removed is not lost`() async throws {
        let (world, machine) = try await withPrivateFile("remote: \(World.url)\n")
        try machine.workspace.removeRemote()
        #expect(try machine.status.remote == nil)
        await #expect(throws: EngineError.self) { try await machine.push() }
        #expect(world.notices == [] && machine.folder.read(".todosync/config.yaml") == "remote: null\n")
        try await machine.workspace.addRemote(World.url)
        #expect(machine.folder.read(".todosync/config.yaml") == "remote: \(World.url)\n")
    }

    @Test func `a folder that never met a remote has nothing to lose`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "text: A\n"], url: nil)
        try machine.folder.remove(".todosync/config.yaml")
        _ = try machine.status
        do {
            try await machine.push()
            Issue.record("there is no remote to push to")
        } catch EngineError.noRemote {}
        #expect(world.notices == [])
    }

    private func withPrivateFile(_ configuration: String?) async throws -> (World, Machine) {
        let world = World()
        let machine = try world.machine(
            ["work/a.yaml": "id: a\ntext: A\n", "private.yaml": "text: secret\n"], include: ["work/**"])
        try await machine.sync()
        if let configuration {
            try machine.folder.write(configuration, to: ".todosync/config.yaml")
        } else {
            try machine.folder.remove(".todosync/config.yaml")
        }
        return (world, machine)
    }

    // MARK: The lock and the length of the journal

    static let losses: [[String]] = [["lock"], ["journal.length"], ["lock", "journal.length", "cache"]]

    @Test(arguments: losses, Verb.allCases)
    func `what is pending is sent as if no lock had been lost, and nobody is asked`(
        _ lost: [String], _ verb: Verb
    ) async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n", "c.yaml": "id: c\ntext: C\n"])
        let machine = machines[0]
        machine.edit("a.yaml", "A", "edited")
        machine["b.yaml"] = nil
        machine["new.yaml"] = "id: new\ntext: new\n"
        try lose(lost, machine)
        let report = try await machine.run(verb)
        #expect(report.conflicts == [] && report.pulled == [] && world.notices == [])
        #expect(report.pushed.count == (verb == .pull ? 0 : 3))
        try await machine.sync()
        #expect(try machine.isClean && machine.workspace.check(repairs: false).isHealthy)
        #expect(
            machine.folder.read(".todosync/journal.length")?.utf8.count == 37, "the length is known again")
        // After that, both sides' edits merge as usual.
        try await machines[1].pull()
        machines[1].edit("c.yaml", "C", "there")
        try await machines[1].push()
        try machine.set("c.yaml", "priority", "high")
        #expect(try await machine.sync().merged.map(\.path) == ["c.yaml"])
    }

    @Test func `a lost lock alone makes no conflict of what the remote has new`() async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        _ = try machines[0].status
        machines[1].edit("a.yaml", "A", "there")
        try await machines[1].push()
        try machines[0].set("a.yaml", "priority", "high")
        try lose(["lock"], machines[0])
        let report = try await machines[0].sync()
        #expect(report.conflicts == [] && report.merged.map(\.path) == ["a.yaml"])
    }

    @Test(arguments: losses, Verb.allCases)
    func `an older journal is not believed either where its length is lost`(_ lost: [String], _ verb: Verb)
        async throws
    {
        let world = World()
        var older: [UInt8] = []
        let machine = try await world.busyMachine { older = $0.folder.bytes(".todosync/journal") ?? [] }
        let expected = machine.files
        try Data(older).write(to: URL(filePath: machine.folder.path(of: ".todosync/journal")))
        try lose(lost, machine)
        try await machine.run(verb)
        try await machine.sync()
        await expectNothingLost(machine, expected, world, "\(lost) \(verb)")
        let content = try #require(machine["e.yaml"])
        #expect(content.contains("pushed") && content.contains("later"), "\(content)")
    }

    @Test func `the length of a journal that was written anew is recorded`() async throws {
        let machine = try await World().machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        for number in 0..<5 { try machine.set("a.yaml", "n", "\(number)") }
        try await machine.push()
        #expect(try machine.workspace.compact(keeping: 0) != nil)
        let length = try #require(machine.folder.bytes(".todosync/journal")).count
        #expect(machine.folder.read(".todosync/journal.length").flatMap { Int($0.prefix(19)) } == length)
    }

    private func lose(_ files: [String], _ machine: Machine) throws {
        for file in files where machine.folder.exists(".todosync/" + file) {
            try machine.folder.remove(".todosync/" + file)
        }
    }
}
