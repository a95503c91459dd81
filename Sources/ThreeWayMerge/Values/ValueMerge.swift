package import LosslessYAML

/// Merges values by the rules of their fields, and returns the rule that decided.
struct ValueMerge {
    /// The names of fields that identify the elements of a list, after `id` and `text`.
    let identity: [String]

    /// A merged value with the rule that decided; the rule is nil if neither side changed anything.
    typealias Result = (value: MergedValue, rule: MergeRule?)

    /// The names of fields whose lists are sets even if values repeat.
    private static let sets: Set = ["tags"]

    /// Merges the versions of a field's value, or of a list's element; nil stands for an absent value.
    func merge(_ values: Sides<Value?>, of key: String? = nil) -> Result {
        Self.chooseChanged(values, comparing: values) ?? combine(values, of: key)
    }

    /// Rule 1: takes a change that only one side made or that both sides made alike; nil if the sides made
    /// different changes.
    ///
    /// - Parameter compared: The canonical forms of the values, for comparing them.
    static func chooseChanged(_ values: Sides<Value?>, comparing compared: Sides<Value?>) -> Result? {
        if compared.local == compared.remote {
            return (.agreed(values.local), compared.local == compared.base ? nil : .changedAlike)
        }
        if compared.local == compared.base { return (.agreed(values.remote), .changedRemotely) }
        if compared.remote == compared.base { return (.agreed(values.local), .changedLocally) }
        return nil
    }

    /// Rules 2 to 5 and 7: merges values that differ from each other and from the base.
    func combine(_ values: Sides<Value?>, of key: String?) -> Result {
        let conflict = Result(value: .conflict(values), rule: .conflict)
        switch (values.local, values.remote) {
        case (.list(let local)?, .list(let remote)?):
            let base = values.base?.list
            if local.areScalars, remote.areScalars, values.base == nil || base?.areScalars == true {
                return Self.mergeScalars(
                    Sides(base: base ?? [], local: local, remote: remote),
                    isSet: key.map(Self.sets.contains) ?? false) ?? conflict
            }
            if let base, [base, local, remote].allSatisfy(\.areElements) {
                return (mergeElements(Sides(base: base, local: local, remote: remote)), .elements)
            }
        case (.mapping(let local)?, .mapping(let remote)?):
            switch values.base {
            case nil: return (.mapping(merge(base: nil, local: local, remote: remote)), .mapping)
            case .mapping(let base)?:
                return (.mapping(merge(base: base, local: local, remote: remote)), .mapping)
            default: break
            }
        case (.string(let local)?, .string(let remote)?):
            guard case .string(let base)? = values.base, [base, local, remote].allSatisfy(\.hasLineBreak)
            else { break }
            let merge = LineMerge(
                base: Array(base.utf8), local: Array(local.utf8), remote: Array(remote.utf8))
            if merge.hasConflict { return (.lines(merge), .lines) }
            return (.agreed(.string(String(decoding: merge.taking(.local), as: UTF8.self))), .lines)
        default: break
        }
        return conflict
    }

    private func merge(base: Mapping?, local: Mapping, remote: Mapping) -> MergedMapping {
        let remoteOnly = remote.keys.filter { local[$0] == nil }
        return MergedMapping(
            entries: (local.keys + remoteOnly).map { key in
                let values = Sides(base: base?[key], local: local[key], remote: remote[key])
                return MergedMapping.Entry(
                    key: key, value: merge(values, of: key).value, isIn: values.map { $0 != nil })
            })
    }
}

extension Value {
    fileprivate var list: [Value]? { if case .list(let list) = self { list } else { nil } }

    fileprivate var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .list, .mapping: false
        }
    }

    fileprivate var isMapping: Bool { if case .mapping = self { true } else { false } }
}

extension [Value] {
    var areScalars: Bool { allSatisfy(\.isScalar) }
    /// Whether the list is empty, or has at least one mapping and otherwise only scalars.
    fileprivate var areElements: Bool {
        isEmpty || contains(where: \.isMapping) && allSatisfy { $0.isScalar || $0.isMapping }
    }
}

