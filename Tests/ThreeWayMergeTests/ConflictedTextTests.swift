import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct ConflictedTextTests {
    static let conflict = ConflictedText(pieces: [
        .text(Array("id: a\n".utf8)),
        .block(
            .init(
                local: Array("text: b\n".utf8), base: Array("text: a\n".utf8), remote: Array("text: c\n".utf8)
            )),
        .text(Array("complete: true\n".utf8)),
    ])

    @Test func `markers are the same as git's`() {
        #expect(
            string(Self.conflict.text(style: .merge)) == """
                id: a
                <<<<<<< local
                text: b
                =======
                text: c
                >>>>>>> remote
                complete: true

                """)
        #expect(
            string(Self.conflict.text(style: .diff3)) == """
                id: a
                <<<<<<< local
                text: b
                ||||||| base
                text: a
                =======
                text: c
                >>>>>>> remote
                complete: true

                """)
    }

    @Test func `zdiff3 leaves shared lines outside of the block`() {
        let conflict = ConflictedText(pieces: [
            .block(
                .init(
                    local: Array("a\nx\nz\n".utf8), base: Array("o\n".utf8), remote: Array("a\ny\nz\n".utf8)))
        ])
        #expect(
            string(conflict.text(style: .zdiff3)) == """
                a
                <<<<<<< local
                x
                ||||||| base
                o
                =======
                y
                >>>>>>> remote
                z

                """)
    }

    @Test func `equal sides stay inside of zdiff3's markers`() throws {
        let conflict = ConflictedText(pieces: [
            .block(.init(local: Array("a".utf8), base: Array("o".utf8), remote: Array("a".utf8)))
        ])
        #expect(try ConflictedText.read(conflict.text(style: .zdiff3)) == conflict)
    }

    @Test(arguments: ["", "first"], ["\n", "\r\n"])
    func `markers use the line ending of the text's first line`(first: String, end: String) {
        let conflict = ConflictedText(pieces: [
            .text(Array((first + end).utf8)),
            .block(.init(local: Array("a\r\n".utf8), base: nil, remote: [])), .text(Array("b\n".utf8)),
        ])
        #expect(
            string(conflict.text(style: .merge))
                == "\(first)\(end)<<<<<<< local\(end)a\r\n=======\(end)>>>>>>> remote\(end)b\n")
    }

    @Test func `markers use the line ending of the lines between them if there are none above`() {
        let conflict = ConflictedText(pieces: [
            .block(.init(local: Array("a\r\n".utf8), base: nil, remote: [])), .text(Array("b\r\n".utf8)),
        ])
        #expect(
            string(conflict.text(style: .merge))
                == "<<<<<<< local\r\na\r\n=======\r\n>>>>>>> remote\r\nb\r\n")
    }

    @Test func `taking a side restores its missing last line break`() throws {
        let conflict = ConflictedText(pieces: [
            .block(.init(local: Array("a".utf8), base: nil, remote: Array("b".utf8)))
        ])
        let text = conflict.text(style: .merge)
        #expect(string(text) == "<<<<<<< local\na\n=======\nb\n>>>>>>> remote")
        #expect(try ConflictedText.read(text)?.taking(.remote) == Array("b".utf8))
    }

    @Test func `a blank line at the end of a side doesn't count as a missing line break`() throws {
        let read = try #require(
            try ConflictedText.read(Array("<<<<<<< local\na\n=======\nb\n\n>>>>>>> remote".utf8)))
        #expect(read.taking(.local).map(string) == "a\n")
        #expect(read.taking(.remote).map(string) == "b\n\n")
    }

    @Test func `the base can't be taken from a block without one`() throws {
        let read = try #require(try ConflictedText.read(Self.conflict.text(style: .merge)))
        #expect(read.taking(.base) == nil)
        #expect(Self.conflict.taking(.base).map(string) == "id: a\ntext: a\ncomplete: true\n")
    }

    @Test(arguments: seeds(300))
    func `written blocks are read back`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let lineBreak = random.chance(0.3) ? "\r\n" : "\n"
        var pieces: [ConflictedText.Piece] = []
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            pieces.append(.text(random.lines(1...3, lineBreak: lineBreak)))
            pieces.append(
                .block(
                    .init(
                        local: random.lines(0...3, lineBreak: lineBreak),
                        base: random.lines(0...2, lineBreak: lineBreak),
                        remote: random.lines(0...3, lineBreak: lineBreak))))
        }
        let conflict = ConflictedText(pieces: pieces)
        #expect(try ConflictedText.read(conflict.text(style: .diff3)) == conflict)
        for style in ConflictStyle.allCases {
            let read = try #require(try ConflictedText.read(conflict.text(style: style)))
            #expect(read.taking(.local) == conflict.taking(.local))
            #expect(read.taking(.remote) == conflict.taking(.remote))
        }
    }

    @Test(arguments: [
        "", "a: 1\n", "notes: |\n  <<<<<<< local\n", "<<<<<<<<\n", "<<<<<<\n", "<<<<<<<local\n",
        "a <<<<<<< b\n",
    ])
    func `text without markers is not conflicted`(text: String) throws {
        #expect(try ConflictedText.read(Array(text.utf8)) == nil)
    }

    @Test(arguments: ["<<<<<<< HEAD", "<<<<<<<", "<<<<<<< Updated upstream"])
    func `git's own labels are read`(marker: String) throws {
        let read = try ConflictedText.read(
            Array("\(marker)\na\n||||||| 1a2b3c\no\n=======\nb\n>>>>>>> main\n".utf8))
        #expect(
            read?.blocks == [
                .init(local: Array("a\n".utf8), base: Array("o\n".utf8), remote: Array("b\n".utf8))
            ])
    }

    @Test func `a marker after a byte order mark is found`() throws {
        let text = Array("\u{feff}<<<<<<< local\na\n=======\nb\n>>>>>>> remote\n".utf8)
        #expect(try ConflictedText.read(text)?.taking(.remote).map(string) == "\u{feff}b\n")
    }

    struct Malformed: CustomTestStringConvertible {
        var text: String
        var error: MarkerError
        var testDescription: String { "\(error.reason) in line \(error.line)" }
    }

    @Test(arguments: [
        Malformed(text: "a\n<<<<<<< local\nb\n", error: MarkerError(reason: .unfinished, line: 2)),
        Malformed(text: "<<<<<<< local\n=======\n", error: MarkerError(reason: .unfinished, line: 1)),
        Malformed(text: "<<<<<<< local\n<<<<<<< local\n", error: MarkerError(reason: .nested, line: 2)),
        Malformed(text: "a\n=======\n", error: MarkerError(reason: .outsideConflict, line: 2)),
        Malformed(text: "a\n>>>>>>>", error: MarkerError(reason: .outsideConflict, line: 2)),
        Malformed(text: "a\n\n>>>>>>> remote\n", error: MarkerError(reason: .outsideConflict, line: 3)),
        Malformed(text: "||||||| base", error: MarkerError(reason: .outsideConflict, line: 1)),
        Malformed(text: "<<<<<<< l\na\n>>>>>>> r\n", error: MarkerError(reason: .separatorMissing, line: 3)),
        Malformed(
            text: "<<<<<<< l\n=======\n=======\n>>>>>>> r\n", error: MarkerError(reason: .repeated, line: 3)),
        Malformed(
            text: "<<<<<<< l\n=======\n||||||| b\n>>>>>>> r\n", error: MarkerError(reason: .repeated, line: 3)
        ),
        Malformed(
            text: "<<<<<<< l\n||||||| b\n||||||| b\n=======\n", error: MarkerError(reason: .repeated, line: 3)
        ),
    ])
    func `markers that don't enclose a conflict are refused with their position`(row: Malformed) {
        #expect(throws: row.error) { try ConflictedText.read(Array(row.text.utf8)) }
    }

    @Test func `the id stays outside of the block for a deleted todo`() {
        let text = ConflictedText.whole(
            local: Array("# shop\ntext: a\nid: x\ncomplete: true\n".utf8),
            base: Array("id: x\ntext: b\n".utf8), remote: nil)
        #expect(
            string(text.text(style: .diff3)) == """
                id: x
                <<<<<<< local
                # shop
                text: a
                complete: true
                ||||||| base
                text: b
                =======
                >>>>>>> remote

                """)
    }

    struct Whole: CustomTestStringConvertible {
        var testDescription: String
        var local: String?
        var remote: String?
        var expected: String
    }

    @Test(arguments: [
        Whole(
            testDescription: "a byte order mark", local: nil, remote: "\u{feff}text: a\nid: x\n",
            expected: "\u{feff}id: x\n<<<<<<< local\n=======\ntext: a\n>>>>>>> remote\n"),
        Whole(
            testDescription: "carriage returns", local: "id: x\r\ntext: a\r\n", remote: nil,
            expected: "id: x\r\n<<<<<<< local\r\ntext: a\r\n=======\r\n>>>>>>> remote\r\n"),
        Whole(
            testDescription: "no last line break", local: "text: a\nid: x", remote: nil,
            expected: "id: x\n<<<<<<< local\ntext: a\n=======\n>>>>>>> remote"),
        Whole(
            testDescription: "a document's start", local: "%YAML 1.2\n---\n# c\ntext: a\nid: x\n",
            remote: nil,
            expected: "%YAML 1.2\n---\nid: x\n<<<<<<< local\n# c\ntext: a\n=======\n>>>>>>> remote\n"),
        Whole(
            testDescription: "a tag on its own line", local: "!!map\nid: x\ntext: a\n", remote: nil,
            expected: "!!map\nid: x\n<<<<<<< local\ntext: a\n=======\n>>>>>>> remote\n"),
        Whole(
            testDescription: "an anchor and a tag on their own lines", local: nil,
            remote: "&root # r\n!!map\n# c\ntext: a\nid: x\n",
            expected: "&root # r\n!!map\nid: x\n<<<<<<< local\n=======\n# c\ntext: a\n>>>>>>> remote\n"),
        Whole(
            testDescription: "an id that is an alias", local: "a: &i x\nid: *i\ntext: a\n", remote: nil,
            expected: "id: x\n<<<<<<< local\na: &i x\ntext: a\n=======\n>>>>>>> remote\n"),
        Whole(
            testDescription: "a line that looks like a marker", local: "id: x\ntext: 'a\n=======\n  b' # c\n",
            remote: nil,
            expected: "id: x\n<<<<<<< local\ntext: 'a ======= b' # c\n=======\n>>>>>>> remote\n"),
        Whole(
            testDescription: "comments in flow style", local: "{id: x, # i\n  # t\n  text: a} # e\n",
            remote: nil,
            expected:
                "id: x # i\n<<<<<<< local\n# t\ntext: a\n# e\n=======\n>>>>>>> remote\n"),
        Whole(
            testDescription: "flow style", local: "{id: x, text: a}\n", remote: nil,
            expected: "id: x\n<<<<<<< local\ntext: a\n=======\n>>>>>>> remote\n"),
    ])
    func `the rest of a deleted todo is in one block`(row: Whole) {
        let text = ConflictedText.whole(
            local: row.local.map { Array($0.utf8) }, base: nil, remote: row.remote.map { Array($0.utf8) })
        #expect(string(text.text(style: .merge)) == row.expected)
        for side in [Side.local, .remote] {
            #expect(throws: Never.self) { try text.taking(side).map { try Document(parsing: $0) } }
        }
    }
}

extension SplitMix64 {
    fileprivate mutating func lines(_ counts: ClosedRange<Int>, lineBreak: String) -> [UInt8] {
        (0..<Int.random(in: counts, using: &self)).flatMap { _ in
            Array("line \(Int.random(in: 0..<100, using: &self))\(lineBreak)".utf8)
        }
    }
}
