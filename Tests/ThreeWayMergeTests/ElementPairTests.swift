import LosslessYAML
import Testing

@testable import ThreeWayMerge

@Suite struct ElementPairTests {
    @Test(arguments: [
        ("{n: [1], m: [2]}", false), ("{n: [1], m: [2], o: [3]}", false), ("{n: [1]}", false),
        ("{n: [1], m: [3]}", true),
    ])
    func `a partner might be another element if it both lacks and adds something`(
        _ element: String, isUnsure: Bool
    ) throws {
        let (old, new) = (try list("[{n: [1], m: [2]}, {n: [9]}]"), try list("[\(element), {n: [9]}]"))
        let keys = ElementKeys(of: Sides(base: old, local: new, remote: new), identity: [])
        let pairs = ElementPairs(old: old, new: new, keys: keys)
        #expect(pairs.newPlaces == [0, 1])
        #expect(pairs.unsure == (isUnsure ? [0] : []))
    }

    private func list(_ text: String) throws -> [Value] {
        guard case .list(let list)? = try Document(parsing: Array("l: \(text)\n".utf8)).fields["l"] else {
            return []
        }
        return list
    }
}
