import LosslessYAML

/// The elements of three lists, matched as versions of the same elements.
struct ElementMatches {
    /// The indices of an element's versions, or of several elements that could be matched in more than one
    /// way.
    struct Match {
        var positions: Sides<[Int]>
        var isAmbiguous = false
    }

    private(set) var matches: [Match] = []
    /// The matches in the order of each list, by index into ``matches``.
    private(set) var orders = Sides<[Int]>(base: [], local: [], remote: [])

    init(_ lists: Sides<[Value]>, identity: [String]) {
        var matcher = ElementMatcher(lists, identity: identity)
        matcher.run()
        matches = matcher.matches
        for side in Side.allCases {
            let numbers = matches.enumerated().flatMap { number, match in
                // Put ambiguous elements at the position of the first of them.
                match.positions[side].prefix(1).map { (position: $0, number: number) }
            }
            orders[side] = numbers.sorted { $0.position < $1.position }.map(\.number)
        }
    }
}

/// Matches elements step by step, beginning with the certain matches.
private struct ElementMatcher {
    private let lists: Sides<[Value]>
    private let keys: ElementKeys
    /// The pairs of the base's elements with each side's elements.
    private let pairs: Sides<ElementPairs>
    /// The versions of each element of the base.
    private var versions: [Sides<Int?>]
    /// The versions of the elements that both sides added.
    private var added: [Sides<Int?>] = []
    /// Whether each element is a version of an element of the base, or was added by both sides.
    private var isMatched: Sides<[Bool]>
    /// For each side, the elements of the base whose versions may be different elements.
    private var unsure: Sides<Set<Int>>
    /// For each side and gap, the unmatched elements, if they can't be distinguished.
    private var open: Sides<[OpenGap]> = Sides(base: [], local: [], remote: [])
    private var ambiguous: [Sides<Set<Int>>] = []

    private static let sides = [(Side.local, Side.remote), (.remote, .local)]

    private struct OpenGap {
        var old: [Int] = []
        var new: [Int] = []
        /// The new elements without a name, which can also be versions of an element with a name.
        var nameless: [Int] = []
    }

    init(_ lists: Sides<[Value]>, identity: [String]) {
        self.lists = lists
        let keys = ElementKeys(of: lists, identity: identity)
        self.keys = keys
        let pairs = lists.map { ElementPairs(old: lists.base, new: $0, keys: keys) }
        self.pairs = pairs
        versions = lists.base.indices.map { position in
            Sides(
                base: position, local: pairs.local.newPositions[position],
                remote: pairs.remote.newPositions[position])
        }
        isMatched = pairs.map { $0.oldPositions.map { $0 != nil } }
        unsure = pairs.map(\.unsure)
    }

    mutating func run() {
        matchAdded()
        matchReplacedAlike()
        guard keys.own == nil else { return }
        for (side, _) in Self.sides { open[side] = matchOnlyOnes(side) }
        let unclear = lists.base.indices.filter { isReplacedUnsurely($0) || isUnclear($0) }
        gatherAmbiguous(from: unclear, interchangeable)
    }

    /// The resulting matches, beginning with the matches of the base's elements.
    var matches: [ElementMatches.Match] {
        let gathered = Sides(base: .base, local: .local, remote: .remote).map { (side: Side) in
            ambiguous.reduce(into: Set<Int>()) { $0.formUnion($1[side]) }
        }
        var single = lists.base.indices.filter { !gathered.base.contains($0) }.map { versions[$0] } + added
        for (side, _) in Self.sides {
            for position in lists[side].indices
            where !isMatched[side][position] && !gathered[side].contains(position) {
                var versions = Sides<Int?>(base: nil, local: nil, remote: nil)
                versions[side] = position
                single.append(versions)
            }
        }
        return single.map { ElementMatches.Match(positions: $0.map { $0.map { [$0] } ?? [] }) }
            + ambiguous.map { ElementMatches.Match(positions: $0.map { $0.sorted() }, isAmbiguous: true) }
    }
}

extension ElementMatcher {
    /// Matches elements that both sides added with the same identity or content.
    private mutating func matchAdded() {
        let new = isMatched.map { side in side.indices.filter { !side[$0] } }
        let pairs = ElementPairs(
            old: new.local.map { lists.local[$0] }, new: new.remote.map { lists.remote[$0] }, keys: keys,
            followsEdits: false)
        for case (let local, let position?) in zip(new.local, pairs.newPositions) {
            let remote = new.remote[position]
            added.append(Sides(base: nil, local: local, remote: remote))
            isMatched.local[local] = true
            isMatched.remote[remote] = true
        }
    }

