import LosslessYAML
import TestSupport
import Testing

@testable import ThreeWayMerge

/// Taking sides of many conflicts.
@Suite struct ManyBlockTests {
    /// Fields in conflict, some with an anchor that others need, in various numbers and distances.
    @Test(arguments: [2, 3, 4, 5, 9, 12], [1, 2, 3])
    func `any sides of any blocks give a valid todo, even if fields share an anchor`(count: Int, step: Int)
        throws
    {
        func text(_ value: Int, _ anchors: Bool) throws -> Document {
            let fields = (0..<count).map { number -> String in
                guard anchors, number % 4 == 0 || number % 4 == step else {
                    return "k\(number): \(value)\nsame\(number): 0\n"
                }
                let content = number % 4 == 0 ? "&n\(number) \(value)" : "*n\(number - step)"
                return "k\(number): \(content)\nsame\(number): 0\n"
            }
            return try document("id: a\n" + fields.joined())
        }
        let base = try text(1, false)
        let (anchored, plain) = (try text(2, true), try text(3, false))
        for (local, remote) in [(anchored, plain), (plain, anchored), (anchored, try text(4, true))] {
            guard
                case .conflicted(let merged) = merge(
                    base: base, local: local, remote: remote, rules: .todo
                ).outcome
            else {
                Issue.record("no conflict")
                continue
            }
            // A block that extends from an anchor to its alias includes everything between them.
            let blocks = (0..<count).filter { number in
                let position = number % 4
                return position == 0 || position > step || number - position + step >= count
            }
            #expect(merged.blocks.count == blocks.count)
            merged.expectEveryChoiceIsATodo()
        }
    }

    @Test func `an alias after the block keeps an anchor that all sides of the block have`() throws {
        let merged = merge(
            base: try document("id: a\no: {n: &x 1, m: 1}\nt: *x\n"),
            local: try document("id: a\no: {n: &x 1, m: 2}\nt: *x\n"),
            remote: try document("id: a\no: {n: &x 1, m: 3}\nt: *x\n"), rules: .todo
        ).outcome
        guard case .conflicted(let text) = merged else {
            Issue.record("no conflict")
            return
        }
        #expect(text.pieces.last == .text(Array("t: *x\n".utf8)), "\(merged.shown)")
    }

    @Test func `an alias whose anchor is on only one side of the block is in the block`() {
        func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
        let text = ConflictedText(pieces: [
            .block(ConflictedText.Block(local: bytes("a: &x 1\n"), base: nil, remote: bytes("a: 2\n"))),
            .text(bytes("b: 1\nc: *x\n")), .text(bytes("d: 1\n")),
        ])
        #expect(
            text.joiningDependentBlocks.pieces == [
                .block(
                    ConflictedText.Block(
                        local: bytes("a: &x 1\nb: 1\nc: *x\n"), base: nil,
                        remote: bytes("a: 2\nb: 1\nc: *x\n"))), .text(bytes("d: 1\n")),
            ])
    }
}

extension ConflictedText {
    /// Takes either side of each block in all combinations, or in many of them if there are too many.
    func expectEveryChoiceIsATodo() {
        let count = blocks.count
        var random = SplitMix64(seed: UInt64(count))
        let choices = count <= 4 ? Array(0..<UInt64(1) << count) : (0..<32).map { _ in random.next() }
        for choice in choices {
            var number = -1
            let bytes = pieces.flatMap { piece -> [UInt8] in
                switch piece {
                case .text(let lines): return lines
                case .block(let block):
                    number += 1
                    return choice >> (number % 64) & 1 == 0 ? block.local : block.remote
                }
            }
            let fields = try? Document(parsing: bytes).fields
            #expect(fields?["id"] != nil, "\(string(text(style: .merge)))---\n\(string(bytes))")
        }
    }
}
