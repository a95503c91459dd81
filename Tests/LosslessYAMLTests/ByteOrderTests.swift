import LosslessYAML
import TestSupport
import Testing

@Suite struct ByteOrderTests {
    @Test(arguments: propertySeeds)
    func `elements are sorted by their strings' bytes`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "a", "b", "/", "list-", "\u{E9}", "e\u{301}", "\u{0}", "todo-1", "1234567", "\u{1F600}", "-",
        ]
        for _ in 0..<200 {
            let beginning = random.chance(0.5) ? "" : String(repeating: "list-", count: 4)
            let strings = (0..<Int.random(in: 0...30, using: &random)).map { number in
                let count = Int.random(in: 0...6, using: &random)
                let rest = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
                return (string: beginning + rest, number: number)
            }
            let expected = strings.sorted { left, right in
                let (first, second) = (Array(left.string.utf8), Array(right.string.utf8))
                return first == second ? left.number < right.number : first.lexicographicallyPrecedes(second)
            }
            let sorted = strings.sorted(byBytesOf: \.string)
            #expect(sorted.map(\.number) == expected.map(\.number), "\(strings)")
        }
    }

    @Test func `a second criterion sorts elements with the same string`() {
        let elements = [("b", 1), ("a", 1), ("a", 3), ("b", 2), ("a", 2)]
        #expect(elements.sorted(byBytesOf: \.0).map(\.1) == [1, 3, 2, 1, 2])
        #expect(elements.sorted(byBytesOf: \.0) { $0.1 > $1.1 }.map(\.1) == [3, 2, 1, 2, 1])
    }
}
