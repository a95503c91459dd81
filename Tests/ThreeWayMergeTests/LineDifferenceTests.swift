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
            testDescription: "an added line slides down past equal lines", old: [1, 2, 3],
            new: [1, 1, 2, 3],
            changes: [.init(old: 1..<1, new: 1..<2)]),
        Row(
            testDescription: "a removed pair slides down", old: [1, 2, 1, 2, 3], new: [1, 2, 3],
            changes: [.init(old: 2..<4, new: 2..<2)]),
        Row(
            testDescription: "an added line is beside a removed one, also at the beginning",
            old: [9, 1, 2], new: [1, 1, 2], changes: [.init(old: 0..<1, new: 0..<1)]),
        Row(
            testDescription: "a removed line is beside an added one, also at the beginning",
            old: [1, 1, 2], new: [9, 1, 2], changes: [.init(old: 0..<1, new: 0..<1)]),
        Row(
            testDescription: "an added line is beside a removed one after the first line",
            old: [1, 9, 2], new: [1, 1, 2], changes: [.init(old: 1..<2, new: 1..<2)]),
        Row(
            testDescription: "an added line slides up beside a removed one at the beginning",
            old: [9, 1, 5, 2], new: [1, 1, 5, 3],
            changes: [.init(old: 0..<1, new: 0..<1), .init(old: 3..<4, new: 3..<4)]),
        Row(
            testDescription: "an added line slides up to join one at the beginning", old: [1, 2],
            new: [9, 1, 1, 2], changes: [.init(old: 0..<0, new: 0..<2)]),
    ])
    func `changes are where a reader expects them`(row: Row) {
        #expect(LineDifference(from: row.old, to: row.new).changes == row.changes)
    }

    @Test(arguments: [(100, true), (101, false)])
    func `a frequent line's neighbors count up to a hundred lines away`(distance: Int, isSetAside: Bool) {
        let unique = { (count: Int) in Array(repeating: Int32(1), count: count) }
        let frequent = { (count: Int) in Array(repeating: Int32(0), count: count) }
        // With the last unique line, slightly more than three quarters of the lines are unique.
        let before = 67 + 3 * (distance - 100)
        let lines = unique(before) + frequent(1) + frequent(distance - 60) + unique(60)
        let compared = ComparedLines(lines, within: lines.indices, other: frequent(20))
        #expect(compared.setAside.contains(before) == isSetAside)
    }

    @Test(arguments: seeds(20))
    func `applying a difference to the old text gives the new one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // The texts are long and different enough to cut the search short.
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

    @Test(
        .enabled(if: Git.isInstalled, "git is needed to compare with"),
        .covers(["a difference": 48]), arguments: seeds(150))
    func `the difference is the one that git chooses among equally good ones`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (old, new) = random.texts()
        try compareWithGit(old, new)
    }

    @Test(
        .enabled(if: Git.isInstalled, "git is needed to compare with"),
        .covers(["a difference": 50]), arguments: seeds(20))
    func `the difference is git's even if the best one would take too long to find`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 600...1500, using: &random)
        let repetitions = random.chance(0.5) ? 1 : Int.random(in: 2...8, using: &random)
        let lines = (0..<count).map { "line \($0 / repetitions)\n" }
        let old = random.chance(0.5) ? lines : lines.shuffled(using: &random)
        var new = lines.shuffled(using: &random)
        // The new text is the old one in a different order, a part of it, or all but a few lines of it.
        let kept = Int.random(in: 0...count / 2, using: &random)
        if random.chance(0.5) { new = Array(old.prefix(kept) + new.dropFirst(kept)) }
        if random.chance(0.5) { new.removeLast(Int.random(in: 0...count / 2, using: &random)) }
        try compareWithGit(Array(old.joined().utf8), Array(new.joined().utf8))
    }

    private func compareWithGit(_ old: [UInt8], _ new: [UInt8]) throws {
        let git = try Git()
        defer { git.remove() }
        try git.write(old, to: "old")
        try git.write(new, to: "new")
        // Taking blank lines and indentation into account, git diff slides changes once more; git merge-file
        // doesn't.
        let output = try git.run("diff", "--no-index", "--no-indent-heuristic", "old", "new").output
        let difference = unifiedDiff(from: old, to: new, fromName: "old", toName: "new")
        cover("a difference", !string(difference).hunks.isEmpty)
        #expect(string(difference).hunks == string(output).hunks)
    }

    @Test(.timeLimit(.minutes(30)), arguments: [1, 2, 30, 8_000] as [Int32])
    func `long texts without common lines are compared quickly`(words: Int32) {
        var random = SplitMix64(seed: 1)
        let old = (0..<8_000).map { _ in Int32.random(in: 0..<words, using: &random) }
        let new = (0..<6_000).map { _ in Int32.random(in: 0..<words, using: &random) }
        let difference = LineDifference(from: old, to: new)
        let kept = difference.removed.filter { !$0 }.count
        #expect(kept == difference.added.filter { !$0 }.count)
    }
}

