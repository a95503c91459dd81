import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct LineDifferenceTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var old: [Int32]
        var new: [Int32]
        var changes: [LineDifference.Change]
    }

    @Test(arguments: [
        Row(testDescription: "equal", old: [1, 2], new: [1, 2], changes: []),
        Row(testDescription: "all new", old: [], new: [1, 2], changes: [.init(old: 0..<0, new: 0..<2)]),
        Row(testDescription: "all gone", old: [1, 2], new: [], changes: [.init(old: 0..<2, new: 0..<0)]),
        Row(
            testDescription: "one replaced", old: [1, 2, 3], new: [1, 9, 3],
            changes: [.init(old: 1..<2, new: 1..<2)]),
        Row(
            testDescription: "an added line slides down behind its equals", old: [1, 2, 3],
            new: [1, 1, 2, 3],
            changes: [.init(old: 1..<1, new: 1..<2)]),
        Row(
            testDescription: "a removed pair slides down", old: [1, 2, 1, 2, 3], new: [1, 2, 3],
            changes: [.init(old: 2..<4, new: 2..<2)]),
    ])
    func `changes are where a reader expects them`(row: Row) {
        #expect(LineDifference(from: row.old, to: row.new).changes == row.changes)
    }

    @Test(arguments: seeds(20))
    func `a difference leads from the old text to the new one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // Long and unlike enough that the search is cut short.
        let words = Int32.random(in: 2...2000, using: &random)
        let old = (0..<1500).map { _ in Int32.random(in: 0..<words, using: &random) }
        let new =
            random.chance(0.5)
            ? old.shuffled(using: &random)
            : (0..<900).map { _ in Int32.random(in: 0..<words, using: &random) }
        var result: [Int32] = []
        var position = 0
        for change in LineDifference(from: old, to: new).changes {
            result += old[position..<change.old.lowerBound]
            #expect(result.count == change.new.lowerBound)
            result += new[change.new]
            position = change.old.upperBound
        }
        #expect(result + old[position...] == new)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [1, 2, 30, 8_000] as [Int32])
    func `long texts that have nothing in common are compared in time`(words: Int32) {
        var random = SplitMix64(seed: 1)
        let old = (0..<8_000).map { _ in Int32.random(in: 0..<words, using: &random) }
        let new = (0..<6_000).map { _ in Int32.random(in: 0..<words, using: &random) }
        let difference = LineDifference(from: old, to: new)
        let kept = difference.removed.filter { !$0 }.count
        #expect(kept == difference.added.filter { !$0 }.count)
    }
}
