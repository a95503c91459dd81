import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel

/// Two copies of a todo with names of each scheme, merged in each order, and again.
@Suite(.serialized) struct CopyOrderTests {
    /// What happened to the todo's file.
    enum Original: Int, CaseIterable { case edited, gone, deleted }

    enum Order: Int, CaseIterable { case forward, backward, atOnce }

    private static let base = "id: milk\ntext: Milk\ndue: 2026-12-01\ntags: [shop]\n"
    private static let texts = [
        "id: milk\ntext: Oat milk\ndue: 2026-12-01\ntags: [shop, kitchen]\n",
        "id: milk\ntext: Milk\ndue: 2026-11-28\ntags: [shop, today]\nnotes: two\n",
    ]

    /// Returns a different name of the same kind for a copy.
    private static func neighbor(of name: String) -> String {
        let names = [CopyNameTests.certain, CopyNameTests.uncertain].first { $0.contains(name) } ?? []
        return names[((names.firstIndex(of: name) ?? 0) + 1) % names.count]
    }

    /// Makes a machine with a todo and two copies of its file.
    private static func machine(
        _ path: String, _ original: Original, copies: [String]
    ) async throws -> Machine {
        let machine = try await World().machines(1, [path: base])[0]
        machine[path] = original == .edited ? base + "priority: high\n" : nil
        if original == .deleted { try await machine.push() }
        for (copy, text) in zip(copies, texts) { machine[copy] = text }
        return machine
    }

    private static func adopt(_ copies: [String], _ order: Order, on machine: Machine) throws -> [AdoptedCopy]
    {
        let runs: [[String]] =
            switch order {
            case .forward: copies.map { [$0] }
            case .backward: copies.reversed().map { [$0] }
            case .atOnce: [[]]
            }
        return try runs.flatMap { try machine.workspace.adopt($0).adopted }
    }

    /// Each name and each order is tested with both extensions.
    @Test(arguments: CopyNameTests.certain + CopyNameTests.uncertain, Original.allCases)
    func `copies are merged alike in each order, and a second time nothing happens`(
        _ name: String, _ original: Original
    ) async throws {
        for order in Order.allCases {
            let isLong = (order.rawValue + original.rawValue).isMultiple(of: 2)
            let (folder, suffix) = isLong ? ("", "yaml") : ("home/", "yml")
            let path = "\(folder)milk.\(suffix)"
            let copies = [name, Self.neighbor(of: name)].map { folder + $0.replacing("yaml", with: suffix) }
            let machine = try await Self.machine(path, original, copies: copies)
            #expect(try Set(machine.status.copies.map(\.path)) == Set(copies), "\(order)")
            #expect(try machine.status.copies.allSatisfy { $0.original == path })

            let adopted = try Self.adopt(copies, order, on: machine)
            #expect(adopted.map(\.outcome) == [original == .edited ? .merged : .restored, .merged])
            let merged = machine.files
            #expect(Array(merged.keys) == [path])
            let fields = try Todo(parsing: Array((machine[path] ?? "").utf8)).fields
            #expect(fields["text"] == .string("Oat milk") && fields["due"] == .string("2026-11-28"))
            #expect(fields["notes"] == .string("two"))
            #expect(fields["priority"] == (original == .edited ? .string("high") : nil))
            let tags = try #require(fields["tags"]?.texts)
            #expect(tags.count == 3 && Set(tags) == ["shop", "kitchen", "today"])

            let log = try machine.workspace.log(nil)
            #expect(try machine.workspace.adopt([]).adopted.isEmpty)
            #expect(try machine.workspace.log(nil) == log)
            // The other tool brings the copies back.
            for isPushed in [false, true] {
                if isPushed { try await machine.push() }
                for (copy, text) in zip(copies, Self.texts) { machine[copy] = text }
                #expect(try machine.workspace.adopt([]).adopted.map(\.outcome) == [.removed, .removed])
                #expect(machine.files == merged)
            }
        }
    }
}

extension Value {
    /// The strings of a list.
    fileprivate var texts: [String]? {
        guard case .list(let values) = self else { return nil }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
