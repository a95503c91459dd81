import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import WorkingCopy

/// What `explain` prints about merged copies that other tools made.
@Suite struct ExplainedCopiesTests {
    private static let first = "milk.sync-conflict-20261122-101112-ABCDEFG.yaml"
    private static let second = "milk.sync-conflict-20261123-101112-ABCDEFG.yaml"

    /// Returns a machine whose todo was synced, and then edited.
    private static func machine(_ local: String) async throws -> Machine {
        let synced = "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n"
        let machine = try await World().machines(1, ["milk.yaml": synced])[0]
        machine["milk.yaml"] = local
        return machine
    }

    @Test func `explain shows how each copy was merged, also after a gc`() async throws {
        let machine = try await Self.machine("id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n")
        machine[Self.first] = "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop]\n"
        machine[Self.second] = "id: milk\ntext: Milk\ndue: 2026-12-24\ntags: [shop, home]\n"
        _ = try machine.workspace.adopt([])
        let operation = try machine.workspace.log(nil)[0].operation
        func expectExplained(isOpen: Bool) throws {
            let last = try machine.workspace.explain("milk", at: operation)
            let all = last.earlier + [last]
            #expect(all.map(\.copy) == [Self.first, Self.second])
            #expect(all.map(\.outcome) == [.merged, .conflict] && all.map(\.isOpen) == [false, isOpen])
            let lines = all.map { explanation in
                explanation.fields.map { "\($0.decision.field) \($0.decision.rule)" }
            }
            #expect(
                lines == [
                    ["text changedLocally", "due changedRemotely"],
                    ["text changedLocally", "due conflict", "tags changedRemotely"],
                ])
            #expect(all.map { $0.fields[1].decision.base } == [.string("2026-12-01"), .string("2026-12-01")])
        }
        try expectExplained(isOpen: true)
        #expect(try machine.workspace.compact(keeping: 0)?.dropped == 1)
        try expectExplained(isOpen: true)
        try machine.resolve(by: .use(.local))
        try expectExplained(isOpen: false)
    }

    @Test func `explain shows what a copy was merged with if the todo's file was gone`() async throws {
        let machine = try await Self.machine("id: milk\ntext: Milk\ndue: 2026-12-24\ntags: [shop]\n")
        try await machine.push()
        machine["milk.yaml"] = nil
        machine[Self.first] = "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop]\n"
        _ = try machine.workspace.adopt([])
        let explanation = try machine.workspace.explain("milk")
        #expect(explanation.copy == Self.first && explanation.deletingSide == nil)
        #expect(explanation.fields.map(\.decision.rule) == [.changedRemotely, .changedLocally])
        #expect(explanation.fields.map(\.result) == [.string("Oat milk"), .string("2026-12-24")])
        // An undo and a redo merge nothing.
        _ = try machine.workspace.undo(nil)
        _ = try machine.workspace.redo()
        #expect(try machine.workspace.explain("milk").operation == explanation.operation)
    }
}
