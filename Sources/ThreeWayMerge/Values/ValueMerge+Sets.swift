package import LosslessYAML

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
    static func mergeScalars(_ lists: Sides<[Value]>, isSet: Bool) -> Result? {
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
struct ValueNumbers {
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
