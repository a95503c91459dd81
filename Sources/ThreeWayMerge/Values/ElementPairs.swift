import LosslessYAML

/// Pairs of elements in an old list and a new list, as far as these two lists determine them.
struct ElementPairs {
    /// Elements between the same neighbors, which they were not matched with by their keys and order.
    struct Gap {
        var old: [Int] = []
        var new: [Int] = []
    }

    /// The partner of each old element; nil if there isn't one.
    private(set) var newPositions: [Int?]
    /// The partner of each new element; nil if there isn't one.
    private(set) var oldPositions: [Int?]
    private(set) var gaps: [Gap]
    /// The old elements whose partners lack their names, so they may be different elements.
    private(set) var unsure: Set<Int> = []
    /// The index of the gap that each unpaired old element is in.
    private(set) var gapOfOld: [Int: Int] = [:]
    /// The index of the gap that each unpaired new element is in.
    private(set) var gapOfNew: [Int: Int] = [:]
    private let old: [Value]
    private let new: [Value]

    /// Pairs the elements of two lists.
    ///
    /// - Parameter followsEdits: Whether to also pair elements whose names or contents are similar.
    init(old: [Value], new: [Value], keys: ElementKeys, followsEdits: Bool = true) {
        self.old = old
        self.new = new
        newPositions = Array(repeating: nil, count: old.count)
        oldPositions = Array(repeating: nil, count: new.count)
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
        for name in keys.names { pairUnique(by: name, keys) }
        if followsEdits {
            if keys.own != ElementKeys.id { pairRenamed(unpairedOld, unpairedNew, keys, by: keys.name) }
            if keys.own == nil { pairAlike(keys) }
        }
        for (number, gap) in gaps.enumerated() {
            for old in gap.old { gapOfOld[old] = number }
            for new in gap.new { gapOfNew[new] = number }
        }
    }

    private mutating func pair(_ old: Int, _ new: Int) {
        newPositions[old] = new
        oldPositions[new] = old
    }

    private var unpairedOld: [Int] { old.indices.filter { newPositions[$0] == nil } }
    private var unpairedNew: [Int] { new.indices.filter { oldPositions[$0] == nil } }

    private func unpaired(_ gap: Gap) -> Gap {
        Gap(old: gap.old.filter { newPositions[$0] == nil }, new: gap.new.filter { oldPositions[$0] == nil })
    }

    /// Pairs equal elements at different positions, in order.
    private mutating func pairMoved(_ oldNumbers: [Int32], _ newNumbers: [Int32]) {
        var positions: [Int32: [Int]] = [:]
        for old in unpairedOld.reversed() { positions[oldNumbers[old], default: []].append(old) }
        for new in unpairedNew {
            if let old = positions[newNumbers[new]]?.popLast() { pair(old, new) }
        }
    }

    /// Pairs elements by a field's value, if no other element of any list has the same value.
    private mutating func pairUnique(by name: String, _ keys: ElementKeys) {
        let partners = Dictionary(
            unpairedNew.compactMap { position in
                keys.uniqueValue(of: name, in: new[position]).map { ($0, position) }
            }, uniquingKeysWith: { first, _ in first })
        for position in unpairedOld {
            guard let value = keys.uniqueValue(of: name, in: old[position]), let partner = partners[value],
                ElementKeys.mayBeSame(old[position], new[partner])
            else { continue }
            pair(position, partner)
        }
    }

    /// Pairs elements whose names are versions of each other and of no other unpaired element's name.
    private mutating func pairRenamed(
        _ olds: [Int], _ news: [Int], _ keys: ElementKeys, by name: (Value) -> Value?
    ) {
        func names(_ elements: [Value], _ positions: [Int]) -> [(position: Int, name: String)] {
            positions.compactMap { position in
                if case .string(let name)? = name(elements[position]) { (position, name) } else { nil }
            }
        }
        let (olds, news) = (names(old, olds), names(new, news))
        for pair in EditedName.pairs(olds.map(\.name), news.map(\.name)) {
            let (position, partner) = (olds[pair.old].position, news[pair.new].position)
            if keys.mayBecome(old[position], new[partner]) { self.pair(position, partner) }
        }
    }

