import LosslessYAML
import TestSupport
import Testing

/// A mapping behaves like a list of entries whose keys are compared byte by byte.
@Suite struct MappingTests {
    @Test(arguments: 0..<200) func `entries are found, replaced and removed by key`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var mapping = Mapping()
        var entries: [(key: String, value: Value)] = []
        // Sometimes there are more entries than a linear search is used for.
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            let key = Self.key(using: &random)
            let value = Value.string("\(UInt64.random(in: 0...9, using: &random))")
            let index = entries.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                #expect(mapping.append(key, value) == (index == nil))
                if index == nil { entries.append((key, value)) }
            case 1:
                mapping[key] = value
                if let index { entries[index].value = value } else { entries.append((key, value)) }
            default:
                mapping[key] = nil
                if let index { entries.remove(at: index) }
            }
            #expect(mapping[key] == entries.first { $0.key.utf8.elementsEqual(key.utf8) }?.value)
        }
        #expect(mapping.entries.elementsEqual(entries) { Array($0.key.utf8) == Array($1.key.utf8) })
        #expect(mapping.entries.elementsEqual(entries) { $0.value == $1.value })
        let some = mapping.filter { $0.utf8.count.isMultiple(of: 2) }
        for (key, value) in entries { #expect(some[key] == (key.utf8.count.isMultiple(of: 2) ? value : nil)) }
    }

    /// Returns keys of few different bytes, so that keys repeat, with lengths around eight.
    private static func key(using random: inout SplitMix64) -> String {
        let count = [0, 1, 2, 7, 8, 9, 15, 16, 17].randomElement(using: &random) ?? 0
        let letter = ["a", "b", "é"].randomElement(using: &random) ?? "a"
        let other = ["a", "b", "\0"].randomElement(using: &random) ?? "a"
        let position = Int.random(in: 0...max(0, count - 1), using: &random)
        return (0..<count).map { $0 == position ? other : letter }.joined()
    }

    @Test func `keys with the same hash are different keys`() {
        // The first and the last eight bytes differ, but their hashes are equal.
        let (first, second) = ("Axxxxxxxaaaaaaaa", " xxxxxxxbaaaaaaa")
        var mapping: Mapping = [first: "1", second: "2"]
        #expect(mapping.count == 2 && mapping[first] == "1" && mapping[second] == "2")
        mapping[first] = nil
        #expect(mapping.count == 1 && mapping[first] == nil && mapping[second] == "2")
    }

    @Test(arguments: 0..<200) func `strings are sorted by their bytes`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (left, right) = (Self.key(using: &random), Self.key(using: &random))
        #expect(left.precedes(right) == left.utf8.lexicographicallyPrecedes(right.utf8))
        #expect(left.isSameBytes(as: right) == left.utf8.elementsEqual(right.utf8))
    }
}
