import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

/// Lists that one side changed in any way, while the other side did something else.
@Suite struct ListEditTests {
    static let seeds = ThreeWayMergeTests.seeds(5000)

    /// Names that have less than two thirds of their characters in common.
    private static let names = [
        "buy milk", "call Bob", "order paint", "visit Aunt Jane", "water plants", "fix the lamp", "pay rent",
        "read chapter two", "clean windows", "book a flight",
    ]

    /// A list of items with different names.
    private struct Items {
        struct Item {
            var name: String
            var price: Int
        }

        var key: String
        var items: [Item]
        var ticked: Set<String> = []
        /// Whether the price is first, in the middle or nowhere.
        var positionOfPrice: Int

        var names: [String] { items.map(\.name) }

        var list: String {
            let items = items.map { item in
                var fields = ["\(key): \(item.name)", "done: \(ticked.contains(item.name))"]
                if positionOfPrice < 2 { fields.insert("price: \(item.price)", at: positionOfPrice) }
                return "{\(fields.joined(separator: ", "))}"
            }
            return "[\(items.joined(separator: ", "))]"
        }
    }

    @Test(.covers(["a conflict": 70, "a clean merge": 15]), arguments: seeds)
    func `no tick ends on another item, and none is lost`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let names = Self.names.shuffled(using: &random)
        let count = Int.random(in: 1...5, using: &random)
        let key = ["text", "name", "key", "title", "task", "item", "what"].randomElement(using: &random)
        let base = Items(
            key: key ?? "text", items: names.prefix(count).enumerated().map { .init(name: $1, price: $0) },
            positionOfPrice: Int.random(in: 0...2, using: &random))
        var replaced = base
        for edit in 0..<Int.random(in: 1...3, using: &random) {
            let position = Int.random(in: 0..<count, using: &random)
            switch random.next() % 4 {
            case 0: replaced.items.swapAt(position, Int.random(in: 0..<count, using: &random))
            case 1: replaced.items.append(replaced.items.remove(at: position))
            default: replaced.items[position].name = names[count + edit]
            }
        }
        var ticked = base
        ticked.ticked = Set(base.names.filter { _ in random.chance(0.5) })
        for (local, remote) in [(replaced, ticked), (ticked, replaced)] {
            let merge = try merge(base.list, local.list, remote.list)
            cover(merge.hasConflict ? "a conflict" : "a clean merge")
            for side in [Side.local, .remote] {
                let items = try #require(merge.taking(side)["l"]?.items)
                let done = items.filter { $0["done"] == .bool(true) }.compactMap { $0[base.key]?.string }
                #expect(ticked.ticked.isSuperset(of: done), "\(side): \(items)")
                if !merge.hasConflict { #expect(ticked.ticked == Set(done), "\(items)") }
                let added = Set(replaced.names).subtracting(base.names)
                let isOwn = (side == .local) == (local.names == replaced.names)
                if !merge.hasConflict || isOwn {
                    #expect(added.isSubset(of: items.compactMap { $0[base.key]?.string }), "\(items)")
                }
            }
            let sides = [Side.local, .remote].map { merge.taking($0)["l"]?.items ?? [] }
            let own = local.names == ticked.names ? sides[0] : sides[1]
            let ownTicks = own.filter { $0["done"] == .bool(true) }.compactMap { $0[base.key]?.string }
            #expect(Set(ownTicks) == ticked.ticked, "the side that ticked lost a tick: \(own)")
        }
    }

    @Test(
        .covers(["repeated": 60, "a conflict": 30, "a clean merge": 50]), arguments: seeds)
    func `lists of scalars merge alike in both directions, and no added value is lost`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let values =
            [["70", "71", "72", "73"], ["a", "b", "c", "d", "e"], ["'9:00'", "'17:00'", "'18:30'"]]
            .randomElement(using: &random) ?? []
        let base = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            values.randomElement(using: &random) ?? ""
        }
        func edited() -> [String] {
            var list = base
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let position = Int.random(in: 0...list.count, using: &random)
                switch random.next() % 3 {
                case 0 where position < list.count: list.remove(at: position)
                case 1 where position < list.count:
                    list[position] = values.randomElement(using: &random) ?? ""
                default: list.insert(values.randomElement(using: &random) ?? "", at: position)
                }
            }
            return list
        }
        let (local, remote) = (edited(), edited())
        let isSequence = [base, local, remote].contains { Set($0).count < $0.count }
        if isSequence { cover("repeated") }
        func list(_ values: [String]) -> String { "[\(values.joined(separator: ", "))]" }
        let there = try merge(list(base), list(local), list(remote))
        let back = try merge(list(base), list(remote), list(local))
        #expect(there.hasConflict == back.hasConflict)
        cover(there.hasConflict ? "a conflict" : "a clean merge")
        if there.hasConflict { return }
        let (merged, swapped) = try (
            #require(there.taking(.local)["l"]?.items), #require(back.taking(.local)["l"]?.items)
        )
        if isSequence { #expect(merged == swapped) } else { #expect(Set(merged) == Set(swapped)) }
        let versions = try [base, local, remote].map { try fields("l: \(list($0))")["l"]?.items ?? [] }
        let after = counts(merged)
        for (side, other) in [(versions[1], versions[2]), (versions[2], versions[1])]
        where other.isGrown(from: versions[0]) {
            for (value, count) in counts(side) {
                #expect(after[value] ?? 0 >= count, "\(value) is lost: \(merged)")
            }
        }
    }

    private func counts(_ values: [Value]) -> [Value: Int] {
        values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private func merge(_ base: String, _ local: String, _ remote: String) throws -> MergedMapping {
        FieldMerge(
            base: try fields("l: \(base)"), local: try fields("l: \(local)"),
            remote: try fields("l: \(remote)"), rules: .todo
        ).fields
    }
}

extension [Value] {
    /// Returns whether the list has another list's elements in their order, and perhaps more between them.
    fileprivate func isGrown(from old: [Value]) -> Bool {
        reduce(into: old[...]) { rest, value in if rest.first == value { rest.removeFirst() } }.isEmpty
    }
}

extension Value {
    fileprivate var items: [Value] { if case .list(let list) = self { list } else { [] } }
    fileprivate var string: String? { if case .string(let string) = self { string } else { nil } }

    fileprivate subscript(key: String) -> Value? {
        if case .mapping(let mapping) = self { mapping[key] } else { nil }
    }
}
