import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// What conflict markers show about where the sides come from.
@Suite struct OriginTests {
    private static let text = "id: a\ntext: base\n"

    /// Creates two machines with the todo; the first has changed its text to `here`, the second has pushed
    /// `there`.
    private func conflict(_ world: World, _ devices: [String?] = ["phone", "laptop"]) async throws
        -> [Machine]
    {
        var machines: [Machine] = []
        for device in devices {
            let machine = try world.machine(
                machines.isEmpty ? ["a.yaml": Self.text] : [:], device: device, hasPlainLabels: false)
            try await machine.sync()
            machines.append(machine)
        }
        machines[1].edit("a.yaml", "base", "there")
        try await machines[1].push()
        machines[0].edit("a.yaml", "base", "here")
        return machines
    }

    private func version(_ world: World) async throws -> String {
        try #require(await world.remote.record(id: "a")).version.string
    }

    private func block(local: String = " (phone)", remote: String) -> String {
        "id: a\n<<<<<<< local\(local)\ntext: here\n=======\ntext: there\n>>>>>>> remote\(remote)\n"
    }

    @Test(arguments: Verb.allCases)
    func `markers name both devices, and the remote's version`(_ verb: Verb) async throws {
        let world = World()
        let machines = try await conflict(world)
        try await machines[0].run(verb)
        #expect(machines[0]["a.yaml"] == block(remote: " (laptop, version \(try await version(world)))"))
    }

    @Test func `a device without a name is not named`() async throws {
        for none in [nil, "", " ", "()"] {
            let world = World()
            let machines = try await conflict(world, [none, none])
            #expect(await world.remote.record(id: "a")?.layout?.device == nil)
            try await machines[0].sync()
            let expected = block(local: "", remote: " (version \(try await version(world)))")
            #expect(machines[0]["a.yaml"] == expected)
        }
    }

    @Test func `a device is named only where it wrote the version`() async throws {
        let world = World()
        let machines = try await conflict(world)
        // An app that supports only fields leaves the previous writer's layout.
        await world.remote.put(id: "a", fields: ["text": .string("app")])
        #expect(await world.remote.record(id: "a")?.layout?.device == "laptop")
        try await machines[0].sync()
        let expected = block(remote: " (version \(try await version(world)))").replacing("there", with: "app")
        #expect(machines[0]["a.yaml"] == expected)
    }

    @Test func `a client that supports files and no devices is not taken for one`() async throws {
        let world = World()
        let machines = try await conflict(world)
        var record = try #require(await world.remote.record(id: "a"))
        record.layout?.device = nil
        await world.remote.put(record)
        try await machines[0].sync()
        #expect(machines[0]["a.yaml"] == block(remote: " (version \(try await version(world)))"))
    }

    @Test(arguments: [
        ("x\n=======\n>>>>>>> remote\n<<<<<<< local\n", "x remote local"), ("\u{1B}]0;a\u{7}", "0 a"),
        ("a) (b", "a b"), (String(repeating: "y", count: 100_000), String(repeating: "y", count: 64)),
    ])
    func `a device's name is not trusted`(_ name: String, _ shown: String) async throws {
        let world = World()
        let machines = try await conflict(world)
        var record = try #require(await world.remote.record(id: "a"))
        record.layout?.device = name
        await world.remote.put(record)
        try await machines[0].sync()
        let expected = block(remote: " (\(shown), version \(try await version(world)))")
        #expect(machines[0]["a.yaml"] == expected)
        try machines[0].resolve(by: .use(.remote))
        #expect(machines[0]["a.yaml"] == "id: a\ntext: there\n")
    }

    @Test func `a version is not trusted`() async throws {
        let world = World()
        let machines = try await conflict(world, ["phone", nil])
        var record = try #require(await world.remote.record(id: "a"))
        record.version = Version("a) \u{1B}\nb" + String(repeating: "=", count: 99))
        world.put(
            InterposedRemote(world.remote) { [record] _, sent, _ in sent.map { _ in .movedOn(record) } })
        try await machines[0].push()
        let shown = "ab" + String(repeating: "=", count: 38)
        #expect(machines[0]["a.yaml"] == block(remote: " (version \(shown))"))
    }

