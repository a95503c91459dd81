import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import Values
import WorkingCopy

/// Todos that recur: each completed one is followed by its next occurrence.
@Suite struct OccurrenceTests {
    private static let open = "id: milk\ntext: Milk\ndue: 2026-12-01\nevery: week\n"
    private static let done = open + "complete: true\n"
    private static let nextPath = "milk-2026-12-08.yaml"
    private static let next =
        "id: 7a7d4380-2c94-54bc-a9b5-fd884d0292b8\ntext: Milk\ndue: 2026-12-08\nevery: week\n"

    private func machines(_ count: Int, _ text: String = open) async throws -> (World, [Machine]) {
        let world = World()
        var machines = [try world.machine(["milk.yaml": text])]
        try await machines[0].sync()
        while machines.count < count {
            machines.append(try world.machine())
            try await machines[machines.count - 1].pull()
        }
        return (world, machines)
    }

    private func complete(_ machine: Machine, _ value: Bool = true, _ path: String = "milk.yaml") throws {
        _ = try machine.workspace.change(
            [path], set: value ? [("complete", .bool(true))] : [], unset: value ? [] : ["complete"])
    }

    @Test func `completing a todo creates the next one, which completes in its turn`() async throws {
        let machine = try await machines(1).1[0]
        try complete(machine)
        #expect(machine.files == ["milk.yaml": Self.done, Self.nextPath: Self.next])
        try await machine.push()
        #expect(try machine.isClean)
        try complete(machine, true, Self.nextPath)
        #expect(machine.files.keys.sorted() == ["milk-2026-12-08.yaml", "milk-2026-12-15.yaml", "milk.yaml"])
    }

    @Test func `two devices that complete a todo offline create the same next one`() async throws {
        let machines = try await machines(2).1
        for machine in machines { try complete(machine) }
        for machine in machines + machines {
            let report = try await machine.sync()
            #expect(report.conflicts == [])
        }
        for machine in machines {
            #expect(machine.files == ["milk.yaml": Self.done, Self.nextPath: Self.next])
            #expect(try machine.isClean)
        }
    }

    @Test func `a device whose next todo is untouched takes what became of it elsewhere`() async throws {
        let machines = try await machines(2).1
        try complete(machines[0])
        try complete(machines[0], true, Self.nextPath)
        machines[0].edit(Self.nextPath, "Milk", "Oat milk")
        try await machines[0].push()
        try complete(machines[1])
        let report = try await machines[1].sync()
        #expect(report.conflicts == [])
        #expect(machines[1].files == machines[0].files)
    }

    @Test func `a push and a sync create the next todo after one that an editor completed`() async throws {
        for pulls in [false, true] {
            let (world, machines) = try await machines(1)
            machines[0]["milk.yaml"] = Self.done
            let report = try await pulls ? machines[0].sync() : machines[0].push()
            #expect(report.pushed.map(\.path) == [Self.nextPath, "milk.yaml"])
            #expect(machines[0][Self.nextPath] == Self.next)
            #expect(await world.remote.liveRecords().count == 2)
            #expect(try machines[0].isClean)
        }
    }

    @Test func `a push of named todos sends the next one, too`() async throws {
        let machine = try await machines(1).1[0]
        machine["milk.yaml"] = Self.done
        #expect(try await machine.push(todos: ["milk.yaml"]).pushed.count == 2)
    }

    @Test func `a completion that was pulled creates nothing, whatever is edited later`() async throws {
        let (world, machines) = try await machines(1)
        await world.remote.put(
            id: "milk",
            fields: [
                "text": .string("Milk"), "due": .string("2026-12-01"), "every": .string("week"),
                "complete": .bool(true),
            ])
        try await machines[0].sync()
        #expect(machines[0]["milk.yaml"]?.contains("complete: true") == true)
        _ = try machines[0].workspace.change(["milk.yaml"], set: [("notes", .string("n"))], unset: [])
        machines[0].edit("milk.yaml", "text: Milk", "text: Oat milk")
        try await machines[0].sync()
        #expect(machines[0].files.count == 1)
    }

    // MARK: Deleted occurrences

