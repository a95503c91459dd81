import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct MergePropertyTests {
    /// Three versions of one todo.
    struct Story {
        var base: Document
        var local: Document
        var remote: Document

        init(base: Document, local: Document, remote: Document) {
            self.base = base
            self.local = local
            self.remote = remote
        }

        init(seed: UInt64) throws {
            var random = SplitMix64(seed: seed)
            let todo = random.todo()
            base = try Document(parsing: todo.bytes)
            local = try Document(parsing: random.edited(todo).bytes)
            remote = try Document(parsing: random.edited(todo).bytes)
        }

        /// Creates a todo in any of YAML's styles, and changes to its values.
        init(inAnyStyle seed: UInt64) throws {
            var generator = RandomYAML(seed: seed)
            let document = try Document(parsing: generator.document())
            base =
                document.fields["id"] == nil ? try Document(parsing: document.inserting(id: "a")) : document
            func changed(_ document: Document) throws -> Document {
                var fields = generator.changed(document.fields)
                fields["id"] = document.fields["id"]
                return try Document(parsing: document.updated(to: fields))
            }
            local = try changed(base)
            remote = try changed(base)
        }

        func merge(hasBase: Bool = true) -> Merge {
            ThreeWayMerge.merge(base: hasBase ? base : nil, local: local, remote: remote, rules: .todo)
        }

        func mergedFields(hasBase: Bool = true) -> FieldMerge {
            let texts = AlignedTexts(
                base: hasBase ? base : nil, local: local, remote: remote, rules: .todo)
            return FieldMerge(texts, rules: .todo)
        }

        var swapped: Story {
            var story = self
            (story.local, story.remote) = (remote, local)
            return story
        }
    }

    static let stories = seeds(200)

    @Test(.covers(["a conflict": 80]), arguments: stories)
    func `merging is symmetric in its values and its conflicts`(seed: UInt64) throws {
        for story in [try Story(seed: seed), try Story(inAnyStyle: seed)] { checkSymmetry(of: story) }
    }

    private func checkSymmetry(of story: Story) {
        for hasBase in [true, false] {
            let merge = story.mergedFields(hasBase: hasBase).fields
            let swapped = story.swapped.mergedFields(hasBase: hasBase).fields
            let conflicts = Set(merge.entries.filter(\.value.hasConflict).map(\.key))
            cover("a conflict", !conflicts.isEmpty)
            #expect(conflicts == Set(swapped.entries.filter(\.value.hasConflict).map(\.key)))
            #expect(merge.taking(.local).withoutOrder == swapped.taking(.remote).withoutOrder)
            #expect(merge.taking(.remote).withoutOrder == swapped.taking(.local).withoutOrder)
        }
    }

    @Test(arguments: stories)
    func `a text that only one side changed is taken from that side`(seed: UInt64) throws {
        let story = try Story(seed: seed)
        func merged(_ base: Document, _ local: Document, _ remote: Document) -> MergedText {
            merge(base: base, local: local, remote: remote, rules: .todo).outcome
        }
        #expect(merged(story.base, story.local, story.base) == .clean(story.local.bytes))
        #expect(merged(story.base, story.base, story.remote) == .clean(story.remote.bytes))
        #expect(merged(story.base, story.local, story.local) == .clean(story.local.bytes))
    }

    @Test(.covers(["a clean merge": 115, "a conflict": 80]), arguments: stories)
    func `taking one side of every block gives that side's values`(seed: UInt64) throws {
        for story in [try Story(seed: seed), try Story(inAnyStyle: seed)] { try checkValues(of: story) }
    }

    private func checkValues(of story: Story) throws {
        for hasBase in [true, false] {
            let fields = story.mergedFields(hasBase: hasBase).fields
            switch story.merge(hasBase: hasBase).outcome {
            case .clean(let bytes):
                cover("a clean merge")
                #expect(!fields.hasConflict)
                #expect(try Document(parsing: bytes).fields == fields.taking(.local))
            case .conflicted(let text):
                cover("a conflict")
                #expect(fields.hasConflict)
                for side in [Side.local, .remote] {
                    let taken = try #require(text.taking(side))
                    #expect(try Document(parsing: taken).fields == fields.taking(side), "\(string(taken))")
                }
                // A base can leave a key without a value if both sides added the lines below it.
                if hasBase { _ = try Document(parsing: try #require(text.taking(.base))) }
            case .unwritable(let obstacle): throw obstacle
            }
        }
    }

    @Test(.covers(["a conflict": 13, "a line of its own for the id": 13]), arguments: stories)
    func `choosing a side of any block in an editor leaves a valid todo`(seed: UInt64) throws {
        for story in [try Story(seed: seed), try Story(inAnyStyle: seed)] {
            try pressButtons(on: story, seed: seed)
        }
    }

    private func pressButtons(on story: Story, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        guard case .conflicted(let text) = story.merge().outcome else { return }
        cover("a conflict")
        for style in ConflictStyle.allCases {
            var isTaken: [Bool] = []
            let chosen = text.text(style: style).keepingOneSide { _ in
                isTaken.append(random.chance(0.5))
                return isTaken.last == true
            }
            let fields = try Document(parsing: chosen).fields
            #expect(fields["id"] == story.local.fields["id"])
        }
        #expect(try ConflictedText.read(text.text(style: .diff3)) == text)
        #expect(try ConflictedText.read(text.text(style: .merge))?.taking(.remote) == text.taking(.remote))
        // If the todo is one flow mapping, its id isn't on a separate line.
        if case .mapping(.flow, _) = story.local.root.shape { return }
        cover("a line of its own for the id")
        let outside = text.pieces.flatMap { if case .text(let bytes) = $0 { bytes } else { [UInt8]() } }
        #expect(
            string(outside).firstRange(of: #/(?m)^(\u{FEFF})?(\? | +)?["']?id\b/#) != nil,
            "\(string(outside))")
    }

    @Test(.covers(["a clean merge": 42, "a field that is not merged by lines": 280]), arguments: stories)
    func `merging the result again changes nothing`(seed: UInt64) throws {
        let story = try Story(seed: seed)
        guard case .clean(let bytes) = story.merge().outcome else { return }
        cover("a clean merge")
        let merged = try Document(parsing: bytes)
        let again = merge(base: story.remote, local: merged, remote: story.remote, rules: .todo)
        #expect(again.outcome == .clean(bytes))
        // Merging again with the old base gives the same result, except for strings that were merged by
        // lines.
        let fields = Story(base: story.base, local: merged, remote: story.remote).mergedFields()
        let byLines = Set(fields.decisions.filter { $0.rule == .lines }.map(\.field))
        #expect(fields.fields.entries.allSatisfy { !$0.value.hasConflict || byLines.contains($0.key) })
        for (key, value) in merged.fields.entries where !byLines.contains(key) {
            cover("a field that is not merged by lines")
            #expect(fields.fields.taking(.local)[key].map(Unordered.init) == Unordered(value))
        }
    }

    @Test(.covers(["a line of the notes": 6, "a comment of local's": 6]), arguments: stories)
    func `no line of local's and no line of the remote's fields is lost`(seed: UInt64) throws {
        let story = try Story(seed: seed)
        let result =
            switch story.merge().outcome {
            case .clean(let bytes): bytes
            case .conflicted(let text): text.text(style: .diff3)
            case .unwritable(let obstacle): throw obstacle
            }
        let lines = Set(result.contentLines)
        let baseLines = Set(story.base.bytes.contentLines)
        let notes = Set(story.local.fields.notes + story.remote.fields.notes)
        for line in notes where !Set(story.base.fields.notes).contains(line) {
            cover("a line of the notes")
            #expect(lines.contains { $0.hasSuffix(line) }, "\(line) is missing from \(string(result))")
        }
        for line in story.local.bytes.contentLines where line.hasPrefix("#") && !baseLines.contains(line) {
            cover("a comment of local's")
            #expect(lines.contains(line), "\(line) is missing from \(string(result))")
        }
    }

    @Test(.covers(["a clean merge": 42, "an edit of local's": 39]), arguments: stories)
    func `lines that nobody changed stay unchanged`(seed: UInt64) throws {
        let story = try Story(seed: seed)
        guard case .clean(let bytes) = story.merge().outcome else { return }
        cover("a clean merge")
        let originals = Set(
            [story.base.bytes, story.local.bytes, story.remote.bytes].flatMap(\.contentLines).map(
                \.withoutRemark))
        // If a value has two comments, one of them gets its own line.
        let comments = Set(
            [story.base, story.local, story.remote].flatMap { text in
                text.comments.map { string(Array(text.comment($0))) }
            })
        let strange = bytes.contentLines.filter {
            !originals.contains($0.withoutRemark) && !comments.contains($0) && !$0.isMergedInsideALine
        }
        #expect(strange.isEmpty)
        let hasReturns = story.local.bytes.contains(UInt8(ascii: "\r"))
        if story.base.bytes != story.local.bytes {
            cover("an edit of local's")
            #expect(bytes.contains(UInt8(ascii: "\r")) == hasReturns)
        }
    }
}

extension Mapping {
    fileprivate var notes: [String] {
        guard case .string(let notes)? = self["notes"] else { return [] }
        return notes.split(separator: "\n").map(String.init)
    }
}

extension [UInt8] {
    /// The lines without line breaks and the byte order mark.
    fileprivate var contentLines: [String] {
        let text = String(
            decoding: starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self, as: UTF8.self)
        return text.split { $0.isNewline }.map { String($0).trimmed }
    }

    /// Returns each conflict's lines from one side, as choosing it in an editor leaves them.
    fileprivate func keepingOneSide(takesLocal: (Int) -> Bool) -> [UInt8] {
        var kept: [UInt8] = []
        var number = 0
        var isKept = true
        var isLocalTaken = true
        for range in lineRanges(self) {
            var line = self[range]
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            if line.starts(with: "<<<<<<<".utf8) {
                isLocalTaken = takesLocal(number)
                number += 1
                isKept = isLocalTaken
            } else if line.starts(with: "|||||||".utf8) {
                isKept = false
            } else if line.starts(with: "=======".utf8) {
                isKept = !isLocalTaken
            } else if line.starts(with: ">>>>>>>".utf8) {
                isKept = true
            } else if isKept {
                kept += line
            }
        }
        return kept
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }

    /// The line without quotes and without its comment, which can come from a different side than the value.
    fileprivate var withoutRemark: String {
        String((firstRange(of: #/ +#/#).map { self[..<$0.lowerBound] } ?? self[...]).filter { $0 != "\"" })
    }

    /// Whether the merge can have changed a part of the line, or the indicator for the text's end.
    fileprivate var isMergedInsideALine: Bool { contains("[") || contains("{") || contains("|-") }
}
