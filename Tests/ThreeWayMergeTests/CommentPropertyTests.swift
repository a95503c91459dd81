import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

/// Properties of merging texts with many comments, each checked with both sides swapped.
@Suite struct CommentPropertyTests {
    private static let parts: UInt64 = 8
    private static let stories = seeds(2500)

    /// Counts of what a part of the stories exercised.
    private struct Tally {
        var merges = 0
        var conflicts = 0
        var blocks = 0
        /// The remote's comments that are in the result.
        var fromRemote = 0
        /// Comments that one side added in a field that the other side removed.
        var inRemoved = 0
        var inBlocks = 0
        var relocations = 0
        var features: [CommentedStory.Feature: Int] = [:]
    }

    @Test(arguments: 0..<parts)
    func `the result has every comment and value that neither side removed`(part: UInt64) throws {
        var tally = Tally()
        for seed in Self.stories where seed % Self.parts == part {
            let story = try CommentedStory(seed: seed)
            for feature in story.features { tally.features[feature, default: 0] += 1 }
            for (story, way) in [(story, "one way"), (story.swapped, "the other way")] {
                let violations = try check(story, &tally)
                #expect(violations.isEmpty, "seed \(seed), \(way): \(violations.joined(separator: "\n"))")
            }
        }
        if PropertySeeds.isLongRun { print("part \(part): \(tally)") }
        // The properties mean little for stories without these cases, so there must be enough of them.
        func isOften(_ count: Int, perThousand: Int) -> Bool { count >= tally.merges * perThousand / 1000 }
        #expect(isOften(tally.conflicts, perThousand: 50))
        #expect(isOften(tally.blocks, perThousand: 50))
        #expect(isOften(tally.fromRemote, perThousand: 1000))
        #expect(isOften(tally.inRemoved, perThousand: 60))
        #expect(isOften(tally.inBlocks, perThousand: 10))
        #expect(isOften(tally.relocations, perThousand: 25))
        for feature in CommentedStory.Feature.allCases {
            #expect(isOften(tally.features[feature] ?? 0, perThousand: 2), "\(feature): \(tally)")
        }
    }

    private func check(_ story: CommentedStory, _ tally: inout Tally) throws -> [String] {
        let merge = story.merge()
        let result = merge.outcome
        let versions = try result.versions()
        tally.merges += 1
        tally.relocations += merge.relocations.count
        var violations = try commentViolations(story, result, versions, &tally)
        violations += valueViolations(story, merge, versions)
        if case .conflicted(let text) = result {
            tally.conflicts += 1
            tally.blocks += text.blocks.count
            text.expectEveryChoiceIsATodo()
            if try ConflictedText.read(text.text(style: .diff3)) != text {
                violations.append("the markers are read differently")
            }
            if try ConflictedText.read(text.text(style: .zdiff3))?.taking(.remote) != text.taking(.remote) {
                violations.append("the short markers are read differently")
            }
        }
        return violations.isEmpty ? [] : violations + [story.shown(result)]
    }

    private func commentViolations(
        _ story: CommentedStory, _ result: MergedText, _ documents: [Document], _ tally: inout Tally
    ) throws -> [String] {
        var violations: [String] = []
        let counts = [story.base, story.local, story.remote].map(\.commentCounts)
        let versions = documents.map(\.commentCounts)
        let outside = try result.commentsOutsideBlocks()
        let removed = story.remote.comments(inFieldsMissingIn: story.local)
        for comment in Set(counts.flatMap(\.keys)) {
            let (base, local, remote) = (
                counts[0][comment] ?? 0, counts[1][comment] ?? 0, counts[2][comment] ?? 0
            )
            // With equal comments, it's unclear which one was removed.
            let isRequired = min(local, remote) >= base ? max(local, remote) > 0 : local + remote > base
            let mostTimes = max(local, remote, local + remote - base)
            let isPresent = versions.contains { $0[comment] != nil }
            let times = outside[comment] ?? 0
            if isRequired, !isPresent { violations.append("\(comment) is gone") }
            if times > mostTimes { violations.append("\(comment) stands there twice") }
            if base == 0, local == 0, isPresent {
                tally.fromRemote += 1
                if removed.contains(comment) { tally.inRemoved += 1 }
                if times == 0 { tally.inBlocks += 1 }
            }
        }
        return violations
    }