    @Test func `a next todo that was deleted here is not created again`() async throws {
        let machine = try await machines(1).1[0]
        try complete(machine)
        _ = try machine.workspace.remove([Self.nextPath])
        try await machine.sync()
        #expect(machine.files == ["milk.yaml": Self.done])
        try complete(machine, false)
        try complete(machine)
        #expect(machine.files == ["milk.yaml": Self.done])
    }

    @Test func `a next todo that was deleted on the remote is not created again`() async throws {
        let machines = try await machines(3).1
        try complete(machines[0])
        try await machines[0].push()
        _ = try machines[0].workspace.remove([Self.nextPath])
        try await machines[0].push(allowing: 1)
        // One device learns of the delete before it creates the next todo, and one afterward.
        machines[1]["milk.yaml"] = Self.done
        try complete(machines[2])
        for machine in machines[1...] {
            #expect(try await machine.sync().conflicts == [])
            #expect(machine.files == ["milk.yaml": Self.done])
            #expect(try machine.isClean)
        }
    }

    // MARK: Reopening

    @Test func `reopening a todo removes the next one, and completing it creates that again`() async throws {
        for isPushed in [false, true] {
            let machine = try await machines(1).1[0]
            try complete(machine)
            if isPushed { try await machine.push() }
            try complete(machine, false)
            #expect(machine.files == ["milk.yaml": Self.open])
            try complete(machine)
            #expect(machine.files == ["milk.yaml": Self.done, Self.nextPath: Self.next])
            try await machine.push()
            #expect(try machine.isClean)
        }
    }

    @Test func `after a reopening that was sent, completing a todo creates the next one again`() async throws
    {
        let machine = try await machines(1).1[0]
        for _ in 0..<3 {
            try complete(machine)
            #expect(machine.files == ["milk.yaml": Self.done, Self.nextPath: Self.next])
            try await machine.sync()
            try complete(machine, false)
            try await machine.sync()
            #expect(machine.files == ["milk.yaml": Self.open])
            #expect(try machine.isClean)
        }
        try complete(machine)
        // The user deletes it for good, before it was sent and afterward.
        _ = try machine.workspace.remove([Self.nextPath])
        try await machine.sync()
        #expect(machine.files == ["milk.yaml": Self.done])
    }

