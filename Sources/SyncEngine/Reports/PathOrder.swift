internal import LosslessYAML

extension Sequence {
    /// Returns the elements in the order of the bytes of their paths.
    func sorted(byPath path: (Element) -> String) -> [Element] {
        let elements = Array(self)
        // Places are moved instead of elements, which may be large.
        let paths = elements.map(path)
        return elements.indices.sorted { paths[$0].precedes(paths[$1]) }.map { elements[$0] }
    }
}
