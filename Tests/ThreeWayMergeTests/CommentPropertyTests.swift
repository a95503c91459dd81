import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

/// Laws for merges of texts full of comments.
@Suite struct CommentPropertyTests {
    /// Three texts of one todo, with comments anywhere and changes of layout on each side.
    struct Story {
        var base: Document
        var local: Document
        var remote: Document

        init(seed: UInt64) throws {
            var comments = RandomComments(seed: seed)
            if comments.random.chance(0.7) {
                let todo = comments.random.todo()
                base = comments.commented(try Document(parsing: todo.bytes), most: 8)
                local = base
                remote = base
                for side in [\Story.local, \Story.remote] where comments.random.chance(0.8) {
                    let fields = try Document(parsing: comments.random.edited(todo).bytes).fields
                    self[keyPath: side] = try Document(parsing: base.updated(to: fields))
                }
            } else {
                var generator = RandomYAML(seed: seed)
                let document = try Document(parsing: generator.document())
                let hasID = document.fields["id"] != nil
                base = hasID ? document : try Document(parsing: document.inserting(id: "a"))
                base = comments.commented(base, most: 8)
                local = base
                remote = base
                for side in [\Story.local, \Story.remote] where comments.random.chance(0.8) {
                    var fields = generator.changed(base.fields)
                    fields["id"] = base.fields["id"]
                    self[keyPath: side] = try Document(parsing: base.updated(to: fields))
                }
            }
            for side in [\Story.local, \Story.remote] {
                let laidOut = comments.laidOutAnew(comments.revised(self[keyPath: side]))
                self[keyPath: side] = comments.commented(laidOut, most: 4)
            }
        }

        func merge() -> MergedText {
            ThreeWayMerge.merge(base: base, local: local, remote: remote, rules: .todo).outcome
        }

        var swapped: Story {
            var story = self
            (story.local, story.remote) = (remote, local)
            return story
        }

        /// What tells the three texts and the result in a failure.
        func shown(_ result: MergedText) -> String {
            [base, local, remote].map { string($0.bytes) }.joined(separator: "\n-----\n")
                + "\n=====>\n" + result.shown
        }
    }

    @Test(arguments: seeds(600))
    func `every comment of each side is in the result unless a side that had it removed it`(seed: UInt64)
        throws
    {
        let story = try Story(seed: seed)
        try check(story)
        try check(story.swapped)
    }

    private func check(_ story: Story) throws {
        let result = story.merge()
        let counts = [story.base, story.local, story.remote].map(\.commentCounts)
        let versions = try result.versions().map(\.commentCounts)
        let outside = try result.commentsOutsideBlocks()
        for comment in Set(counts.flatMap(\.keys)) {
            let (base, local, remote) = (
                counts[0][comment] ?? 0, counts[1][comment] ?? 0, counts[2][comment] ?? 0
            )
            // Of equal ones it can't be told which was removed.
            let isRequired = min(local, remote) >= base ? max(local, remote) > 0 : local + remote > base
            let mostTimes = max(local, remote, local + remote - base)
            let isPresent = versions.contains { $0[comment] != nil }
            let times = outside[comment] ?? 0
            if isRequired, !isPresent { Issue.record("\(comment) is gone: \(story.shown(result))") }
            if times > mostTimes { Issue.record("\(comment) stands there twice: \(story.shown(result))") }
        }
    }

    @Test(arguments: seeds(300))
    func `comments change no law about values and blocks`(seed: UInt64) throws {
        let story = try Story(seed: seed)
        let fields = FieldMerge(
            base: story.base.fields, local: story.local.fields, remote: story.remote.fields, rules: .todo
        ).fields
        let result = story.merge()
        let versions = try result.versions()
        #expect(versions[0].fields == fields.taking(.local), "\(story.shown(result))")
        guard case .conflicted(let text) = result else {
            #expect(!fields.hasConflict)
            return
        }
        #expect(fields.hasConflict)
        #expect(versions[1].fields == fields.taking(.remote), "\(story.shown(result))")
        #expect(try ConflictedText.read(text.text(style: .diff3)) == text, "\(story.shown(result))")
        #expect(
            try ConflictedText.read(text.text(style: .zdiff3))?.taking(.remote) == text.taking(.remote))
    }
}

extension Document {
    fileprivate var commentTexts: [String] { comments.map { string(Array(comment($0))) } }

    fileprivate var commentCounts: [String: Int] {
        Dictionary(commentTexts.map { ($0, 1) }, uniquingKeysWith: +)
    }
}

extension MergedText {
    /// The comments that stand in no block.
    fileprivate func commentsOutsideBlocks() throws -> [String: Int] {
        let versions = try versions()
        guard case .conflicted(let text) = self else { return versions[0].commentCounts }
        let counts = CommentCounts(outsideBlocksOf: text, local: versions[0]).counts
        return Dictionary(uniqueKeysWithValues: counts.map { (string(Array($0)), $1) })
    }

    /// What taking local's side, and what taking the remote's side of every block gives.
    fileprivate func versions() throws -> [Document] {
        switch self {
        case .clean(let bytes): return [try Document(parsing: bytes)]
        case .conflicted(let text):
            return try [Side.local, .remote].map { try Document(parsing: try #require(text.taking($0))) }
        }
    }
}