    @Test(arguments: [false, true])
    func `on another device, too, whether or not it had the next one`(hadIt: Bool) async throws {
        let (world, machines) = try await machines(2)
        try complete(machines[0])
        try await machines[0].sync()
        if hadIt { try await machines[1].sync() }
        try complete(machines[0], false)
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1].files == ["milk.yaml": Self.open])
        try complete(machines[1])
        for machine in machines.reversed() {
            #expect(try await machine.sync().conflicts == [])
            #expect(machine.files == ["milk.yaml": Self.done, Self.nextPath: Self.next])
            #expect(try machine.isClean)
        }
        #expect(await world.remote.liveRecords().count == 2)
    }

    @Test func `a completion that creates nothing reports why`() async throws {
        let (world, machines) = try await machines(1)
        let machine = machines[0]
        try complete(machine)
        machine.edit(Self.nextPath, "Milk", "Oat milk")
        try complete(machine, false)
        #expect(world.notices == [])
        try complete(machine)
        #expect(
            world.notices == ["note: the next occurrence of milk.yaml already exists, at \(Self.nextPath)"])
        _ = try machine.workspace.remove([Self.nextPath])
        try await machine.sync()
        try complete(machine, false)
        try complete(machine)
        #expect(
            world.notices.dropFirst() == [
                "note: the next occurrence of milk.yaml, due 2026-12-08, was deleted, so it isn't created again"
            ])
    }

    @Test func `a time of another zone keeps its offset, with a note`() async throws {
        let due = "2026-12-01T09:30:00+01:00"
        let (world, machines) = try await machines(1, Self.open.replacing("2026-12-01", with: due))
        let machine = machines[0]
        _ = try machine.workspace.skip(["milk.yaml"])
        try complete(machine)
        #expect(machine["milk-2026-12-15.yaml"]?.contains("due: 2026-12-15T09:30:00+01:00\n") == true)
        try await machine.push()
        machine["milk-2026-12-15.yaml"]? += "complete: true\n"
        try await machine.push()
        #expect(
            world.notices
                == ["milk.yaml", "milk-2026-12-15.yaml", "milk-2026-12-22.yaml"].map {
                    "note: \($0): the time keeps its offset, +01:00, because that isn't the offset of "
                        + "this device's time zone; check it if the clocks change there"
                })
    }

    @Test(arguments: [Verb.push, .sync])
    func `a dry run lists the next todo after one that an editor completed`(_ verb: Verb) async throws {
        let machine = try await machines(1).1[0]
        machine["milk.yaml"] = Self.done
        let foreseen = try await machine.workspace.perform(verb, SyncOptions(isDryRun: true))
        #expect(foreseen.pushed.map(\.path) == [Self.nextPath, "milk.yaml"])
        #expect(machine.files == ["milk.yaml": Self.done])
        #expect(try await machine.run(verb).pushed == foreseen.pushed)
    }

    @Test(arguments: [Verb.pull, .sync])
    func `a dry run reckons with the user's time zone`(_ verb: Verb) async throws {
        // New York's clocks are set back on 1 November 2026, between the two occurrences.
        let change = 1_793_512_800
        let zone = LocalZone { $0 < change ? -4 * 3600 : -5 * 3600 }
        var (_, machines) = try await machines(
            2, Self.open.replacing("2026-12-01", with: "2026-10-27T09:00:00-04:00"))
        for index in machines.indices {
            let workspace = machines[index].workspace
            var surroundings = workspace.surroundings
            surroundings.zone = zone
            machines[index].workspace = Workspace(directory: workspace.directory, surroundings: surroundings)
        }
        for machine in machines { try complete(machine) }
        let path = "milk-2026-11-03.yaml"
        machines[1].edit(path, "text: Milk", "text: Oat milk")
        try await machines[1].push()
        let foreseen = try await machines[0].workspace.perform(verb, SyncOptions(isDryRun: true))
        #expect(foreseen.conflicts == [] && !foreseen.needsUser)
        let report = try await machines[0].run(verb)
        #expect(report.conflicts == [] && report.pulledLines.contains("update \(path)"))
        #expect(machines[0][path]?.contains("due: 2026-11-03T09:00:00-05:00") == true)
    }

    @Test func `a field every with an escaped letter is found by all commands`() async throws {
        let (_, machines) = try await machines(2, Self.open.replacing("every", with: #""\x65very""#))
        for (machine, isEditor) in zip(machines, [false, true]) {
            if isEditor {
                machine["milk.yaml"]? += "complete: true\n"
                try await machine.push()
            } else {
                try complete(machine)
            }
            #expect(machine.files.keys.sorted() == [Self.nextPath, "milk.yaml"])
            try complete(machine, false)
            #expect(machine.files.keys.sorted() == ["milk.yaml"])
        }
    }

    @Test func `reopening a todo leaves a next one that was changed`() async throws {
        let machine = try await machines(1).1[0]
        try complete(machine)
        machine.edit(Self.nextPath, "Milk", "Oat milk")
        try complete(machine, false)
        #expect(machine.files.count == 2)
    }

    @Test func `without a due date, reopening a todo days later still finds the next one`() async throws {
        let (world, machines) = try await machines(1, "id: milk\ntext: Milk\nevery: 3 days\n")
        // Eleven days before the world's date.
        var surroundings = world.surroundings()
        surroundings.now = { "2026-11-20T09:30:00Z" }
        let machine = machines[0]
        let earlier = Machine(
            folder: machine.folder,
            workspace: Workspace(directory: machine.workspace.directory, surroundings: surroundings))
        try complete(earlier)
        #expect(machine.files.keys.sorted() == ["milk-2026-11-23.yaml", "milk.yaml"])
        try await machine.push()
        try complete(machine, false)
        #expect(machine.files.keys.sorted() == ["milk.yaml"])
    }

    @Test func `undoing a completion removes the next one, and redoing it restores that`() async throws {
        for isPushed in [false, true] {
            let machine = try await machines(1).1[0]
            try complete(machine)
            if isPushed { try await machine.push() }
            _ = try machine.workspace.undo(nil)
            if isPushed { _ = try machine.workspace.undo(nil) }
            #expect(machine["milk.yaml"] == Self.open)
            #expect(machine[Self.nextPath] == nil, "\(isPushed)")
        }
    }

    @Test func `an interval that can't be read is shown and kept`() async throws {
        let machine = try await machines(1, "id: milk\ntext: Milk\nevery: now and then\n").1[0]
        try complete(machine)
        #expect(machine.files.count == 1)
        #expect(try machine.status.oddities.map(\.field) == ["every"])
        try await machine.push()
        #expect(try machine.status.oddities.map(\.field) == ["every"])
    }

    // MARK: Names and skipping

    /// Returns a workspace that accepts names as people type them.
    private func typed(_ machine: Machine) -> Workspace {
        var surroundings = machine.workspace.surroundings
        surroundings.searchesTexts = true
        return Workspace(directory: machine.workspace.directory, surroundings: surroundings)
    }

    @Test func `a path without its ending means the open occurrence`() async throws {
        for text in [Self.open, Self.open.replacing("due: 2026-12-01\n", with: "")] {
            let machine = try await machines(1, text).1[0]
            let workspace = typed(machine)
            for count in 2...4 {
                _ = try workspace.change(["milk"], set: [("complete", .bool(true))], unset: [])
                #expect(machine.files.count == count)
                try await machine.push()
            }
            let open = try #require(machine.files.keys.filter { $0 != "milk.yaml" }.max())
            #expect(try workspace.locate("milk").path == open)
            #expect(try workspace.locate("milk.yaml").path == "milk.yaml")
            #expect(try workspace.identify(["milk"], prefersDone: true).map(\.todo.path) == ["milk.yaml"])
            _ = try workspace.remove([open])
            #expect(try workspace.locate("milk").path == "milk.yaml")
        }
    }

    @Test func `a command that removes or restores a file takes its path as it is`() async throws {
        let machine = try await machines(1).1[0]
        try complete(machine)
        let workspace = typed(machine)
        #expect(try workspace.discard(["milk"]).map(\.path) == ["milk.yaml"])
        try complete(machine)
        _ = try workspace.remove(["milk"])
        #expect(Array(machine.files.keys) == [Self.nextPath])
    }

    @Test func `skipping moves an open occurrence, and no other`() async throws {
        let machine = try await machines(1).1[0]
        _ = try machine.workspace.skip(["milk.yaml"])
        let skipped = Self.open.replacing("12-01", with: "12-08")
        #expect(machine.files == ["milk.yaml": skipped])
        try complete(machine)
        let files = machine.files
        #expect(throws: EngineError.self) { try machine.workspace.skip(["milk.yaml"]) }
        #expect(machine.files == files)
    }

    @Test func `a reopened todo whose series goes on isn't skipped`() async throws {
        let machine = try await machines(1).1[0]
        try complete(machine)
        machine.edit(Self.nextPath, "Milk", "Oat milk")
        try complete(machine, false)
        let files = machine.files
        #expect(throws: EngineError.self) { try machine.workspace.skip(["milk.yaml"]) }
        #expect(machine.files == files)
        _ = try machine.workspace.skip([Self.nextPath])
        #expect(machine[Self.nextPath]?.contains("due: 2026-12-15") == true)
    }

    @Test func `skipping a short month keeps the day`() async throws {
        let machine = try await machines(1, "id: milk\ntext: Milk\ndue: 2027-01-31\nevery: month\n").1[0]
        _ = try machine.workspace.skip(["milk.yaml"])
        #expect(machine["milk.yaml"] == "id: milk\ntext: Milk\ndue: 2027-02-28\nevery: month on the 31st\n")
        _ = try machine.workspace.skip(["milk.yaml"])
        #expect(machine["milk.yaml"] == "id: milk\ntext: Milk\ndue: 2027-03-31\nevery: month on the 31st\n")
    }
}
