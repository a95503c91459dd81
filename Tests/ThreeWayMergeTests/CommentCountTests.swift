import LosslessYAML
import Testing

@testable import ThreeWayMerge

@Suite struct CommentCountTests {
    @Test func `a comment on a block's first line counts as inside the block`() throws {
        let (local, remote) = ("text: A\n# c\ndue: 1\n", "text: A\ndue: 2\n# c\n")
        let text = ConflictedText(pieces: [
            .text(Array("text: A\n".utf8)),
            .block(
                ConflictedText.Block(
                    local: Array("# c\ndue: 1\n".utf8), base: nil, remote: Array("due: 2\n# c\n".utf8))),
        ])
        let document = try Document(parsing: Array(local.utf8))
        let counts = CommentCounts(
            text, local: document, remote: try Document(parsing: Array(remote.utf8)))
        #expect(counts[Array("# c".utf8)[...]] == 1)
        #expect(CommentCounts(outsideBlocksOf: text, local: document)[Array("# c".utf8)[...]] == 0)
    }
}
