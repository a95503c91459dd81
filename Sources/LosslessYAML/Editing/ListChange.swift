/// A step in turning one list into another.
enum ListChange {
    /// Keeps the old element at this index with this value, which can be its current value.
    case keep(Int, Value)
    case insert(Value)

    /// Returns the steps in the order of the new list.
    ///
    /// Old elements without a step are removed.
    ///
    /// Equal elements stay. Between them, mappings with the same `id` or `text` are matched as changed, and
    /// the rest are matched one by one.
    static func changes(from old: [Value], to new: [Value]) -> [ListChange] {
        var kept: [(old: Int, new: Int)] = []
        let equal = Alignment.pairs(old, new)
        kept += equal
        for gap in Alignment.gaps(equal, oldCount: old.count, newCount: new.count) {
            let oldNames = gap.old.map { Name(old[$0], index: $0, isOld: true) }
            let newNames = gap.new.map { Name(new[$0], index: $0, isOld: false) }
            let named = Alignment.pairs(oldNames, newNames)
            kept += named.map { (gap.old.lowerBound + $0.old, gap.new.lowerBound + $0.new) }
            for rest in Alignment.gaps(named, oldCount: oldNames.count, newCount: newNames.count) {
                let pairs = zip(rest.old, rest.new)
                kept += pairs.map { (gap.old.lowerBound + $0.0, gap.new.lowerBound + $0.1) }
            }
        }
        var places = [Int?](repeating: nil, count: new.count)
        for pair in kept { places[pair.new] = pair.old }
        return zip(places, new).map { place, value in place.map { .keep($0, value) } ?? .insert(value) }
    }

    /// The part of an element that identifies it even if the rest changes.
    private struct Name: Hashable {
        let value: Value
        /// A unique index for an element without a name; nil otherwise.
        let index: Int?

        init(_ element: Value, index: Int, isOld: Bool) {
            if case .mapping(let mapping) = element, let name = mapping["id"] ?? mapping["text"] {
                (value, self.index) = (name, nil)
            } else {
                (value, self.index) = (.bool(isOld), index)
            }
        }
    }
}