    /// Matches elements that both sides replaced with equal ones between the same neighbors.
    private mutating func matchReplacedAlike() {
        struct Gaps: Hashable {
            var local: Int
            var remote: Int
        }
        func gaps(_ local: Int?, _ remote: Int?) -> Gaps? {
            local.flatMap { local in remote.map { Gaps(local: local, remote: $0) } }
        }
        let replaced = Dictionary(
            grouping: lists.base.indices.filter { versions[$0].local == nil && versions[$0].remote == nil }
        ) { gaps(pairs.local.gapOfOld[$0], pairs.remote.gapOfOld[$0]) }
        let new = Dictionary(grouping: added.indices) { index in
            gaps(
                added[index].local.flatMap { pairs.local.gapOfNew[$0] },
                added[index].remote.flatMap { pairs.remote.gapOfNew[$0] })
        }
        var isReplacement: Set<Int> = []
        for case (let gaps?, let olds) in replaced {
            guard let news = new[gaps], news.count == olds.count else { continue }
            for (position, index) in zip(olds, news) {
                guard let local = added[index].local,
                    ElementKeys.mayBeSame(lists.base[position], lists.local[local])
                else { continue }
                versions[position] = Sides(base: position, local: local, remote: added[index].remote)
                isReplacement.insert(index)
            }
        }
        added = added.indices.filter { !isReplacement.contains($0) }.map { added[$0] }
    }

    /// Matches elements of the base with the only elements that a side has between the same neighbors, and
    /// returns the gaps with more elements.
    private mutating func matchOnlyOnes(_ side: Side) -> [OpenGap] {
        pairs[side].gaps.map { gap in
            let old = gap.old.filter { versions[$0][side] == nil }
            let new = gap.new.filter { !isMatched[side][$0] }
            if old.count == 1, new.count == 1 {
                let (position, version) = (old[0], new[0])
                guard keys.mayBecome(lists.base[position], lists[side][version]) else { return OpenGap() }
                versions[position][side] = version
                isMatched[side][version] = true
                if keys.isUnsure(lists.base[position], lists[side][version]) { unsure[side].insert(position) }
                return OpenGap()
            }
            return OpenGap(old: old, new: new, nameless: new.filter { !keys.isNamed(lists[side][$0]) })
        }
    }
}

extension ElementMatcher {
    private func isChanged(_ position: Int, _ side: Side) -> Bool {
        versions[position][side].map { lists[side][$0] != lists.base[position] } ?? true
    }

    /// Returns whether one side replaced an element, perhaps with a different one, and the other side changed
    /// it.
    private func isReplacedUnsurely(_ position: Int) -> Bool {
        guard let local = versions[position].local, let remote = versions[position].remote,
            unsure.local.contains(position) || unsure.remote.contains(position), isChanged(position, .local),
            isChanged(position, .remote)
        else { return false }
        return keys.isUnsure(lists.local[local], lists.remote[remote])
            || keys.isUnsure(lists.remote[remote], lists.local[local])
    }

    /// Returns whether one side may have replaced an element with one of several, and the other side removed
    /// or changed it.
    private func isUnclear(_ position: Int) -> Bool {
        Self.sides.contains { side, other in
            !candidates(side, for: position).isEmpty && isChanged(position, other)
        }
    }

    /// Returns the elements of a side that an element of the base might have become.
    private func candidates(_ side: Side, for position: Int) -> [Int] {
        guard versions[position][side] == nil, let gap = pairs[side].gapOfOld[position] else { return [] }
        return keys.isNamed(lists.base[position]) ? open[side][gap].nameless : open[side][gap].new
    }

    /// Runs of equal adjacent elements where one side removed some and the other side changed some, if it is
    /// unclear which elements were removed.
    private var interchangeable: [Range<Int>] {
        var runs: [Range<Int>] = []
        var rest = lists.base.indices
        while let start = rest.first {
            let count = rest.prefix { lists.base[$0] == lists.base[start] }.count
            runs.append(start..<start + count)
            rest = rest.dropFirst(count)
        }
        return runs.filter { run in
            Self.sides.contains { side, other in
                let left = run.filter { versions[$0][side] != nil }.count
                return left > 0 && left < run.count
                    && run.contains { versions[$0][other] != nil && isChanged($0, other) }
            }
        }
    }

    /// Groups the elements that can't be distinguished from unclear elements of the base.
    ///
    /// These are the elements in the same gap, and equal elements in the same run.
    private mutating func gatherAmbiguous(from unclear: [Int], _ runs: [Range<Int>]) {
        var runOf: [Int: Range<Int>] = [:]
        for run in runs { for position in run { runOf[position] = run } }
        var gathered: Set<Int> = []
        var gatheredGaps: Sides<Set<Int>> = Sides(base: [], local: [], remote: [])
        for start in unclear + runs.map(\.lowerBound) where !gathered.contains(start) {
            var members: Sides<Set<Int>> = Sides(base: [], local: [], remote: [])
            var waiting = [start]
            while let position = waiting.popLast() {
                guard gathered.insert(position).inserted else { continue }
                members.base.insert(position)
                waiting += runOf[position] ?? 0..<0
                for (side, _) in Self.sides {
                    if let version = versions[position][side] { members[side].insert(version) }
                    guard !candidates(side, for: position).isEmpty, let gap = pairs[side].gapOfOld[position],
                        gatheredGaps[side].insert(gap).inserted
                    else { continue }
                    let others = open[side][gap].old.filter { !candidates(side, for: $0).isEmpty }
                    waiting += others
                    let areNamed = others.allSatisfy { keys.isNamed(lists.base[$0]) }
                    members[side].formUnion(areNamed ? open[side][gap].nameless : open[side][gap].new)
                }
            }
            ambiguous.append(members)
        }
    }
}
