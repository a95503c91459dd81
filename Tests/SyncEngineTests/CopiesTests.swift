import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// Which files count as copies by other tools, and how commands treat them.
@Suite(.serialized) struct CopiesTests {
    static let certain = "milk.sync-conflict-20261122-101112-ABCDEFG.yaml"
    static let original = "id: milk\ntext: Milk\ndue: 2026-12-01\n"
    static let edited = "id: milk\ntext: Milk\ndue: 2026-11-28\n"

    static func machine() async throws -> (World, Machine) {
        let world = World()
        return (world, try await world.machines(1, ["milk.yaml": original])[0])
    }

    @Test(arguments: CopyNameTests.certain + CopyNameTests.uncertain)
    func `a copy is listed, and neither sent nor taken for a duplicate`(_ name: String) async throws {
        let (world, machine) = try await Self.machine()
        machine[name] = Self.edited
        let id = try #require(TodoID("milk"))
        let copy = CopiedFile(id: id, path: name, original: "milk.yaml", isOrphan: false)
        #expect(try machine.status.copies == [copy])
        #expect(try machine.status.duplicates.isEmpty && machine.status.pending.isEmpty && !machine.isClean)
        for verb in Verb.allCases {
            let report = try await machine.run(verb)
            #expect(report.copies == [copy] && report.duplicates.isEmpty && report.pushed.isEmpty)
            #expect(report.needsUser == (verb != .pull))
        }
        #expect(await world.remote.liveRecords().count == 1)
        #expect(machine.files == ["milk.yaml": Self.original, name: Self.edited])
    }

    @Test func `a copy is listed with the path that its todo's file has after a pull`() async throws {
        let (world, machine) = try await Self.machine()
        let other = try world.machine()
        try await other.pull()
        other.rename("milk.yaml", to: "food/milk.yaml")
        try await other.push()
        machine[Self.certain] = Self.edited
        #expect(try await machine.sync().copies.map(\.original) == ["food/milk.yaml"])
    }

    @Test func `removing a todo's file reports that a copy is left`() async throws {
        let (world, machine) = try await Self.machine()
        machine[Self.certain] = Self.edited
        _ = try machine.workspace.remove(["milk.yaml"])
        #expect(
            world.notices == [
                "warning: the todo of milk.yaml is not deleted yet, because a copy is left: \(Self.certain); "
                    + "remove it, too, or run \"todosync resolve --adopt\" to keep the todo"
            ])
    }

    @Test(arguments: [
        ("milk 2.yaml", "id: bread\ntext: Bread\n"), (certain, "id: bread\ntext: Bread\n"),
        (certain, "text: Bread\n"),
    ])
    func `a file with another id or none is an ordinary file`(_ name: String, _ text: String) async throws {
        let (_, machine) = try await Self.machine()
        machine[name] = text
        #expect(try machine.status.copies.isEmpty && machine.status.duplicates.isEmpty)
        #expect(try await machine.push().pushedLines == ["insert \(name)"])
    }

    @Test(arguments: CopyNameTests.uncertain)
    func `a file that the user renamed is no copy`(_ name: String) async throws {
        let (_, machine) = try await Self.machine()
        machine.rename("milk.yaml", to: name)
        #expect(try machine.status.copies.isEmpty)
        #expect(try machine.status.pendingLines == ["update \(name) from milk.yaml"])
        try await machine.push()
        // Once the todo has the name, it keeps it.
        machine["milk.yaml"] = Self.original
        #expect(try machine.status.copies.isEmpty)
        #expect(try machine.status.duplicates.map(\.path) == ["milk.yaml"])
    }

    @Test func `a todo that has only copies left does not count as deleted`() async throws {
        let (world, machine) = try await Self.machine()
        machine.rename("milk.yaml", to: Self.certain)
        #expect(try machine.status.copies.map(\.isOrphan) == [true])
        #expect(try machine.status.copies.map(\.original) == ["milk.yaml"])
        #expect(try machine.status.pending.isEmpty)
        try await machine.sync()
        #expect(await world.remote.liveRecords().count == 1)
        machine[Self.certain] = nil
        #expect(try machine.status.pendingLines == ["delete milk.yaml"])
    }

    @Test func `a copy of a renamed todo is one by any path that it was recorded at, or by its name`()
        async throws
    {
        let (_, machine) = try await Self.machine()
        machine.rename("milk.yaml", to: "oat.yaml")
        machine["milk 2.yaml"] = Self.edited
        machine[Self.certain] = Self.edited
        #expect(try machine.status.copies.map(\.path) == ["milk 2.yaml", Self.certain])
        #expect(try Set(machine.status.copies.map(\.original)) == ["oat.yaml"])
        try await machine.push()
        #expect(try machine.status.copies.map(\.path) == ["milk 2.yaml", Self.certain])
        #expect(try machine.status.duplicates.isEmpty)
    }

    @Test func `a todo that was pulled with the name of a copy is a todo`() async throws {
        let world = World()
        let machines = try await world.machines(2, [Self.certain: Self.original])
        #expect(try machines.allSatisfy { try $0.isClean })
        machines[1].edit(Self.certain, "12-01", "12-02")
        try await machines[1].push()
        #expect(try await machines[0].pull().pulledLines == ["update \(Self.certain)"])
    }

    @Test func `of files in a new folder, the one that is no copy is the todo`() throws {
        let machine = try World().machine(["milk.yaml": Self.original, "milk (1).yaml": Self.edited])
        #expect(try machine.status.copies.map(\.path) == ["milk (1).yaml"])
        machine["milk.yaml"] = nil
        #expect(try machine.status.copies.isEmpty && machine.status.duplicates.isEmpty)
        machine["milk (1).yaml"] = nil
        machine[Self.certain] = Self.edited
        machine["milk (conflicted copy 2026-11-22 101112).yaml"] = Self.original
        #expect(try machine.status.copies.map(\.path) == [Self.certain])
    }

    @Test func `a copy of a file that has lost its id`() async throws {
        let (_, machine) = try await Self.machine()
        machine["milk.yaml"] = "text: Milk\ndue: 2026-12-01\n"
        machine[Self.certain] = Self.edited
        #expect(try machine.status.copies.map(\.isOrphan) == [false])
        #expect(try machine.status.pending.isEmpty)
    }

    @Test func `a copy that is no valid todo is an invalid file`() async throws {
        let (_, machine) = try await Self.machine()
        machine[Self.certain] = "id: milk\ntext: [\n"
        #expect(try machine.status.invalid.map(\.path) == [Self.certain])
        #expect(try machine.status.copies.isEmpty)
    }

    @Test func `the user can make a todo of its own of a copy, or remove it`() async throws {
        let (world, machine) = try await Self.machine()
        machine[Self.certain] = Self.edited
        machine["milk 2.yaml"] = Self.edited
        #expect(throws: EngineError.self) { try machine.set("milk 2.yaml", "due", "2026-12-24") }
        _ = try machine.workspace.track([Self.certain])
        _ = try machine.workspace.remove(["milk 2.yaml"])
        #expect(try machine.status.copies.isEmpty && machine.status.duplicates.isEmpty)
        try await machine.push()
        #expect(await world.remote.liveRecords().count == 2)
        _ = try machine.workspace.undo(nil)
        #expect(machine["milk 2.yaml"] == Self.edited)
    }
}
