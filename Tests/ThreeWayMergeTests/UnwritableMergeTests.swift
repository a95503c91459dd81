import LosslessYAML
import Testing
import ThreeWayMerge

/// Merges whose result would break a limit of documents.
@Suite struct UnwritableMergeTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var base: String
        var local: String
        var remote: String
        var obstacle: MergeObstacle
        /// Whether the sides can be merged the other way around.
        var isOneWay = false
    }

    private static let large = String(repeating: "x", count: 600_000)
    private static let words = "[\(Array(repeating: "x", count: 30).joined(separator: ", "))]"
    private static let aliases =
        "id: a\ntext: x\nb: &b \(words)\nm: &m [\(Array(repeating: "*b", count: 1200).joined(separator: ", "))]\n"

    static let rows = [
        Row(
            testDescription: "each side added a large field",
            base: "id: a\ntext: x\n", local: "id: a\ntext: x\na: \(large)\n",
            remote: "id: a\ntext: x\nb: \(large)\nprecious: 1\n",
            obstacle: MergeObstacle(problem: "larger than 1 MiB", local: 600_018, remote: 600_030)),
        Row(
            testDescription: "each side added a large field beside a conflict",
            base: "id: a\ntext: x\n", local: "id: a\ntext: y\na: \(large)\n",
            remote: "id: a\ntext: z\nb: \(large)\n",
            obstacle: MergeObstacle(problem: "larger than 1 MiB", local: 600_018, remote: 600_018)),
        Row(
            testDescription: "each side added large lines",
            base: "id: a\ntext: x\nnotes: |\n  one\n  two\n",
            local: "id: a\ntext: x\nnotes: |\n  \(large)\n  one\n  two\n",
            remote: "id: a\ntext: x\nnotes: |\n  one\n  two\n  \(large)\nprecious: 1\n",
            obstacle: MergeObstacle(problem: "larger than 1 MiB", local: 600_038, remote: 600_050)),
        Row(
            testDescription: "in flow style",
            base: "{id: a, text: x}\n", local: "{id: a, text: x, a: \(large)}\n",
            remote: "{id: a, text: x, b: \(large)}\n",
            obstacle: MergeObstacle(problem: "larger than 1 MiB", local: 600_022, remote: 600_022)),
        Row(
            testDescription: "each side added a large comment",
            base: "id: a\ntext: x\n", local: "# \(large)\nid: a\ntext: x\n",
            remote: "id: a\ntext: x\n# \(large.dropLast())y\nprecious: 1\n",
            obstacle: MergeObstacle(problem: "larger than 1 MiB", local: 600_017, remote: 600_029)),
        Row(
            testDescription: "aliases of both sides",
            base: aliases, local: aliases + "l: *m\n", remote: aliases + "r: *m\nprecious: 1\n",
            obstacle: MergeObstacle(
                problem: "\(YAMLError.Reason.aliasesTooLarge)", unit: .nodes, local: 74_441, remote: 74_443)),
        Row(
            testDescription: "a byte order mark that has no room",
            base: "\u{FEFF}id: a\ntext: x\nb: \(large)\n",
            local: "\u{FEFF}id: a\ntext: y\nb: \(large)\n",
            remote: "id: a\ntext: x\nb: \(large)\nc: \(String(large.prefix((1 << 20) - 600_018 - 4)))\n",
            obstacle: MergeObstacle(problem: "larger than 1 MiB", local: 600_021, remote: 1 << 20),
            isOneWay: true),
    ]

    @Test(arguments: rows)
    func `no side's changes are dropped`(row: Row) throws {
        let texts = try [row.base, row.local, row.remote].map(document)
        let merge = merge(base: texts[0], local: texts[1], remote: texts[2], rules: .todo)
        #expect(merge.outcome.obstacle == row.obstacle)
        var swapped = row.obstacle
        (swapped.local, swapped.remote) = (swapped.remote, swapped.local)
        let back = ThreeWayMerge.merge(base: texts[0], local: texts[2], remote: texts[1], rules: .todo)
        #expect(back.outcome.obstacle == (row.isOneWay ? nil : swapped))
    }

    @Test func `sides that fit together are merged`() throws {
        let half = String(Self.large.prefix(500_000))
        let merge = merge(
            base: try document("id: a\ntext: x\n"), local: try document("id: a\ntext: x\na: \(half)\n"),
            remote: try document("id: a\ntext: x\nb: \(half)\nprecious: 1\n"), rules: .todo)
        #expect(merge.outcome == .clean(Array("id: a\ntext: x\na: \(half)\nb: \(half)\nprecious: 1\n".utf8)))
    }

    @Test func `a conflict has room for both sides`() throws {
        let merge = merge(
            base: try document("id: a\ntext: x\nbody: \(Self.large)\n"),
            local: try document("id: a\ntext: x\nbody: l\(Self.large)\n"),
            remote: try document("id: a\ntext: x\nbody: r\(Self.large)\nprecious: 1\n"), rules: .todo)
        guard case .conflicted(let text) = merge.outcome else {
            Issue.record("no conflict")
            return
        }
        #expect(text.taking(.remote) == Array("id: a\ntext: x\nbody: r\(Self.large)\nprecious: 1\n".utf8))
        #expect(try ConflictedText.read(text.text(style: .diff3)) == text)
    }
}

extension MergedText {
    /// The obstacle of an unwritable merge.
    fileprivate var obstacle: MergeObstacle? {
        if case .unwritable(let obstacle) = self { obstacle } else { nil }
    }
}