extension String {
    fileprivate var hasLineBreak: Bool { utf8.contains(LineEnding.lf) }
}

extension ValueMerge {
    /// Rule 3: matches the elements of lists and merges each one.
    private func mergeElements(_ lists: Sides<[Value]>) -> MergedValue {
        let matches = ElementMatches(lists, identity: identity)
        let merged = matches.matches.map { match in
            let versions = Sides(base: .base, local: .local, remote: .remote).map { (side: Side) in
                match.positions[side].map { lists[side][$0] }
            }
            if match.isAmbiguous { return MergedElement.ambiguous(versions) }
            return .one(merge(versions.map(\.first)).value)
        }
        func isKept(_ match: Int) -> Bool {
            if case .one(.agreed(nil)) = merged[match] { false } else { true }
        }
        return .elements(MergedOrder.merge(matches.orders, isKept: isKept).map { merged[$0] })
    }
}

extension ValueMerge {
    /// Returns local's elements and the elements that only the remote has; nil unless both values are lists
    /// of scalars.
    static func union(_ values: Sides<Value?>) -> Value? {
        guard case .list(let local)? = values.local, case .list(let remote)? = values.remote else {
            return nil
        }
        return local.union(remote).map(Value.list)
    }

    /// Rule 2: merges lists of scalars; nil if they conflict.
    ///
    /// - Parameter isSet: Whether the lists are sets even if values repeat.
    private static func mergeScalars(_ lists: Sides<[Value]>, isSet: Bool) -> Result? {
        if !isSet, [lists.base, lists.local, lists.remote].contains(where: \.hasRepeatedValues) {
            return mergeAsSequences(lists).map { (.agreed(.list($0)), .sequence) }
        }
        if !isSet, ListReplacements.conflict(in: lists) { return nil }
        return (.agreed(.list(mergeAsSets(lists))), .set)
    }

    /// Removes elements that either side removed, and adds those that either side added, local's first.
    ///
    /// An element that occurs twice in local's list stays there twice.
    private static func mergeAsSets(_ lists: Sides<[Value]>) -> [Value] {
        let sets = lists.map { Set($0) }
        let kept = lists.local.filter { sets.remote.contains($0) || !sets.base.contains($0) }
        let added = lists.remote.filter { !sets.local.contains($0) && !sets.base.contains($0) }
        return MergedOrder.reordered(kept, lists) + added
    }

    /// Merges the lists as lines are merged; returns nil if both sides changed the same part.
    private static func mergeAsSequences(_ lists: Sides<[Value]>) -> [Value]? {
        var numbers = ValueNumbers()
        let merge = SequenceMerge(lists.map { numbers.numbers(of: $0) })
        var result: [Value] = []
        for chunk in merge.chunks {
            guard case .taken(let side, let range) = chunk else { return nil }
            result += lists[side][range]
        }
        return result
    }
}

/// Assigns numbers to values: equal values have the same number.
private struct ValueNumbers {
    private var assigned: [Value: Int32] = [:]

    mutating func numbers(of values: [Value]) -> [Int32] {
        values.map { value in
            let number = assigned[value] ?? Int32(assigned.count)
            assigned[value] = number
            return number
        }
    }
}

extension [Value] {
    /// Returns these values, followed by the other list's values that this list lacks or has less often; nil
    /// unless all of them are scalars.
    package func union(_ other: [Value]) -> [Value]? {
        guard areScalars, other.areScalars else { return nil }
        var counts = reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return self
            + other.filter { value in
                counts[value, default: 0] -= 1
                return counts[value, default: 0] < 0
            }
    }

    fileprivate var hasRepeatedValues: Bool { Set(self).count < count }
}

/// The elements that one side replaced in a list of numbers or times.
private struct ListReplacements {
    /// The new elements for each replaced element of the base, without those that the other side also has.
    private var new: [Int: Set<Value>] = [:]

