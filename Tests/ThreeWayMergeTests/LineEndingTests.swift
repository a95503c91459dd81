import TestSupport
import Testing

@testable import ThreeWayMerge

@Suite struct LineEndingTests {
    @Test(
        arguments: [
            ("", .lineFeed), ("a", .lineFeed), ("a\nb\n", .lineFeed), ("a\r\nb\r\n", .carriageReturnLineFeed),
            ("a\rb\r", .carriageReturn), ("\r", .carriageReturn), ("\n", .lineFeed),
            ("\r\n", .carriageReturnLineFeed), ("a\rb", .carriageReturn), ("\ra\rb\n", .carriageReturn),
            // The most frequent line ending.
            ("a\r\nb\nc\n", .lineFeed), ("a\nb\r\nc\r\n", .carriageReturnLineFeed),
            ("a\rb\rc\n", .carriageReturn), ("a\rb\nc\n", .lineFeed), ("a\rb\rc\r\n", .carriageReturn),
            ("a\rb\r\nc\r\n", .carriageReturnLineFeed), ("a\rb\rc\r\nd\ne\nf\n", .lineFeed),
            // If several are equally frequent, CRLF comes before LF, and LF before CR.
            ("a\r\nb\n", .carriageReturnLineFeed), ("a\rb\r\n", .carriageReturnLineFeed),
            ("a\rb\n", .lineFeed),
            ("a\n\rb", .lineFeed), ("a\r\rb\n\n\r\n\r\n", .carriageReturnLineFeed),
        ] as [(String, LineEnding)])
    func `a text's line ending is its most frequent one`(text: String, ending: LineEnding) {
        #expect(LineEnding(mostUsedIn: Array(text.utf8)) == ending)
    }

    @Test(arguments: [
        ("", ""), ("a", "a"), ("a\n", "a|"), ("a\r\nb\rc\n", "a|b|c|"), ("\n\r", "||"), ("\r\r\n\n", "|||"),
        ("\r\n\r\n", "||"), ("a\r", "a|"), ("\ra", "|a"), ("\n", "|"),
    ])
    func `every line break is replaced by the requested one`(text: String, expected: String) {
        for (ending, lineBreak) in [
            (LineEnding.lineFeed, "\n"), (.carriageReturnLineFeed, "\r\n"), (.carriageReturn, "\r"),
        ] {
            let converted = Array(text.utf8).converted(to: ending)
            #expect(string(converted) == expected.replacing("|", with: lineBreak))
            #expect(converted.converted(to: ending) == converted)
        }
    }

    @Test(arguments: [
        ("", "", true), ("a", "a", false), ("a\n", "a", true), ("a\r\n", "a", true), ("a\n\n", "a\n", true),
        ("\n", "", true), ("\r\n", "", true), ("a\r", "a\r", false), ("\n\r\n", "\n", true),
        ("a\rb\n", "a\rb", true), ("\ra", "\ra", false),
    ])
    func `the last line break can be removed`(text: String, without: String, isWhole: Bool) {
        #expect(string(Array(text.utf8).withoutLastLineBreak) == without)
        #expect(Array(text.utf8).endsWithWholeLine == isWhole)
    }

    @Test(arguments: seeds(100))
    func `joining a text's lines gives the text, and each line ends with its only line feed`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let characters = Array("a\n\r".utf8)
        let text = (0..<Int(random.next() % 12)).map { _ in
            characters[Int.random(in: 0..<3, using: &random)]
        }
        let lines = lineRanges(text).map { text[$0] }
        #expect(Array(lines.joined()) == text)
        #expect(lines.allSatisfy { !$0.dropLast().contains(LineEnding.lf) && !$0.isEmpty })
        #expect(lines.dropLast().allSatisfy { $0.last == LineEnding.lf })
    }
}
