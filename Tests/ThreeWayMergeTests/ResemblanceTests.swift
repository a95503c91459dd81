import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// How much of a value identifies it under a different name.
@Suite struct ResemblanceTests {
    @Test(
        arguments: [
            // A string needs eight characters, five of them letters.
            (.string("abcdefgh"), 2), (.string("abcdefg"), 0), (.string("abcde 12"), 2),
            (.string("abcd 123"), 0), (.string("2026-12-01"), 0),
            // Each line counts.
            (.string("first line\nsecond line\n"), 4), (.string("first line\nb\n"), 2),
            // A number needs six digits that aren't 0.
            (.number(Number(123_456)), 2), (.number(Number(100_456)), 0),
            // A key distinguishes any other scalar; a place in a list doesn't.
            (.mapping(["city": .string("Ulm"), "paid": .bool(true)]), 2),
            (.list([.string("Ulm"), .bool(true)]), 0),
            (.list([.string("shopping"), .string("Ulm")]), 2), (.null, 0),
        ] as [(Value, Int)])
    func `a value is worth its distinctive scalars`(_ value: Value, _ points: Int) {
        #expect(Resemblance(value).points == points)
    }

    @Test(arguments: [
        ("one line here\ntwo lines here\nthree lines here\nfour lines here\n", true),
        ("one line here\ntwo lines here\nthree lines here\nfour lines there\n", true),
        ("one line here\ntwo lines here\nthree lines there\nfour lines there\n", false),
    ])
    func `three quarters of the points make two values alike`(_ text: String, _ isLike: Bool) {
        let value = Resemblance(
            .string("one line here\ntwo lines here\nthree lines here\nfour lines here\n"))
        #expect(value.isLike(Resemblance(.string(text)), least: 2) == isLike)
        #expect(Resemblance(.string(text)).isLike(value, least: 2) == isLike)
    }
}
