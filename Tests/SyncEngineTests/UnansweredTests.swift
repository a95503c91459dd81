import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel

/// Operations that were sent and never answered, after the user has changed the todos again.
@Suite struct UnansweredTests {
    private static let files = Dictionary(
        uniqueKeysWithValues: (1...30).map { ("t\($0).yaml", "id: t\($0)\ntext: todo \($0)\n") })

    /// Pushes to a remote that becomes unreachable when it is sent something.
    private func pushInVain(_ machine: Machine, _ world: World, arrives: Bool = false) async throws {
        world.put(
            InterposedRemote(world.remote) { _, operations, remote in
                if arrives { _ = await remote.push(operations) }
                throw RemoteError.unreachable(url: "u", reason: "gone")
            })
        await #expect(throws: RemoteError.self) { try await machine.push() }
        world.put(world.remote)
    }

    /// Makes an edit of each kind.
    private func edit(_ machine: Machine) {
        machine.edit("t1.yaml", "todo 1", "secret")
        machine["t2.yaml"] = nil
        machine["new.yaml"] = "id: new\ntext: secret\n"
    }

    private func reversal(_ machine: Machine) {
        for (path, text) in Self.files where machine[path] != text { machine[path] = text }
        machine["new.yaml"] = nil
    }

    @Test(arguments: Verb.allCases)
    func `what was undone before it arrived is not sent`(verb: Verb) async throws {
        let world = World()
        let machines = try await world.machines(2, Self.files)
        let (here, there) = (machines[0], machines[1])
        edit(here)
        try await pushInVain(here, world)
        reversal(here)
        #expect(try here.isClean)
        let report = try await here.run(verb)
        #expect(report.pushed.isEmpty && report.conflicts.isEmpty)
        #expect(try here.isClean)
        try await there.sync()
        #expect(here.files == Self.files && there.files == Self.files)
    }

    @Test(arguments: Verb.allCases)
    func `what arrived and was undone is undone there, too`(verb: Verb) async throws {
        let world = World()
        let machines = try await world.machines(2, Self.files)
        let (here, there) = (machines[0], machines[1])
        edit(here)
        try await pushInVain(here, world, arrives: true)
        reversal(here)
        let report = try await here.run(verb)
        #expect(report.conflicts.isEmpty)
        #expect(here.files == Self.files)
        try await here.sync()
        try await there.sync()
        #expect(here.files == Self.files && there.files == Self.files)
    }

    @Test func `a pull sends nothing that had not arrived`() async throws {
        let world = World()
        let machine = try await world.machines(1, Self.files)[0]
        machine.edit("t1.yaml", "todo 1", "edited")
        try await pushInVain(machine, world)
        #expect(try await machine.pull().pushed.isEmpty)
        #expect(try !machine.isClean)
        #expect(try await machine.push().pushed.map(\.path) == ["t1.yaml"])
    }

    @Test func `deletes that had not arrived are counted by the guard with those to come`() async throws {
        let world = World()
        let machines = try await world.machines(2, Self.files)
        let (here, there) = (machines[0], machines[1])
        for number in 1...9 { here["t\(number).yaml"] = nil }
        try await pushInVain(here, world)
        for number in 10...30 { here["t\(number).yaml"] = nil }
        let report = try await here.push()
        #expect(report.pushed.isEmpty)
        #expect(report.withheld?.count == 30)
        try await there.sync()
        #expect(there.files == Self.files)
    }
}
