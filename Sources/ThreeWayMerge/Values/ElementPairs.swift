import LosslessYAML

/// Pairs of elements in an old list and a new list, as far as these two lists determine them.
struct ElementPairs {
    /// Unpaired elements between the same neighbors.
    struct Gap {
        var old: [Int] = []
        var new: [Int] = []
    }

    /// The partner of each old element; nil if there isn't one.
    private(set) var newPlaces: [Int?]
    /// The partner of each new element; nil if there isn't one.
    private(set) var oldPlaces: [Int?]
    private(set) var gaps: [Gap]
    /// The old elements whose partners might be different elements that only share some features.
    private(set) var unsure: Set<Int> = []
    /// The index of the gap that each unpaired old element is in.
    private(set) var gapOfOld: [Int: Int] = [:]
    private let old: [Value]
    private let new: [Value]

    /// Pairs the elements of two lists.
    ///
    /// - Parameter usesContent: Whether to also pair elements with similar content.
    init(old: [Value], new: [Value], keys: ElementKeys, usesContent: Bool = true) {
        self.old = old
        self.new = new
        newPlaces = Array(repeating: nil, count: old.count)
        oldPlaces = Array(repeating: nil, count: new.count)
        var numbers: [Value: Int32] = [:]
        func number(_ element: Value) -> Int32 {
            let key = keys.key(of: element)
            if let number = numbers[key] { return number }
            let number = Int32(numbers.count)
            numbers[key] = number
            return number
        }
        let oldNumbers = old.map(number)
        let newNumbers = new.map(number)
        let difference = LineDifference(from: oldNumbers, to: newNumbers)
        gaps = difference.changes.map { Gap(old: Array($0.old), new: Array($0.new)) }
        let stayed = old.indices.filter { !difference.removed[$0] }
        for (old, new) in zip(stayed, self.new.indices.filter { !difference.added[$0] }) { pair(old, new) }
        pairMoved(oldNumbers, newNumbers)
        for name in keys.own == nil ? keys.names : [ElementKeys.id] { pairUnique(by: name) }
        if usesContent, keys.own == nil {
            let alike = unpairedOld
            let telling = Set(keys.telling.map { ByteKey($0) })
            pairMostAlike(unpairedOld, unpairedNew) { telling.contains($0.key) }
            for gap in gaps {
                let gap = unpaired(gap)
                pairMostAlike(gap.old, gap.new) { _ in true }
            }
            unsure = Set(alike.filter { isUnsure($0, keys) })
        }
        gaps = gaps.map(unpaired)
        for (number, gap) in gaps.enumerated() { for old in gap.old { gapOfOld[old] = number } }
    }

    /// Returns whether an old element is the only one in its gap.
    func isOnlyOld(_ old: Int) -> Bool { gapOfOld[old].map { gaps[$0].old.count == 1 } ?? false }

    /// Returns the only new element in an old element's gap; nil if the gap has other old or new elements.
    func onlyNew(for old: Int) -> Int? {
        guard isOnlyOld(old), let gap = gapOfOld[old], gaps[gap].new.count == 1 else { return nil }
        return gaps[gap].new[0]
    }

    private mutating func pair(_ old: Int, _ new: Int) {
        newPlaces[old] = new
        oldPlaces[new] = old
    }

    private var unpairedOld: [Int] { old.indices.filter { newPlaces[$0] == nil } }
    private var unpairedNew: [Int] { new.indices.filter { oldPlaces[$0] == nil } }

    /// Returns whether a pair's elements have different names: the first field that distinguishes elements
    /// has changed.
    ///
    /// Without such a field, returns whether an element both lost and gained features.
    private func isUnsure(_ place: Int, _ keys: ElementKeys) -> Bool {
        guard let partner = newPlaces[place] else { return false }
        if let name = keys.telling.first {
            return old[place].scalar(named: name) != new[partner].scalar(named: name)
        }
        let (before, after) = (Set(old[place].features), Set(new[partner].features))
        return !before.isSubset(of: after) && !after.isSubset(of: before)
    }

    private func unpaired(_ gap: Gap) -> Gap {
        Gap(old: gap.old.filter { newPlaces[$0] == nil }, new: gap.new.filter { oldPlaces[$0] == nil })
    }

    /// Pairs equal elements at different positions, in order.
    private mutating func pairMoved(_ oldNumbers: [Int32], _ newNumbers: [Int32]) {
        var places: [Int32: [Int]] = [:]
        for old in unpairedOld.reversed() { places[oldNumbers[old], default: []].append(old) }
        for new in unpairedNew {
            if let old = places[newNumbers[new]]?.popLast() { pair(old, new) }
        }
    }

    /// Pairs elements by a field's value, if it occurs in only one unpaired element of each list.
    private mutating func pairUnique(by name: String) {
        let olds = Dictionary(grouping: unpairedOld) { old[$0].scalar(named: name) }
        let news = Dictionary(grouping: unpairedNew) { new[$0].scalar(named: name) }
        for case (let value?, let places) in olds where places.count == 1 {
            guard let partners = news[value], partners.count == 1 else { continue }
            if ElementKeys.mayBeSame(old[places[0]], new[partners[0]]) { pair(places[0], partners[0]) }
        }
    }

    /// Pairs the elements that have the most unique features in common.
    private mutating func pairMostAlike(_ olds: [Int], _ news: [Int], by counts: (Feature) -> Bool) {
        var alike = SharedFeatures()
        for place in olds {
            for feature in old[place].features where counts(feature) {
                alike.olds[feature, default: []].append(place)
            }
        }
        for place in news {
            for feature in new[place].features where counts(feature) {
                alike.news[feature, default: []].append(place)
            }
        }
        for (old, new) in alike.mutualBest where ElementKeys.mayBeSame(self.old[old], self.new[new]) {
            pair(old, new)
        }
    }
}

/// A field of an element, with its value.
private struct Feature: Hashable {
    var key: ByteKey
    var value: Value
}

/// The elements that have each feature.
private struct SharedFeatures {
    var olds: [Feature: [Int]] = [:]
    var news: [Feature: [Int]] = [:]

    /// The pairs whose elements share more features with each other than with any other element.
    var mutualBest: [(Int, Int)] {
        var scores: [Int: [Int: Int]] = [:]
        var scoresOfNew: [Int: [Int: Int]] = [:]
        for (feature, places) in olds where places.count == 1 {
            guard let partners = news[feature], partners.count == 1 else { continue }
            scores[places[0], default: [:]][partners[0], default: 0] += 1
            scoresOfNew[partners[0], default: [:]][places[0], default: 0] += 1
        }
        return scores.compactMap { old, partners in
            guard let new = Self.best(of: partners), scoresOfNew[new].flatMap(Self.best) == old else {
                return nil
            }
            return (old, new)
        }
    }

    private static func best(of scores: [Int: Int]) -> Int? {
        let most = scores.values.max()
        let best = scores.filter { $0.value == most }
        return best.count == 1 ? best.keys.first : nil
    }
}

extension Value {
    /// The fields that can distinguish a mapping from others, which excludes Booleans.
    fileprivate var features: [Feature] {
        guard case .mapping(let mapping) = self else { return [] }
        return mapping.entries.compactMap { entry in
            switch entry.value {
            case .null, .bool: nil
            case .number, .string, .list, .mapping: Feature(key: ByteKey(entry.key), value: entry.value)
            }
        }
    }
}