    private func valueViolations(_ story: CommentedStory, _ merge: Merge, _ versions: [Document]) -> [String]
    {
        func fields(_ story: CommentedStory) -> MergedMapping {
            let texts = AlignedTexts(
                base: story.base, local: story.local, remote: story.remote, rules: .todo)
            return FieldMerge(texts, rules: .todo).fields
        }
        let (merged, swapped) = (fields(story), fields(story.swapped))
        var violations: [String] = []
        for (side, version) in zip([Side.local, .remote], versions)
        where version.fields != merged.taking(side) {
            violations.append("\(side) has other values")
        }
        if versions.count == 1, merged.hasConflict { violations.append("a conflict is missing") }
        if versions.count == 2, !merged.hasConflict { violations.append("a conflict without a difference") }
        if merged.taking(.local).withoutOrder != swapped.taking(.remote).withoutOrder {
            violations.append("swapping the sides changes the values")
        }
        violations += merge.relocations.flatMap { relocationViolations($0, story, merge, versions) }
        return violations
    }

    /// Checks that an edit of a renamed or moved field is in its new place only.
    private func relocationViolations(
        _ relocation: Relocation, _ story: CommentedStory, _ merge: Merge, _ versions: [Document]
    ) -> [String] {
        let (from, to) = (DocumentPath(keys: relocation.from), DocumentPath(keys: relocation.to))
        let sides = [story.base, story.local, story.remote].map(\.root.value)
        let isLocal = relocation.side == .local
        let (old, new) = isLocal ? (sides[2], sides[1]) : (sides[1], sides[2])
        // With several relocations, one can be inside another, and a path isn't enough for items.
        guard merge.relocations.count == 1, let base = sides[0].value(at: from),
            let edited = old.value(at: from), let renamed = new.value(at: to)
        else { return [] }
        let expected = ValueMerge(identity: FieldRules.defaultIdentity).merge(
            Sides(base: base, local: isLocal ? renamed : edited, remote: isLocal ? edited : renamed)
        ).value
        return zip([Side.local, .remote], versions).flatMap { side, version -> [String] in
            var violations: [String] = []
            if version.root.value.value(at: from) != nil { violations.append("\(from) is still there") }
            if version.root.value.value(at: to) != expected.taking(side) {
                violations.append("\(to) doesn't combine the changes of both sides")
            }
            return violations
        }
    }
}

extension DocumentPath {
    fileprivate init(keys: [String]) { self = keys.map { .key(ByteKey($0)) } }
}

extension Document {
    fileprivate var commentTexts: [String] { comments.map { string(Array(comment($0))) } }

    fileprivate var commentCounts: [String: Int] {
        Dictionary(commentTexts.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Returns the comments in top-level fields that the other document lacks.
    fileprivate func comments(inFieldsMissingIn other: Document) -> Set<String> {
        guard case .mapping(_, let entries) = root.shape else { return [] }
        let missing = entries.filter { other.fields[$0.key] == nil }
        if missing.isEmpty { return [] }
        return Set(
            comments.filter { range in missing.contains { $0.lines.contains(range.lowerBound) } }.map {
                string(Array(comment($0)))
            })
    }
}

extension MergedText {
    /// Returns the comments outside of blocks.
    fileprivate func commentsOutsideBlocks() throws -> [String: Int] {
        let versions = try versions()
        guard case .conflicted(let text) = self else { return versions[0].commentCounts }
        let counts = CommentCounts(outsideBlocksOf: text, local: versions[0]).counts
        return Dictionary(uniqueKeysWithValues: counts.map { (string(Array($0)), $1) })
    }

    /// Returns the results of taking local's side and the remote's side of every block.
    fileprivate func versions() throws -> [Document] {
        switch self {
        case .clean(let bytes): return [try Document(parsing: bytes)]
        case .conflicted(let text):
            return try [Side.local, .remote].map { try Document(parsing: try #require(text.taking($0))) }
        case .unwritable(let obstacle): throw obstacle
        }
    }
}
