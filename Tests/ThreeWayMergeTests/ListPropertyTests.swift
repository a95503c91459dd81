import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

/// Random checklists that both sides edited, checked against the known identity of their items.
@Suite struct ListPropertyTests {
    struct Story {
        var base: RandomChecklist
        var local: RandomChecklist
        var remote: RandomChecklist

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            base = random.checklist()
            local = random.edited(base, by: "l")
            remote = random.edited(base, by: "r")
        }

        var swapped: Story {
            var story = self
            (story.local, story.remote) = (remote, local)
            return story
        }

        func side(_ side: Side) -> RandomChecklist {
            switch side {
            case .base: base
            case .local: local
            case .remote: remote
            }
        }
    }

    static let stories = seeds(10_000)

    @Test func `an edited item stays one item, and no side loses a tick`() throws {
        var tally = Tally()
        for seed in Self.stories {
            let story = Story(seed: seed)
            for story in [story, story.swapped] {
                let violations = try violations(of: story, &tally)
                #expect(violations.isEmpty, "seed \(seed): \(violations)")
            }
        }
        func isOften(_ count: Int, perThousand: Int) -> Bool {
            count >= 2 * Self.stories.count * perThousand / 1000
        }
        #expect(isOften(tally.conflicts, perThousand: 23), "\(tally)")
        #expect(isOften(tally.ticks, perThousand: 470), "\(tally)")
        #expect(isOften(tally.removals, perThousand: 150), "\(tally)")
        #expect(isOften(tally.conflictsOfMore, perThousand: 2), "\(tally)")
        #expect(isOften(tally.blocks, perThousand: 16), "\(tally)")
    }

    /// How often the cases that the properties are about occurred.
    fileprivate struct Tally {
        var conflicts = 0
        var ticks = 0
        var removals = 0
        var conflictsOfMore = 0
        var blocks = 0
    }

    private func violations(of story: Story, _ tally: inout Tally) throws -> [String] {
        let documents = try [story.base, story.local, story.remote].map { try Document(parsing: $0.bytes) }
        let merge = merge(base: documents[0], local: documents[1], remote: documents[2], rules: .todo)
        let texts = AlignedTexts(
            base: documents[0], local: documents[1], remote: documents[2], rules: .todo)
        let fields = FieldMerge(texts, rules: .todo).fields
        var check = Check(story: story, contested: contested(in: fields, story), tally: tally)
        switch merge.outcome {
        case .clean(let bytes):
            try check.result(.local, bytes)
            try check.result(.remote, bytes)
        case .conflicted(let text):
            check.tally.conflicts += 1
            for side in [Side.local, .remote] { try check.result(side, try #require(text.taking(side))) }
            check.blocks(of: text)
            text.expectEveryChoiceIsATodo()
        case .unwritable(let obstacle): throw obstacle
        }
        tally = check.tally
        if !check.violations.isEmpty { check.violations.append(merge.outcome.shown) }
        return check.violations
    }

    /// Returns the items of each conflict.
    private func contested(in fields: MergedMapping, _ story: Story) -> [Set<Int>] {
        func contested(_ value: MergedValue) -> [Set<Int>] {
            switch value {
            case .mapping(let mapping): mapping.entries.flatMap { contested($0.value) }
            case .elements(let elements):
                elements.filter(\.hasConflict).map { element in
                    Set(Side.allCases.flatMap { element.taking($0).compactMap(story.base.number) })
                }
            case .agreed, .lines, .conflict: []
            }
        }
        return fields.entries.flatMap { contested($0.value) }
    }
}

/// Checks the properties for one story.
private struct Check {
    let story: ListPropertyTests.Story
    let contested: [Set<Int>]
    var tally: ListPropertyTests.Tally
    var violations: [String] = []

    private func items(_ side: Side, _ number: Int) -> RandomChecklist.Item? {
        story.side(side).items.first { $0.number == number }
    }

    /// Checks a text with one side of all blocks taken.
    mutating func result(_ side: Side, _ bytes: [UInt8]) throws {
        let fields = try Document(parsing: bytes).fields
        var list = fields["steps"]
        if case .mapping(let plan)? = fields["plan"] { list = plan["steps"] }
        guard case .list(let result)? = list else { return require(false, "\(side): no list") }
        let numbers = result.compactMap(story.base.number)
        require(numbers.count == result.count, "\(side): a strange item")
        require(Set(numbers).count == numbers.count, "\(side): an item occurs twice")
        let all = Set((story.base.items + story.local.items + story.remote.items).map(\.number))
        for number in all {
            let versions = Sides(base: .base, local: .local, remote: .remote).map { items($0, number) }
            let merged = result.first { story.base.number(of: $0) == number }
            let isContested = contested.contains { $0.contains(number) }
            let other = side == .local ? Side.remote : .local
            // A side keeps all of its own edits, and the other side's except for those in conflict.
            if versions[side]?.isDone == true, versions.base?.isDone != true {
                require(merged?.isDone == true, "\(side): its tick of \(number) is missing")
            }
            guard !isContested else { continue }
            if versions[other]?.isDone == true, versions.base?.isDone != true {
                tally.ticks += 1
                require(merged?.isDone == true, "\(side): the other side's tick of \(number) is missing")
            }
            let isRemoved = versions.base != nil && (versions.local == nil || versions.remote == nil)
            let isRenamed = [versions.local, versions.remote].contains {
                $0 != nil && versions.base != nil && $0?.name != versions.base?.name
            }
            // Without ids, a renamed item is a different item to the side that removed it.
            if !(isRemoved && isRenamed) {
                if isRemoved { tally.removals += 1 }
                require((merged != nil) == !isRemoved, "\(side): \(number) is there: \(merged != nil)")
            }
        }
        for conflict in contested where conflict.count > 1 {
            tally.conflictsOfMore += 1
            let isUnsure = conflict.contains { number in
                [Side.local, .remote].contains { side in
                    items(side, number).map { $0.name != "n\(number)" } ?? false
                }
            }
            require(isUnsure || isAnyNoteExchanged(in: conflict), "\(conflict) are not the same item")
        }
    }

    /// Returns whether an item has another item's note, which can be what distinguishes them.
    private func isAnyNoteExchanged(in conflict: Set<Int>) -> Bool {
        guard story.base.key == "item", !story.base.hasIDs else { return false }
        return conflict.contains { number in
            [Side.local, .remote].compactMap { items($0, number)?.note }.contains { note in
                conflict.contains { $0 != number && items(.base, $0)?.note == note }
            }
        }
    }

    /// In block style, a block contains nothing of items outside of the conflict.
    mutating func blocks(of text: ConflictedText) {
        if story.base.isFlow || [story.base, story.local, story.remote].contains(where: \.items.isEmpty) {
            return
        }
        for block in text.blocks {
            let numbers = RandomChecklist.numbers(
                in: string(block.local + (block.base ?? []) + block.remote))
            if !numbers.isEmpty { tally.blocks += 1 }
            require(
                numbers.isEmpty || contested.contains { numbers.isSubset(of: $0) },
                "a block has the items \(numbers)")
        }
    }

    private mutating func require(_ holds: Bool, _ law: String) {
        if !holds { violations.append(law) }
    }
}

extension Value {
    fileprivate var isDone: Bool {
        if case .mapping(let mapping) = self { mapping["done"] == .bool(true) } else { false }
    }
}