extension SplitMix64 {
    /// Returns a text of unique, rare and frequent lines, in proportions that vary.
    fileprivate mutating func lines() -> [UInt8] {
        let length = [10, 60, 300, 1200][Int.random(in: 0..<4, using: &self)]
        let rare = Double.random(in: 0...1, using: &self)
        let frequent = Double.random(in: 0...1, using: &self)
        let lines = (0..<Int.random(in: 1...length, using: &self)).map { _ in
            chance(rare) ? aLine() : chance(frequent) ? "f\(next() % 2)" : "r\(next() % UInt64(length))"
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    private mutating func aLine() -> String { "alone \(next())" }

    /// Returns two texts that have more or fewer lines in common.
    fileprivate mutating func texts() -> (old: [UInt8], new: [UInt8]) {
        if chance(0.5) {
            let old = lines()
            return (old, changed(old))
        }
        // Both texts have these lines in the same order, with frequent and unique lines between them.
        let shared = (0..<Int.random(in: 5...60, using: &self)).map { "shared \($0)" }
        // With more than a hundred unique lines, frequent lines are too far apart to count.
        let mostAlone = [2, 20, 130][Int.random(in: 0..<3, using: &self)]
        func text(_ random: inout SplitMix64) -> [UInt8] {
            let lines = shared.flatMap { line in
                var lines = random.chance(0.7) ? [line] : []
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    lines += Array(repeating: "f", count: Int.random(in: 0...2, using: &random))
                    for _ in 0..<Int.random(in: 0...mostAlone, using: &random) {
                        lines.append(random.aLine())
                    }
                }
                return lines
            }
            return Array(lines.map { $0 + "\n" }.joined().utf8)
        }
        return (text(&self), text(&self))
    }

    /// Returns the text after many changes, or with few of its lines left.
    fileprivate mutating func changed(_ text: [UInt8]) -> [UInt8] {
        var lines = string(text).split(separator: "\n").map(String.init)
        let share = [0.02, 0.2, 0.8][Int.random(in: 0..<3, using: &self)]
        if chance(0.1) { lines.shuffle(using: &self) }
        if chance(0.5) {
            // Rewritten except for frequent lines, like paragraphs between blank lines.
            let (start, end) = (Int(next() % UInt64(lines.count)), Int(next() % UInt64(lines.count)))
            for position in min(start, end)..<max(start, end) where !lines[position].hasPrefix("f") {
                lines[position] = aLine()
            }
        }
        lines = lines.flatMap { line -> [String] in
            if !chance(share) { return [line] }
            switch next() % 5 {
            case 0: return []
            case 1: return [line, aLine()]
            case 2: return [line, line]
            case 3: return [aLine()]
            default: return ["f\(next() % 2)", line]
            }
        }
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }
}

extension String {
    /// The difference's hunks, without the text that git writes after the line numbers.
    fileprivate var hunks: [Substring] {
        split(separator: "\n").drop { !$0.hasPrefix("@@") }.map { line in
            line.hasPrefix("@@") ? line.prefixMatch(of: #/@@ .* @@/#)?.0 ?? line : line
        }
    }
}
