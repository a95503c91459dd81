import TestSupport
import Testing
import TodoModel

@testable import SyncEngine

/// Copies with names that people also give, of todos that have since been deleted or renamed.
@Suite(.serialized) struct OrphanedCopiesTests {
    private static let text = "id: milk\ntext: Milk\ntags: [shop]\ndue: 2026-12-01\nestimate: 5\n"
    private static let edited = text.replacing("Milk", with: "Oat milk")

    /// Makes two machines with the todo; the second one also has a copy.
    private static func machines(_ copy: String) async throws -> (World, [Machine]) {
        let world = World()
        let machines = try await world.machines(2, ["milk.yaml": text])
        machines[1][copy] = edited
        return (world, machines)
    }

    private static func delete(_ path: String, on machine: Machine) async throws {
        machine[path] = nil
        try await machine.push()
    }

    @Test(arguments: CopyNameTests.uncertain)
    func `a copy of a todo that the remote deleted is never sent`(_ name: String) async throws {
        let (world, machines) = try await Self.machines(name)
        try await Self.delete("milk.yaml", on: machines[0])
        for _ in 0..<3 { #expect(try await machines[1].sync().pushed.isEmpty) }
        #expect(machines[1].files == [name: Self.edited])
        #expect(await world.remote.liveRecords().isEmpty)
        let id = try #require(TodoID("milk"))
        let copy = CopiedFile(id: id, path: name, original: "milk.yaml", isOrphan: true)
        #expect(try machines[1].status.copies == [copy] && machines[1].status.pending.isEmpty)
        #expect(try machines[1].workspace.adopt([]).adopted.map(\.outcome) == [.restored])
        #expect(machines[1].files == ["milk.yaml": Self.edited])
        #expect(try await machines[1].push().pushedLines == ["insert milk.yaml"])
    }

    @Test func `a copy that comes after the delete is one, and a file that comes back is not`() async throws {
        let world = World()
        let machine = try await world.machines(1, ["pay-VAT.yaml": Self.text])[0]
        try await Self.delete("pay-VAT.yaml", on: machine)
        machine["pay-VAT 2.yaml"] = Self.edited
        #expect(try machine.status.copies.map(\.original) == ["pay-VAT.yaml"])
        #expect(try await machine.push().pushed.isEmpty)
        machine["pay-VAT 2.yaml"] = nil
        machine["pay-VAT.yaml"] = Self.edited
        #expect(try await machine.push().pushedLines == ["insert pay-VAT.yaml"])
    }

    @Test func `a todo that the remote has again comes back beside its copy`() async throws {
        let (_, machines) = try await Self.machines("milk 2.yaml")
        try await Self.delete("milk.yaml", on: machines[0])
        try await machines[1].sync()
        machines[0]["milk.yaml"] = Self.text
        try await machines[0].push()
        #expect(try await machines[1].sync().pulledLines == ["insert milk.yaml"])
        #expect(try machines[1].status.copies.map(\.isOrphan) == [false])
    }

    /// The command that saw the copy next to the todo's file.
    enum Witness: CaseIterable { case status, push, pull }

    @Test(arguments: CopyNameTests.uncertain, Witness.allCases)
    func `a copy that was seen is no new name of a todo whose file is removed`(
        _ name: String, _ witness: Witness
    ) async throws {
        let (world, machines) = try await Self.machines(name)
        let machine = machines[1]
        machine[name] = Self.text
        switch witness {
        case .status: _ = try machine.status
        case .push: try await machine.push()
        case .pull: try await machine.pull()
        }
        machine["milk.yaml"] = nil
        for _ in 0..<2 {
            #expect(try machine.status.copies.map(\.isOrphan) == [true])
            #expect(try machine.status.pending.isEmpty)
            #expect(try await machine.sync().pushed.isEmpty)
        }
        #expect(await world.remote.liveRecords().count == 1)
        machine[name] = nil
        #expect(try await machine.sync().pushedLines == ["delete milk.yaml"])
        // Once the copy is gone, it is forgotten.
        machine["milk.yaml"] = Self.text
        #expect(try await machine.sync().pushedLines == ["insert milk.yaml"])
        machine.rename("milk.yaml", to: name)
        #expect(try await machine.sync().pushedLines == ["update \(name)"])
    }

    @Test func `a todo that a command deleted doesn't get the name of its copy`() async throws {
        let (_, machines) = try await Self.machines("milk 2.yaml")
        _ = try machines[1].workspace.remove(["milk.yaml"])
        #expect(try machines[1].status.copies.map(\.isOrphan) == [true])
        #expect(try await machines[1].sync().pushed.isEmpty)
    }

    @Test func `an undone adoption of the last copy leaves a copy`() async throws {
        let (_, machines) = try await Self.machines("milk 2.yaml")
        let machine = machines[1]
        machine["milk 2.yaml"] = Self.text
        _ = try machine.status
        machine["milk.yaml"] = nil
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.restored])
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == ["milk 2.yaml": Self.text])
        #expect(try machine.status.copies.map(\.isOrphan) == [true])
        #expect(try await machine.sync().pushed.isEmpty)
    }

    @Test(arguments: CopyNameTests.certain + CopyNameTests.uncertain, [true, false])
    func `a copy of the file that a todo had before it was moved elsewhere is one`(
        _ name: String, isSeen: Bool
    ) async throws {
        let (_, machines) = try await Self.machines(name)
        if !isSeen { machines[1][name] = nil }
        machines[0].rename("milk.yaml", to: "home/oat.yaml")
        try await machines[0].push()
        try await machines[1].pull()
        machines[1][name] = Self.edited
        #expect(try machines[1].status.copies.map(\.path) == [name])
        #expect(try machines[1].status.copies.map(\.original) == ["home/oat.yaml"])
        #expect(try machines[1].status.duplicates.isEmpty)
    }
}
