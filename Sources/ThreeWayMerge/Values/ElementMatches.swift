import LosslessYAML

/// The elements of three lists, matched as versions of the same elements.
struct ElementMatches {
    /// The indices of an element's versions, or of several elements that could be matched in more than one
    /// way.
    struct Match {
        var places: Sides<[Int]>
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
                match.places[side].prefix(1).map { (place: $0, number: number) }
            }
            orders[side] = numbers.sorted { $0.place < $1.place }.map(\.number)
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
    /// For each side and gap, the elements that an element of the base in that gap might have become.
    private var candidates: Sides<[Candidates]> = Sides(base: [], local: [], remote: [])
    private var ambiguous: [Sides<Set<Int>>] = []

    private static let sides = [Side.local, .remote]

    private struct Candidates {
        var all: [Int] = []
        /// The candidates without an id, which can also be versions of an element with an id.
        var withoutID: [Int] = []
        /// Whether the gap has an element that both sides added, which can replace the element of the base.
        var isExplained = false
    }

    init(_ lists: Sides<[Value]>, identity: [String]) {
        self.lists = lists
        let keys = ElementKeys(of: lists, identity: identity)
        self.keys = keys
        let pairs = lists.map { ElementPairs(old: lists.base, new: $0, keys: keys) }
        self.pairs = pairs
        versions = lists.base.indices.map { place in
            Sides(base: place, local: pairs.local.newPlaces[place], remote: pairs.remote.newPlaces[place])
        }
        isMatched = pairs.map { $0.oldPlaces.map { $0 != nil } }
    }

    mutating func run() {
        for place in lists.base.indices { unmatchReplaced(place) }
        for place in lists.base.indices { matchReplaced(place) }
        matchAdded()
        var unsure = lists.base.indices.filter { !matchRenamed($0) }
        unsure += lists.base.indices.filter(isReplacedUnsurely)
        gatherAmbiguous(from: unsure, interchangeable)
    }

    /// The resulting matches, beginning with the matches of the base's elements.
    var matches: [ElementMatches.Match] {
        let gathered = Sides(base: .base, local: .local, remote: .remote).map { (side: Side) in
            ambiguous.reduce(into: Set<Int>()) { $0.formUnion($1[side]) }
        }
        var single = lists.base.indices.filter { !gathered.base.contains($0) }.map { versions[$0] } + added
        for side in Self.sides {
            for place in lists[side].indices
            where !isMatched[side][place] && !gathered[side].contains(place) {
                var versions = Sides<Int?>(base: nil, local: nil, remote: nil)
                versions[side] = place
                single.append(versions)
            }
        }
        return single.map { ElementMatches.Match(places: $0.map { $0.map { [$0] } ?? [] }) }
            + ambiguous.map { ElementMatches.Match(places: $0.map { $0.sorted() }, isAmbiguous: true) }
    }

    private mutating func match(_ place: Int, _ side: Side, _ version: Int) {
        versions[place][side] = version
        isMatched[side][version] = true
    }
}

extension ElementMatcher {
    /// Removes an element's uncertain match on one side if the other side removed the element.
    ///
    /// The former match then counts as a different element.
    private mutating func unmatchReplaced(_ place: Int) {
        for (side, other) in [(Side.local, Side.remote), (.remote, .local)] {
            guard versions[place][side] == nil, let version = versions[place][other],
                pairs[other].unsure.contains(place),
                pairs[side].gapOfOld[place].map({ pairs[side].gaps[$0].new.isEmpty }) ?? true
            else { continue }
            versions[place][other] = nil
            isMatched[other][version] = false
        }
    }

    /// Matches an element with its replacements if each side replaced it with a single element.
    private mutating func matchReplaced(_ place: Int) {
        guard versions[place].local == nil, versions[place].remote == nil else { return }
        guard let local = pairs.local.onlyNew(for: place), let remote = pairs.remote.onlyNew(for: place),
            ElementKeys.mayBeSame(lists.base[place], lists.local[local]),
            ElementKeys.mayBeSame(lists.base[place], lists.remote[remote]),
            ElementKeys.mayBeSame(lists.local[local], lists.remote[remote])
        else { return }
        match(place, .local, local)
        match(place, .remote, remote)
    }

