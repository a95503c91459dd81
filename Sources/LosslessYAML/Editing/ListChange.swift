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
        var positions = [Int?](repeating: nil, count: new.count)
        for pair in kept { positions[pair.new] = pair.old }
        return zip(positions, new).map { position, value in
            position.map { .keep($0, value) } ?? .insert(value)
        }
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

/// Finds the elements that two lists have in common.
enum Alignment {
    /// The parts of both lists between two common elements.
    struct Gap {
        let old: Range<Int>
        let new: Range<Int>
    }

    /// Returns pairs of indices of equal elements, increasing in both lists.
    ///
    /// The search finds as many pairs as possible in limited time.
    static func pairs<Element: Hashable>(_ old: [Element], _ new: [Element]) -> [(old: Int, new: Int)] {
        // The table compares each old element with each new one. Comparing numbers takes much less time than
        // comparing large values.
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let number = numbers[element] { return number }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        return pairs(numbers: old.map(number), new.map(number))
    }

    private static func pairs(numbers old: [Int], _ new: [Int]) -> [(old: Int, new: Int)] {
        var start = 0
        while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
        var tail = 0
        while tail < old.count - start, tail < new.count - start,
            old[old.count - 1 - tail] == new[new.count - 1 - tail]
        {
            tail += 1
        }
        let oldMiddle = start..<(old.count - tail)
        let newMiddle = start..<(new.count - tail)
        let largestTable = 1 << 20
        let middle =
            oldMiddle.count * newMiddle.count <= largestTable
            ? longestCommonSubsequence(old[oldMiddle], new[newMiddle])
            : risingMatches(old[oldMiddle], new[newMiddle])
        return (0..<start).map { ($0, $0) } + middle
            + (0..<tail).map { (oldMiddle.upperBound + $0, newMiddle.upperBound + $0) }
    }

    /// Returns the gaps before, between and after pairs, without gaps that are empty in both lists.
    static func gaps(_ pairs: [(old: Int, new: Int)], oldCount: Int, newCount: Int) -> [Gap] {
        var gaps: [Gap] = []
        var (old, new) = (0, 0)
        for pair in pairs + [(oldCount, newCount)] {
            if pair.old > old || pair.new > new { gaps.append(Gap(old: old..<pair.old, new: new..<pair.new)) }
            (old, new) = (pair.old + 1, pair.new + 1)
        }
        return gaps
    }

    private static func longestCommonSubsequence(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>)
        -> [(old: Int, new: Int)]
    {
        guard !old.isEmpty, !new.isEmpty else { return [] }
        let width = new.count + 1
        // For each pair of positions, the length of the longest common subsequence of what follows in both
        // lists.
        var lengths = [Int32](repeating: 0, count: (old.count + 1) * width)
        for row in (0..<old.count).reversed() {
            for column in (0..<new.count).reversed() {
                lengths[row * width + column] =
                    old[old.startIndex + row] == new[new.startIndex + column]
                    ? lengths[(row + 1) * width + column + 1] + 1
                    : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
            }
        }
        var pairs: [(old: Int, new: Int)] = []
        var (row, column) = (0, 0)
        while row < old.count, column < new.count {
            if old[old.startIndex + row] == new[new.startIndex + column] {
                pairs.append((old.startIndex + row, new.startIndex + column))
                row += 1
                column += 1
            } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
                row += 1
            } else {
                column += 1
            }
        }
        return pairs
    }

    /// Matches each new element with the first equal old element that isn't matched yet, and returns the
    /// longest increasing subsequence of the matches.
    private static func risingMatches(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>)
        -> [(old: Int, new: Int)]
    {
        var positions: [Int: [Int]] = [:]
        for index in old.indices.reversed() { positions[old[index], default: []].append(index) }
        var matches: [(old: Int, new: Int)] = []
        for index in new.indices {
            if let position = positions[new[index]]?.popLast() { matches.append((position, index)) }
        }
        // Patience sorting: for each length, keep the increasing subsequence that ends lowest.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: matches.count)
        for (index, match) in matches.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if matches[ends[middle]].old < match.old { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var pairs: [(old: Int, new: Int)] = []
        var last = ends.last
        while let index = last {
            pairs.append(matches[index])
            last = previous[index]
        }
        return pairs.reversed()
    }
}