    @Test func `another device with equal content is no change`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": Self.text], device: "phone")
        let other = try world.machine(["a.yaml": Self.text], device: "laptop")
        try await machine.sync()
        #expect(try await other.sync().pushed.isEmpty)
        var record = try #require(await world.remote.record(id: "a"))
        record.layout?.device = "tablet"
        await world.remote.put(record)
        for machine in [machine, other] {
            let report = try await machine.sync()
            #expect(report.pushed.isEmpty && report.pulled.isEmpty && report.merged.isEmpty)
            #expect(try machine.isClean)
        }
        #expect(await world.remote.record(id: "a")?.layout?.device == "tablet")
        // The next push that the todo needs anyway records its device.
        machine.edit("a.yaml", "base", "more")
        try await machine.push()
        #expect(await world.remote.record(id: "a")?.layout?.device == "phone")
    }

    @Test func `the same edit on two devices leaves nothing pending`() async throws {
        let world = World()
        let machines = try await conflict(world)
        machines[0].edit("a.yaml", "here", "there")
        #expect(try await machines[0].sync().pushed.isEmpty)
        #expect(try machines[0].isClean)
        #expect(await world.remote.record(id: "a")?.layout?.device == "laptop")
    }

    @Test func `a change that has to wait keeps its origin`() async throws {
        let world = World()
        let machines = try await conflict(world)
        let version = try await version(world)
        machines[0]["a.yaml"] = "id: a\ntext: [\n"
        try await machines[0].pull()
        machines[0]["a.yaml"] = "id: a\ntext: here\n"
        try await machines[0].pull()
        #expect(machines[0]["a.yaml"] == block(remote: " (laptop, version \(version))"))
    }

    @Test func `the side that deleted is a version, and no device`() async throws {
        let world = World()
        let machines = try await conflict(world)
        machines[1]["a.yaml"] = nil
        try await machines[1].push()
        try await machines[0].pull()
        let label = "(version \(try await version(world)))"
        #expect(
            machines[0]["a.yaml"]
                == "id: a\n<<<<<<< local (phone)\ntext: here\n=======\n>>>>>>> remote \(label)\n")
        try machines[0].resolve(by: .use(.remote))
        #expect(machines[0].files.isEmpty)
    }

    @Test(arguments: [true, false], [Side.local, .remote, .base])
    func `a conflict is resolved under another setting than it was written under`(
        _ isPlainFirst: Bool, _ side: Side
    ) async throws {
        let world = World()
        let machines = try await conflict(world)
        let configuration = try #require(machines[0][".todosync/config.yaml"])
        let plain = configuration + "merge:\n  labels: plain\n"
        machines[0][".todosync/config.yaml"] = isPlainFirst ? plain : configuration
        try await machines[0].pull()
        let markers = try #require(machines[0]["a.yaml"])
        #expect((markers == block(local: "", remote: "")) == isPlainFirst)
        machines[0][".todosync/config.yaml"] = isPlainFirst ? configuration : plain
        try await machines[0].pull()
        #expect(machines[0]["a.yaml"] == markers)
        #expect(try machines[0].status.conflicts.map(\.hasMarkers) == [true])
        #expect(try machines[0].resolve().unresolved.count == 1)
        try machines[0].resolve(by: .use(side))
        let taken = side == .local ? "here" : side == .remote ? "there" : "base"
        #expect(machines[0]["a.yaml"] == "id: a\ntext: \(taken)\n")
        try await machines[0].sync()
        #expect(try machines[0].isClean)
    }

    @Test(arguments: [
        ("merge:\n  labels: plain\n", true), ("merge.labels: plain\n", true),
        ("merge.labels: origin\n", false),
        ("merge: {conflictStyle: diff3}\n", false),
    ])
    func `the configuration sets which labels there are`(_ text: String, _ isPlain: Bool) throws {
        #expect(try Configuration(parsing: Array(text.utf8)).hasPlainLabels == isPlain)
    }

    @Test(arguments: ["merge:\n  labels: none\n", "merge.labels: [plain]\n", "merge.labels: true\n"])
    func `other labels are reported with their position`(_ text: String) throws {
        let problem = #expect(throws: Configuration.Problem.self) {
            try Configuration(parsing: Array(text.utf8))
        }
        #expect(problem?.reason == #"merge.labels must be "origin" or "plain""#)
        #expect(problem?.line == 1)
    }
}