    /// Pairs elements by what they have in common: first by the fields that distinguish elements, then by any
    /// fields, between the same neighbors or else anywhere.
    private mutating func pairAlike(_ keys: ElementKeys) {
        let distinguishing = Set(keys.distinguishing.map { ByteKey($0) })
        let olds = unpairedOld
        pairMostAlike(olds, unpairedNew, by: { distinguishing.contains($0.key) }, where: keys.mayBecome)
        for gap in gaps.map(unpaired) {
            if let label = keys.label {
                pairRenamed(gap.old, gap.new, keys) { $0.scalar(named: label) }
            }
            let gap = unpaired(gap)
            pairMostAlike(gap.old, gap.new, where: keys.mayBecome)
        }
        unsure = Set(
            olds.filter { position in
                newPositions[position].map { keys.isUnsure(old[position], new[$0]) } ?? false
            })
        pairMostAlike(unpairedOld, unpairedNew) { keys.mayBecome($0, $1) && !keys.isUnsure($0, $1) }
    }

    /// Pairs the elements that have the most unique features in common.
    private mutating func pairMostAlike(
        _ olds: [Int], _ news: [Int], by counts: (Feature) -> Bool = { _ in true },
        where mayPair: (Value, Value) -> Bool
    ) {
        var alike = SharedFeatures()
        for position in olds {
            for feature in old[position].features where counts(feature) {
                alike.olds[feature, default: []].append(position)
            }
        }
        for position in news {
            for feature in new[position].features where counts(feature) {
                alike.news[feature, default: []].append(position)
            }
        }
        for (old, new) in alike.mutualBest where mayPair(self.old[old], self.new[new]) {
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
        for (feature, positions) in olds where positions.count == 1 {
            guard let partners = news[feature], partners.count == 1 else { continue }
            scores[positions[0], default: [:]][partners[0], default: 0] += 1
            scoresOfNew[partners[0], default: [:]][positions[0], default: 0] += 1
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

/// The characters of an element's name, for comparing it with its other versions.
struct EditedName {
    private let characters: [Character]
    private let counts: [Character: Int]

    init(_ name: String) {
        characters = Array(name)
        counts = characters.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// Returns whether one name is an edited version of the other: at least two thirds of the longer one's
    /// characters are in both, in order.
    func isVersion(of other: EditedName) -> Bool {
        if characters == other.characters { return true }
        guard mayBeVersion(of: other) else { return false }
        var numbers: [Character: Int32] = [:]
        func number(_ character: Character) -> Int32 {
            let number = numbers[character] ?? Int32(numbers.count)
            numbers[character] = number
            return number
        }
        var edit = ShortestEdit(old: characters.map(number), new: other.characters.map(number))
        edit.run()
        return isMost(edit.removed.count { !$0 }, with: other)
    }

    /// Returns whether enough characters are in both names, in any order.
    ///
    /// This quick check rules out most pairs.
    private func mayBeVersion(of other: EditedName) -> Bool {
        isMost(min(characters.count, other.characters.count), with: other)
            && isMost(counts.reduce(0) { $0 + min($1.value, other.counts[$1.key] ?? 0) }, with: other)
    }

    private func isMost(_ kept: Int, with other: EditedName) -> Bool {
        kept * 3 >= max(characters.count, other.characters.count) * 2
    }
}

extension EditedName {
    /// The maximum product of the old and the new names' lengths.
    ///
    /// If it is greater, no name counts as edited.
    private static let mostComparisons = 50_000_000
    /// What comparing a name costs in addition to its length.
    private static let costOfName = 8

    /// Returns the indices of the old and new names that are versions of each other and of no other name.
    static func pairs(_ olds: [String], _ news: [String]) -> [(old: Int, new: Int)] {
        let cost = { (names: [String]) in names.reduce(0) { $0 + $1.utf8.count + costOfName } }
        guard !news.isEmpty, cost(olds) <= mostComparisons / cost(news) else { return [] }
        let newNames = news.map(EditedName.init)
        let possible = olds.map(EditedName.init).map { old in
            newNames.indices.filter { newNames[$0].isVersion(of: old) }
        }
        var counts: [Int: Int] = [:]
        for new in possible.joined() { counts[new, default: 0] += 1 }
        return possible.enumerated().compactMap { old, news in
            news.count == 1 && counts[news[0]] == 1 ? (old, news[0]) : nil
        }
    }
}
