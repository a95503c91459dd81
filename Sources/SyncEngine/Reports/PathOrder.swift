internal import LosslessYAML

extension Array {
    /// Returns the elements in the order of the bytes of their paths.
    func sorted(byPath path: (Element) -> String) -> [Element] {
        // Places are moved instead of elements, which may be large.
        let paths = map(path)
        return indices.sorted { paths[$0].precedes(paths[$1]) }.map { self[$0] }
    }
}
