import LosslessYAML
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// The results of merging three versions of a file, as git passes them to a merge driver.
@Suite struct FileMergeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var current: String
        var base: String
        var other: String
        /// The result; `conflict: ` or `refused: ` at its beginning marks a conflict or a refusal.
        var outcome: String

        init(_ testDescription: String, _ current: String, _ base: String, _ other: String, _ outcome: String)
        {
            self.testDescription = testDescription
            (self.current, self.base, self.other, self.outcome) = (current, base, other, outcome)
        }
    }

    static let rows = [
        // Changes on one side.
        Row("nothing changed", "text: a\n", "text: a\n", "text: a\n", "text: a\n"),
        Row("only current changed", "text:   b # c\r\n", "text: a\n", "text: a\n", "text:   b # c\r\n"),
        Row("only other changed", "text: a\n", "text: a\n", "text:   b # c", "text:   b # c"),
        Row("only other changed, and isn't valid", "text: a\n", "text: a\n", "text: [\n", "text: [\n"),
        Row("both changed alike", "text: [\n", "text: a\n", "text: [\n", "text: [\n"),
        // Fields.
        Row(
            "neighboring fields", "id: x\ntext: b\ndue: 1\n", "id: x\ntext: a\ndue: 1\n",
            "id: x\ntext: a\ndue: 2\n", "id: x\ntext: b\ndue: 2\n"),
        Row(
            "tags", "text: a\ntags: [a, b]\n", "text: a\ntags: [a]\n", "text: a\ntags: [a, c]\n",
            "text: a\ntags: [a, b, c]\n"),
        Row(
            "one field, two ways", "id: x\ntext: b\nn: 1\n", "id: x\ntext: a\n", "id: x\ntext: c\n",
            "conflict: id: x\n<<<<<<< local\ntext: b\n=======\ntext: c\n>>>>>>> remote\nn: 1\n"),
        Row(
            "line ends changed there, a value here", "text: b\n", "text: a\n", "text: a\r\n", "text: b\n"),
        Row(
            "line ends changed here, a value there", "text: a\r\n", "text: a\n", "text: b\n", "text: b\r\n"),
        Row("a mapping without text", "a: 2\nb: 1\n", "a: 1\nb: 1\n", "a: 1\nb: 2\n", "a: 2\nb: 2\n"),
        Row(
            "a mapping without text, one field, two ways", "a: 2\n", "a: 1\n", "a: 3\n",
            "conflict: <<<<<<< local\na: 2\n=======\na: 3\n>>>>>>> remote\n"),
        Row(
            "a name that a todo can't have", "text: b\nversion: 1\n", "text: a\nversion: 1\n",
            "text: a\nversion: 2\n", "text: b\nversion: 2\n"),
        // Ids.
        Row(
            "an id that other added", "text: b\nn: 1\n", "text: a\nn: 1\n", "id: x\ntext: a\nn: 2\n",
            "id: x\ntext: b\nn: 2\n"),
        Row(
            "an id that other lost", "id: x\ntext: b\nn: 1\n", "id: x\ntext: a\nn: 1\n", "text: a\nn: 2\n",
            "id: x\ntext: b\nn: 2\n"),
        Row(
            "two ids", "id: x\ntext: a\nn: 2\n", "text: a\nn: 1\n", "id: y\ntext: a\nn: 1\n",
            "conflict: <<<<<<< local\nid: x\n=======\nid: y\n>>>>>>> remote\ntext: a\nn: 2\n"),
        Row(
            "two ids, other lines", "id: x\ntext: a\n\nn: 2\n", "id: x\ntext: a\n\nn: 1\n",
            "id: y\ntext: a\n\nn: 1\n", "id: y\ntext: a\n\nn: 2\n"),
        Row(
            "an id in two letter cases", "id: X\ntext: a\nn: 2\n", "id: X\ntext: a\nn: 1\nm: 1\n",
            "id: x\ntext: a\nn: 1\nm: 2\n",
            "conflict: id: X\ntext: a\nn: 2\n<<<<<<< local\n=======\nm: 2\n>>>>>>> remote\n"),
        Row(
            "a base of another todo", "id: x\ntext: a\nn: 2\n", "id: z\ntext: a\nn: 1\n",
            "id: x\ntext: a\nn: 1\n",
            "conflict: id: x\ntext: a\n<<<<<<< local\nn: 2\n=======\nn: 1\n>>>>>>> remote\n"),
        // Without a base.
        Row(
            "both added", "text: a\nb: 1\ntags: [a]\n", "", "text: a\nc: 1\ntags: [b]\n",
            "text: a\nb: 1\ntags: [a, b]\nc: 1\n"),
        Row("both added, in two layouts", "text: 'a'\n", "\n", "text: a\n", "text: 'a'\n"),
        Row(
            "both added, in two ways", "text: a\n", "", "text: b\n",
            "conflict: <<<<<<< local\ntext: a\n=======\ntext: b\n>>>>>>> remote\n"),
        Row(
            "a base that isn't valid, whose removed item would come back", "text: a\ntags: [x]\n",
            "text: a\ntags: [x, y\n", "text: a\ntags: [x, y]\n", "refused: base, line 3"),
        Row("a base that is a list", "text: a\n", "- a\n", "text: b\n", "refused: base, line 1"),
        Row("a blank base", "text: a\nb: 1\n", " \n", "text: a\nc: 1\n", "text: a\nb: 1\nc: 1\n"),
        // Several merge bases that git has merged with a conflict.
        Row(
            "a base with markers, another field", "text: c\nn: 2\nm: 1\n",
            "<<<<<<< local\ntext: a\n=======\ntext: b\n>>>>>>> remote\nn: 1\nm: 1\n", "text: c\nn: 1\nm: 2\n",
            "text: c\nn: 2\nm: 2\n"),
        Row(
            "a base with markers that is another todo", "id: x\ntext: c\n",
            "id: y\n<<<<<<< local\ntext: a\n=======\ntext: b\n>>>>>>> remote\nn: 1\n",
            "id: x\ntext: c\nn: 1\n",
            "id: x\ntext: c\nn: 1\n"),
        Row(
            "a base with markers that is not a todo", "text: c\n",
            "<<<<<<< local\ntext: a\n=======\n>>>>>>> remote\nn: 1\n", "text: d\nn: 1\n",
            "refused: base, line 1"),
        Row(
            "a base with markers, the same field", "text: a\nn: 1\n",
            "<<<<<<< local\ntext: a\n=======\ntext: b\n>>>>>>> remote\nn: 1\n", "text: b\nn: 2\n",
            "conflict: <<<<<<< local\ntext: a\n=======\ntext: b\n>>>>>>> remote\nn: 2\n"),
        Row(
            "a base with markers, the same list", "text: a\ntags: [a, x]\n",
            "text: a\n<<<<<<< local\ntags: [a]\n=======\ntags: [b]\n>>>>>>> remote\n",
            "text: a\ntags: [b, y]\n", "text: a\ntags: [a, x, b, y]\n"),
        // Texts that aren't mappings.
        Row("a list", "- a\n- b\n- c\n", "- a\n- b\n", "- z\n- a\n- b\n", "refused: current, line 1"),
        Row("no YAML", "a: [\nb\nc\n", "a: {\nb\nc\n", "a: {\nb\nd\n", "refused: current, line 4"),
        Row("an invalid todo here", "text: [\n", "text: a\n", "text: b\n", "refused: current, line 2"),
        Row("an invalid todo there", "text: b\n", "text: a\n", "text: b\n  c: [\n", "refused: other, line 2"),
        Row("a list instead of the todo", "text: b\n", "text: a\n", "- a\n", "refused: other, line 1"),
        Row("an emptied file", "", "text: a\n", "text: b\n", "refused: current, line 1"),
        Row(
            "markers here", "text: b\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", "text: a\n", "text: c\n",
            "refused: current, line 2"),
        Row("a repeated key", "text: b\ntext: c\n", "text: a\n", "text: d\n", "refused: current, line 2"),
        // Results that would break a limit.
        Row(
            "too large together", "text: a\na: \(large)\n", "text: a\n",
            "text: a\nb: \(large)\nprecious: 1\n",
            "refused: larger than 1 MiB"),
        Row(
            "different ids, too large together", "id: x\nm: 1\na: \(large)\nn: 1\ntext: a\n",
            "id: x\nm: 1\nn: 1\ntext: a\n", "id: y\nm: 1\nn: 1\ntext: a\nb: \(large)\n",
            "refused: larger than 1 MiB"),
        Row(
            "different ids, and the same key twice", "id: x\nm: 1\nk: 1\nn: 1\ntext: a\n",
            "id: x\nm: 1\nn: 1\ntext: a\n", "id: y\nm: 1\nn: 1\ntext: a\nk: 2\n",
            "refused: the key 'k' occurs more than once"),
        Row(
            "markers with room for both", "text: a\nb: l\(large)\n", "text: a\nb: \(large)\n",
            "text: a\nb: r\(large)\n",
            "conflict: text: a\n<<<<<<< local\nb: l\(large)\n=======\nb: r\(large)\n>>>>>>> remote\n"),
    ]
    private static let large = String(repeating: "x", count: 600_000)

    @Test(arguments: rows) func `a file merges as a todo`(_ row: Row) throws {
        let merge = FileMerge(Configuration())
        #expect(try outcome(merge, row.current, row.base, row.other) == row.outcome)
    }

    private func outcome(
        _ merge: FileMerge, _ current: String, _ base: String, _ other: String,
        _ labels: MarkerLabels = MarkerLabels()
    ) throws -> String {
        do {
            let outcome = try merge.merge(
                current: Array(current.utf8), base: Array(base.utf8), other: Array(other.utf8),
                labels: labels)
            switch outcome {
            case .merged(let text): return String(decoding: text, as: UTF8.self)
            case .conflict(let text): return "conflict: " + String(decoding: text, as: UTF8.self)
            }
        } catch let refusal as FileMerge.Refusal {
            return "refused: \(refusal.version), line \(refusal.problem.line)"
        } catch let obstacle as MergeObstacle {
            return "refused: \(obstacle.problem)"
        }
    }

    @Test func `bytes that aren't UTF-8 are refused, whatever the file is`() throws {
        let merge = FileMerge(Configuration())
        #expect(throws: FileMerge.Refusal.self) {
            try merge.merge(current: Array("- a\n".utf8), base: [], other: [0x2D, 0x20, 0xFF, 0x0A])
        }
        #expect(throws: FileMerge.Refusal.self) {
            try merge.merge(
                current: Array("text: a\n".utf8), base: [0x61, 0x3A, 0x20, 0xFF, 0x0A],
                other: Array("text: b\n".utf8))
        }
    }

    @Test func `the settings are the working directory's`() throws {
        let todo = { (item: String) in "text: a\nl:\n- {url: 1, \(item)}\n- {url: 2}\n" }
        var configuration = Configuration()
        configuration.identity = ["url"]
        configuration.conflictStyle = "diff3"
        let labels = MarkerLabels(local: "HEAD", base: "1234567", remote: "side")
        #expect(
            try outcome(FileMerge(configuration), todo("a: 2, b: 1"), todo("a: 1, b: 1"), todo("a: 1, b: 2"))
                == todo("a: 2, b: 2"))
        #expect(
            try outcome(FileMerge(configuration), "text: b\n", "text: a\n", "text: c\n", labels)
                == """
                conflict: <<<<<<< local (HEAD)
                text: b
                ||||||| base (1234567)
                text: a
                =======
                text: c
                >>>>>>> remote (side)

                """)
        configuration.hasPlainLabels = true
        configuration.conflictStyle = nil
        #expect(
            try outcome(FileMerge(configuration), "text: b\n", "text: a\n", "text: c\n", labels)
                == "conflict: <<<<<<< local\ntext: b\n=======\ntext: c\n>>>>>>> remote\n")
    }

    // MARK: Versions that the remote has confirmed

    /// Returns the text with a number.
    private static func version(_ number: Int) -> String {
        "id: x\ntext: version \(number)\ntags: [t\(number)]\n"
    }

    /// The confirmed versions, and the version that is the result; nil if fields merge.
    static let versions: [(confirmed: [Int], current: Int, base: Int?, other: Int, result: Int?)] = [
        ([1, 2, 3], 2, 1, 3, 3),
        ([1, 2, 3], 3, 1, 2, 3),
        ([2, 3], 3, nil, 2, 3),
        // One side is older than the base, or might be.
        ([1, 2, 3], 1, 2, 3, nil),
        ([2, 3], 2, 1, 3, nil),
        // One side wasn't on the remote.
        ([1, 2], 2, 1, 3, nil),
        ([1, 3], 2, 1, 3, nil),
        // The remote went back to an earlier version.
        ([1, 2, 3, 2], 2, 1, 3, 2),
        ([1, 2, 3, 1], 2, 1, 3, nil),
    ]

    @Test(arguments: versions) func `of two versions that the remote has confirmed, the newer one is taken`(
        _ row: (confirmed: [Int], current: Int, base: Int?, other: Int, result: Int?)
    ) throws {
        let merge = FileMerge(Configuration()) { id in
            id == TodoID("x") ? row.confirmed.map { Array(Self.version($0).utf8) } : []
        }
        let outcome = try outcome(
            merge, Self.version(row.current), row.base.map(Self.version) ?? "", Self.version(row.other))
        if let result = row.result {
            #expect(outcome == Self.version(result))
        } else {
            #expect(outcome.hasPrefix("conflict: "))
        }
    }

    @Test func `line ends make no other version, and stay as they are in the file`() throws {
        let merge = FileMerge(Configuration()) { _ in [1, 2, 3].map { Array(Self.version($0).utf8) } }
        let windows = Self.version(3).replacing("\n", with: "\r\n")
        #expect(try outcome(merge, Self.version(2), Self.version(1), windows) == windows)
    }
}