    /// Returns whether both sides replaced the same number or time with different ones.
    static func conflict(in lists: Sides<[Value]>) -> Bool {
        guard [lists.base, lists.local, lists.remote].joined().allSatisfy(\.isNumberOrTime) else {
            return false
        }
        let local = ListReplacements(of: lists.base, by: lists.local, beside: lists.remote)
        let remote = ListReplacements(of: lists.base, by: lists.remote, beside: lists.local)
        return local.new.contains { position, new in !new.isEmpty && remote.new[position]?.isEmpty == false }
    }

    /// Finds the elements between the same neighbors that were removed and added.
    ///
    /// If their numbers differ, each removed element counts as replaced with all added ones.
    private init(of base: [Value], by list: [Value], beside other: [Value]) {
        var numbers = ValueNumbers()
        let (old, new) = (numbers.numbers(of: base), numbers.numbers(of: list))
        let (before, after, others) = (Set(base), Set(list), Set(other))
        for change in LineDifference(from: old, to: new).changes {
            let removed = change.old.filter { !after.contains(base[$0]) }
            let added = change.new.map { list[$0] }.filter { !before.contains($0) }
            for (number, position) in removed.enumerated() {
                let replacements = removed.count == added.count ? added[number...number] : added[...]
                self.new[position] = Set(replacements).subtracting(others)
            }
        }
    }
}

extension Value {
    /// Whether the scalar is a number, or a string that begins like a date or a time of day.
    fileprivate var isNumberOrTime: Bool {
        switch self {
        case .number: return true
        case .string(let string):
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let shape = string.utf8.map { digits.contains($0) ? UInt8(ascii: "0") : $0 }
            return ["0000-00-00", "00:00", "0:00"].contains { shape.starts(with: $0.utf8) }
        case .null, .bool, .list, .mapping: return false
        }
    }
}

/// Merges the orders of elements.
enum MergedOrder {
    /// Merges the orders of lists that don't have repeated elements.
    ///
    /// The remote's order is used if only the remote changed the order; otherwise, local's order is used. The
    /// remote's additions follow the same element as on the remote, after any local additions.
    static func merge<Element: Hashable>(_ lists: Sides<[Element]>, isKept: (Element) -> Bool) -> [Element] {
        let base = Set(lists.base)
        let kept = reordered(lists.local.filter(isKept), lists)
        return inserting(lists.remote.filter(isKept), into: kept, isLocalAddition: { !base.contains($0) })
    }

    /// Puts local's elements in the remote's order if only the remote changed the order.
    ///
    /// Elements that the remote lacks keep their positions. Lists with repeated elements keep local's order.
    static func reordered<Element: Hashable>(_ kept: [Element], _ lists: Sides<[Element]>) -> [Element] {
        let sets = lists.map { Set($0) }
        guard sets.local.count == lists.local.count, sets.remote.count == lists.remote.count,
            sets.base.count == lists.base.count
        else { return kept }
        let isReordered = { (side: Side) in
            lists.base.filter(sets[side].contains) != lists[side].filter(sets.base.contains)
        }
        guard isReordered(.remote), !isReordered(.local) else { return kept }
        let keptSet = Set(kept)
        var remoteOrder = lists.remote.filter(keptSet.contains).makeIterator()
        return kept.map { element in
            sets.remote.contains(element) ? remoteOrder.next() ?? element : element
        }
    }

    private static func inserting<Element: Hashable>(
        _ remote: [Element], into local: [Element], isLocalAddition: (Element) -> Bool
    ) -> [Element] {
        let localSet = Set(local)
        var additions: [Element?: [Element]] = [:]
        var followed: Element?
        for element in remote {
            if localSet.contains(element) {
                followed = element
            } else {
                additions[followed, default: []].append(element)
            }
        }
        var order: [Element] = []
        var waiting = additions[nil] ?? []
        for element in local {
            if !isLocalAddition(element) {
                order += waiting
                waiting = []
            }
            order.append(element)
            waiting += additions[element] ?? []
        }
        return order + waiting
    }
}