    /// Matches elements that both sides added with the same identity or content.
    private mutating func matchAdded() {
        let new = isMatched.map { side in side.indices.filter { !side[$0] } }
        let pairs = ElementPairs(
            old: new.local.map { lists.local[$0] }, new: new.remote.map { lists.remote[$0] }, keys: keys,
            usesContent: false)
        var isAdded: Sides<Set<Int>> = Sides(base: [], local: [], remote: [])
        for case (let local, let place?) in zip(new.local, pairs.newPlaces) {
            let remote = new.remote[place]
            added.append(Sides(base: nil, local: local, remote: remote))
            isAdded.local.insert(local)
            isAdded.remote.insert(remote)
        }
        for side in Self.sides {
            for place in isAdded[side] { isMatched[side][place] = true }
            // An element with a different id is a different element.
            candidates[side] = self.pairs[side].gaps.map { gap in
                let all = keys.own == ElementKeys.id ? [] : gap.new.filter { !isMatched[side][$0] }
                return Candidates(
                    all: all, withoutID: all.filter { !hasID(lists[side][$0]) },
                    isExplained: gap.new.contains(where: isAdded[side].contains))
            }
        }
    }

    private func hasID(_ element: Value) -> Bool { element.scalar(named: ElementKeys.id) != nil }

    /// Returns the elements of a side that an element of the base might have become.
    private func candidates(_ side: Side, for place: Int) -> [Int] {
        guard versions[place][side] == nil, let gap = pairs[side].gapOfOld[place] else { return [] }
        return hasID(lists.base[place]) ? candidates[side][gap].withoutID : candidates[side][gap].all
    }

    /// Matches an element that one side changed with the single element that the other side replaced it with.
    ///
    /// Returns false if there is more than one candidate.
    private mutating func matchRenamed(_ place: Int) -> Bool {
        for (side, other) in [(Side.local, Side.remote), (.remote, .local)] {
            guard versions[place][side] == nil, let changed = versions[place][other],
                lists[other][changed] != lists.base[place]
            else { continue }
            let candidates = candidates(side, for: place)
            if candidates.isEmpty { return true }
            guard candidates.count == 1, pairs[side].isOnlyOld(place) else { return false }
            match(place, side, candidates[0])
        }
        return true
    }
}

extension ElementMatcher {
    /// Returns whether both sides replaced an element, and the replacements are unclear.
    private func isReplacedUnsurely(_ place: Int) -> Bool {
        Self.sides.allSatisfy { side in
            !candidates(side, for: place).isEmpty
                && pairs[side].gapOfOld[place].map { !candidates[side][$0].isExplained } ?? false
        }
    }

    /// Runs of equal adjacent elements where one side removed some and the other side changed some, if it is
    /// unclear which elements were removed.
    private var interchangeable: [Range<Int>] {
        guard keys.own == nil else { return [] }
        var runs: [Range<Int>] = []
        var rest = lists.base.indices
        while let start = rest.first {
            let count = rest.prefix { lists.base[$0] == lists.base[start] }.count
            runs.append(start..<start + count)
            rest = rest.dropFirst(count)
        }
        return runs.filter { run in
            isThinned(run, .local) && isChanged(run, .remote)
                || isThinned(run, .remote) && isChanged(run, .local)
        }
    }

    private func isThinned(_ run: Range<Int>, _ side: Side) -> Bool {
        let left = run.filter { versions[$0][side] != nil }.count
        return left > 0 && left < run.count
    }

    private func isChanged(_ run: Range<Int>, _ side: Side) -> Bool {
        run.contains { place in
            versions[place][side].map { lists[side][$0] != lists.base[place] } ?? false
        }
    }

    /// Groups the elements that can't be distinguished from uncertain elements of the base.
    ///
    /// These are the elements in the same gap, and equal elements in the same run.
    private mutating func gatherAmbiguous(from unsure: [Int], _ runs: [Range<Int>]) {
        var runOf: [Int: Range<Int>] = [:]
        for run in runs { for place in run { runOf[place] = run } }
        var gathered: Set<Int> = []
        var gatheredGaps: Sides<Set<Int>> = Sides(base: [], local: [], remote: [])
        for start in unsure + runs.map(\.lowerBound) where !gathered.contains(start) {
            var members: Sides<Set<Int>> = Sides(base: [], local: [], remote: [])
            var waiting = [start]
            while let place = waiting.popLast() {
                guard gathered.insert(place).inserted else { continue }
                members.base.insert(place)
                waiting += runOf[place] ?? 0..<0
                for side in Self.sides {
                    if let version = versions[place][side] { members[side].insert(version) }
                    let candidates = candidates(side, for: place)
                    guard !candidates.isEmpty, let gap = pairs[side].gapOfOld[place],
                        gatheredGaps[side].insert(gap).inserted
                    else { continue }
                    let others = pairs[side].gaps[gap].old.filter {
                        !self.candidates(side, for: $0).isEmpty
                    }
                    waiting += others
                    let haveIDs = others.allSatisfy { hasID(lists.base[$0]) }
                    members[side].formUnion(
                        haveIDs ? candidates : self.candidates[side][gap].all)
                }
            }
            ambiguous.append(members)
        }
    }
}
