import LosslessYAML
import Testing

@testable import ThreeWayMerge

@Suite struct ElementPairTests {
    @Test(arguments: [
        ("{item: milk, n: [1], m: 2}", false), ("{item: milks, n: [1]}", false),
        ("{item: bread, n: [1]}", true), ("{n: [1]}", true),
    ])
    func `a partner with a different name might be a different element`(_ element: String, isUnsure: Bool)
        throws
    {
        let (old, new) = (
            try list("[{item: milk, n: [1]}, {n: [9]}]"), try list("[\(element), {n: [9]}]")
        )
        let keys = ElementKeys(of: Sides(base: old, local: new, remote: new), identity: [])
        let pairs = ElementPairs(old: old, new: new, keys: keys)
        #expect(pairs.newPositions == [0, 1])
        #expect(pairs.unsure == (isUnsure ? [0] : []))
    }

    @Test(arguments: [
        ("buy milk", "buy mlik", true), ("buy milk", "buy oat milk", true), ("buy milk", "buy bread", false),
        ("buy milk", "call Bob", false), ("bread", "Bread", true), ("b", "B", false), ("", "", true),
        ("", "a", false), ("ab", "abc", true), ("ab", "abcd", false), ("caf\u{e9}", "cafe\u{301}", true),
        ("\u{1F95B}\u{1F95B}", "\u{1F95B}\u{1F95B}\u{1F35E}", true), ("abcdef", "fedcba", false),
    ])
    func `an edited name keeps two thirds of the characters, in order`(
        _ old: String, _ new: String, isVersion: Bool
    ) {
        #expect(EditedName(old).isVersion(of: EditedName(new)) == isVersion)
        #expect(EditedName(new).isVersion(of: EditedName(old)) == isVersion)
    }

    private func list(_ text: String) throws -> [Value] {
        guard case .list(let list)? = try Document(parsing: Array("l: \(text)\n".utf8)).fields["l"] else {
            return []
        }
        return list
    }
}
