import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct MarkerLabelTests {
    private static let labels = MarkerLabels(local: "phone", remote: "laptop, version 0e0f1a2b")

    @Test func `a label follows the marker's word in parentheses, in every block`() {
        let block = ConflictedText.Block(
            local: Array("a\n".utf8), base: Array("o\n".utf8), remote: Array("b\n".utf8))
        let text = ConflictedText(pieces: [.block(block), .text(Array("x\n".utf8)), .block(block)])
        let written = """
            <<<<<<< local (phone)
            a
            ||||||| base
            o
            =======
            b
            >>>>>>> remote (laptop, version 0e0f1a2b)

            """
        #expect(string(text.text(style: .diff3, labels: Self.labels)) == written + "x\n" + written)
        #expect(
            string(text.text(style: .diff3, labels: MarkerLabels(base: "version 0")))
                .hasPrefix("<<<<<<< local\na\n||||||| base (version 0)\no\n=======\nb\n>>>>>>> remote\n"))
        #expect(
            string(text.text(style: .merge, labels: MarkerLabels(remote: "version 1")))
                .hasPrefix("<<<<<<< local\na\n=======\nb\n>>>>>>> remote (version 1)\n"))
    }

    @Test(arguments: ["\n", "\r\n"], ConflictStyle.allCases)
    func `a text is read the same with and without labels`(end: String, style: ConflictStyle) throws {
        for hasEnd in [true, false] {
            let last = hasEnd ? end : ""
            let block = ConflictedText.Block(
                local: Array("text: a\(end)n: 1\(last)".utf8), base: Array("text: o\(end)".utf8),
                remote: Array("text: b\(end)n: 1\(last)".utf8))
            let text = ConflictedText(pieces: [.text(Array("id: a\(end)".utf8)), .block(block)])
            let labeled = text.text(style: style, labels: Self.labels)
            #expect(string(labeled).contains("<<<<<<< local (phone)\(end)"))
            #expect(try ConflictedText.read(labeled) == ConflictedText.read(text.text(style: style)))
        }
    }
}
