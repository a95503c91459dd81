/// A bit set of indices into a cache's entries.
struct PlaceSet: Sendable {
    private var bits: [UInt64]

    /// Creates an empty set.
    ///
    /// - Parameter limit: A number that is greater than all indices.
    init(below limit: Int) { bits = Array(repeating: 0, count: (limit + 63) / 64) }

    /// Creates the set of all indices below a limit.
    init(allBelow limit: Int) {
        bits = Array(repeating: .max, count: (limit + 63) / 64)
        if let last = bits.indices.last, !limit.isMultiple(of: 64) {
            bits[last] &= 1 << UInt64(limit % 64) - 1
        }
    }

    func contains(_ place: Int) -> Bool {
        place / 64 < bits.count && bits[place / 64] & 1 << UInt64(place % 64) != 0
    }

    mutating func insert(_ place: Int) { bits[place / 64] |= 1 << UInt64(place % 64) }

    mutating func remove(_ place: Int) {
        if contains(place) { bits[place / 64] &= ~(1 << UInt64(place % 64)) }
    }

    /// Adds the indices of another set with the same limit.
    mutating func formUnion(_ other: PlaceSet) {
        for (index, word) in other.bits.enumerated() { bits[index] |= word }
    }

    /// Returns the indices that another set with the same limit doesn't have.
    func subtracting(_ other: PlaceSet) -> PlaceSet {
        var rest = self
        for (index, word) in other.bits.enumerated() { rest.bits[index] &= ~word }
        return rest
    }

    var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The indices in ascending order.
    var places: some Sequence<Int> {
        bits.indices.lazy.filter { bits[$0] != 0 }.flatMap { word in
            (word * 64..<word * 64 + 64).lazy.filter(contains)
        }
    }
}
