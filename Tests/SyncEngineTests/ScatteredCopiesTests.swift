import SyncEngine
import TestSupport
import Testing

/// Copies that other tools made, with names that people also give, of a todo whose own file is gone.
@Suite struct ScatteredCopiesTests {
    @Test(arguments: CopyNameTests.uncertain, [true, false])
    func `several copies of a todo whose file is gone are adopted in either order, one by one and again`(
        _ name: String, isFirst: Bool
    ) async throws {
        let other = name == "milk 3.yaml" ? "milk 4.yaml" : "milk 3.yaml"
        let machine = try await World().machines(
            1, ["milk.yaml": "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n"])[0]
        machine["milk.yaml"] = nil
        let copies = [
            name: "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n",
            other: "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n",
        ]
        for (path, text) in copies { machine[path] = text }
        #expect(try machine.status.copies.map(\.path) == copies.keys.sorted())
        #expect(try machine.status.copies.map(\.original) == ["milk.yaml", "milk.yaml"])
        #expect(try machine.status.duplicates.isEmpty && machine.status.pending.isEmpty)
        let order = isFirst ? [name, other] : [other, name]
        #expect(try machine.workspace.adopt([order[0]]).adopted.map(\.outcome) == [.restored])
        #expect(machine["milk.yaml"] == copies[order[0]])
        #expect(try machine.workspace.adopt([order[1]]).adopted.map(\.outcome) == [.merged])
        let merged = ["milk.yaml": "id: milk\ntext: Oat milk\ndue: 2026-11-28\ntags: [shop]\n"]
        #expect(machine.files == merged)
        _ = try machine.workspace.undo(nil)
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == copies)
        #expect(try machine.workspace.adopt([]).adopted.count == 2)
        #expect(machine.files == merged)
        #expect(try await machine.push().pushedLines == ["update milk.yaml"])
    }

    @Test func `several copies of a todo that was deleted are copies, and so is a single one`()
        async throws
    {
        let machine = try await World().machines(1, ["milk.yaml": "id: milk\ntext: Milk\n"])[0]
        machine["milk.yaml"] = nil
        try await machine.push()
        for path in ["milk 2.yaml", "milk-ANNS-PC.yaml"] { machine[path] = "id: milk\ntext: Oat milk\n" }
        #expect(try machine.status.copies.map(\.path) == ["milk 2.yaml", "milk-ANNS-PC.yaml"])
        #expect(try machine.status.duplicates.isEmpty && machine.status.pending.isEmpty)
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.restored, .removed])
        #expect(machine.files == ["milk.yaml": "id: milk\ntext: Oat milk\n"])
        machine.rename("milk.yaml", to: "milk 2.yaml")
        #expect(try await machine.push().pushed.isEmpty)
        #expect(try machine.status.copies.map(\.path) == ["milk 2.yaml"])
    }

    @Test func `a file that is a copy of another file is the todo again`() async throws {
        let machine = try await World().machines(1, ["milk.yaml": "id: milk\ntext: Milk\n"])[0]
        machine["milk.yaml"] = nil
        try await machine.push()
        for path in ["bread 2.yaml", "milk 2.yaml"] { machine[path] = "id: milk\ntext: Oat milk\n" }
        #expect(try machine.status.copies.map(\.path) == ["milk 2.yaml"])
        #expect(try machine.status.pendingLines == ["insert bread 2.yaml: text"])
    }

    @Test func `one such file beside certain copies is the renamed todo`() async throws {
        let machine = try await World().machines(1, ["milk.yaml": "id: milk\ntext: Milk\n"])[0]
        machine.rename("milk.yaml", to: "milk 2.yaml")
        machine[CopiesTests.certain] = "id: milk\ntext: Oat milk\n"
        #expect(try machine.status.copies.map(\.original) == ["milk 2.yaml"])
        #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.merged])
        #expect(machine.files == ["milk 2.yaml": "id: milk\ntext: Oat milk\n"])
    }

    @Test func `removing all but one of them leaves a copy, and removing all deletes the todo`() async throws
    {
        let machine = try await World().machines(1, ["milk.yaml": "id: milk\ntext: Milk\n"])[0]
        machine["milk.yaml"] = nil
        for path in ["milk 2.yaml", "milk 3.yaml"] { machine[path] = "id: milk\ntext: Milk\n" }
        #expect(try await machine.sync().pushed.isEmpty)
        machine["milk 3.yaml"] = nil
        #expect(try machine.status.copies.map(\.path) == ["milk 2.yaml"])
        #expect(try machine.status.pending.isEmpty)
        machine["milk 2.yaml"] = nil
        #expect(try machine.status.pendingLines == ["delete milk.yaml"])
    }
}
