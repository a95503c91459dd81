import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

/// Merges with some conflicts already resolved.
@Suite struct ResolvedConflictTests {
    @Test func `the values in conflict are reported with their paths`() throws {
        let merge = merge(
            base: try document("text: t\nplace: {city: A, zip: 1, more: {x: 1}}\nlist: [{id: 1, by: A}]\n"),
            local: try document("text: t\nplace: {city: B, zip: 2, more: {x: 2}}\nlist: [{id: 1, by: B}]\n"),
            remote: try document("text: t\nplace: {city: C, zip: 1, more: {x: 3}}\nlist: [{id: 1, by: C}]\n"),
            rules: .todo)
        #expect(merge.conflicts.map(\.path) == [["place", "city"], ["place", "more", "x"], ["list"]])
        #expect(merge.conflicts[0].base == .string("A"))
        #expect(merge.conflicts[0].local == .string("B"))
        #expect(merge.conflicts[0].remote == .string("C"))
        #expect(
            merge.conflicts[2].local == .list([.mapping(["id": .number(Number(1)), "by": .string("B")])]))
    }

    @Test(
        .covers(["an answer": 125, "an answer that leaves a conflict": 8, "an answer for another text": 145]),
        arguments: MergePropertyTests.stories)
    func `a resolved conflict is resolved on both sides, and others are unchanged`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (plain, styled) = (
            try MergePropertyTests.Story(seed: seed), try MergePropertyTests.Story(inAnyStyle: seed)
        )
        let commented = try CommentedStory(seed: seed)
        try check(plain.base, plain.local, plain.remote, &random)
        try check(nil, plain.local, plain.remote, &random)
        try check(styled.base, styled.local, styled.remote, &random)
        try check(commented.base, commented.local, commented.remote, &random)
    }

    @Test(.covers(["a field": 60]), arguments: MergePropertyTests.stories)
    func `a field is resolved as a whole, and other fields stay in conflict`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let stories = [
            try MergePropertyTests.Story(seed: seed), try MergePropertyTests.Story(inAnyStyle: seed),
        ]
        for (story, base) in stories.flatMap({ [($0, $0.base), ($0, nil)] }) {
            let open = story.merge(hasBase: base != nil)
            guard case .conflicted(let text) = open.outcome else { continue }
            let side = random.chance(0.5) ? Side.local : .remote
            let values = try Document(parsing: try #require(text.taking(side))).fields
            var answers: [String: ResolvedValue] = [:]
            for field in open.conflictingFields where random.chance(0.7) {
                answers[field] = ResolvedValue(random.chance(0.5) ? values[field] : .string("chosen"))
                cover("a field")
            }
            let resolved = merge(
                base: base, local: story.local, remote: story.remote, rules: .todo
            ) { conflict in
                conflict.path.count == 1 ? answers[conflict.path[0]] : nil
            }
            #expect(resolved.conflictingFields == open.conflictingFields.filter { answers[$0] == nil })
            let result =
                switch resolved.outcome {
                case .clean(let bytes): ConflictedText(pieces: [.text(bytes)])
                case .conflicted(let text): text
                case .unwritable(let obstacle): throw obstacle
                }
            for other in [Side.local, .remote] {
                let fields = try Document(parsing: try #require(result.taking(other))).fields
                let before = try Document(parsing: try #require(text.taking(other))).fields
                for (field, answer) in answers { #expect(fields[field] == answer.value) }
                for key in before.keys where answers[key] == nil { #expect(fields[key] == before[key]) }
            }
        }
    }

    private func check(
        _ base: Document?, _ local: Document, _ remote: Document, _ random: inout SplitMix64
    ) throws {
        let open = merge(base: base, local: local, remote: remote, rules: .todo)
        guard case .conflicted(let text) = open.outcome else {
            #expect(open.conflicts == [])
            return
        }
        #expect(!open.conflicts.isEmpty)
        var answers: [ValueConflict: ResolvedValue] = [:]
        for conflict in open.conflicts where random.chance(0.7) {
            let values: [Value?] = [
                conflict.base, conflict.local, conflict.remote, .string("chosen"), .string("two\nlines\n"),
                nil,
            ]
            answers[conflict] = ResolvedValue(values.randomElement(using: &random) ?? nil)
        }
        let resolved = merge(base: base, local: local, remote: remote, rules: .todo) { answers[$0] }
        #expect(resolved.conflicts == open.conflicts.filter { answers[$0] == nil })
        let result: ConflictedText
        switch resolved.outcome {
        case .clean(let bytes):
            #expect(resolved.conflicts == [])
            result = ConflictedText(pieces: [.text(bytes)])
        case .conflicted(let text):
            cover("an answer that leaves a conflict", !answers.isEmpty)
            result = text
        case .unwritable(let obstacle): throw obstacle
        }
        for side in [Side.local, .remote] {
            let fields = try Document(parsing: try #require(result.taking(side))).fields
            let before = try Document(parsing: try #require(text.taking(side))).fields
            for (conflict, answer) in answers {
                cover("an answer")
                #expect(fields.value(at: conflict.path) == answer.value, "\(conflict.path)")
            }
            for key in before.keys where !answers.keys.contains(where: { $0.path[0].isSameBytes(as: key) }) {
                #expect(fields[key] == before[key])
            }
        }
        for style in ConflictStyle.allCases {
            let read = try #require(try ConflictedText.read(text.text(style: style)))
            if read.blocks.map(\.base) != text.blocks.map(\.base) { cover("a block without its base") }
            let restored = read.restoringBlocks(of: text)
            #expect(restored.text(style: .diff3) == text.text(style: .diff3), "\(style)")
            guard let difference = result.difference(from: text), let applied = restored.applying(difference)
            else { continue }
            cover("an answer for another text")
            #expect(applied.text(style: .diff3) == result.text(style: .diff3), "\(style)")
        }
    }

    private func conflicted(_ text: String) throws -> ConflictedText {
        try #require(try ConflictedText.read(Array(text.utf8)))
    }

    private static let block = "<<<<<<< local\na: 1\n=======\na: 2\n>>>>>>> remote\n"

    @Test func `a difference is applied to a text that was edited elsewhere`() throws {
        let old = try conflicted("id: x\n\(Self.block)b: 1\n")
        let new = ConflictedText(pieces: [.text(Array("id: x\na: 3\nb: 1\n".utf8))])
        let difference = try #require(new.difference(from: old))
        #expect(difference.answer == Array("a: 3\n".utf8))
        let edited = try conflicted("# mine\nid: x\n\(Self.block)b: 2\n")
        #expect(edited.applying(difference)?.taking(.local) == Array("# mine\nid: x\na: 3\nb: 2\n".utf8))
        let inBlock = try conflicted("id: x\n\(Self.block.replacing("a: 1", with: "a: 4"))b: 1\n")
        #expect(inBlock.applying(difference) == nil)
        let twice = try conflicted(Self.block + Self.block)
        #expect(twice.applying(difference) == nil)
        #expect(old.difference(from: old) == nil)
    }

    @Test func `showing a block's base is optional`() throws {
        let old = try conflicted("\(Self.block)b: 1\n")
        let new = ConflictedText(pieces: [.text(Array("a: 3\nb: 1\n".utf8))])
        let difference = try #require(new.difference(from: old))
        let shown = try conflicted(Self.block.replacing("=======", with: "||||||| base\na: 0\n======="))
        #expect(shown.applying(difference)?.taking(.local) == Array("a: 3\n".utf8))
        #expect(shown.count(of: difference, at: 0) == 1)
        #expect(old.count(of: difference, at: 1) == nil)
    }
}
