import LosslessYAML

extension ValueMerge {
    /// Rule 2: what one side removed goes, what one side added comes, local's order first.
    ///
    /// An element that a list has twice stays twice.
    static func mergeAsSets(_ lists: Sides<[Value]>) -> [Value] {
        let sets = lists.map { Set($0) }
        let kept = lists.local.filter { sets.remote.contains($0) || !sets.base.contains($0) }
        let added = lists.remote.filter { !sets.local.contains($0) && !sets.base.contains($0) }
        return inMergedOrder(kept, lists) + added
    }

    /// Puts local's elements into the remote's order if only the remote changed the order.
    ///
    /// Elements that the remote lacks keep their places; lists with repeated elements keep local's order.
    static func inMergedOrder<Element: Hashable>(_ kept: [Element], _ lists: Sides<[Element]>) -> [Element] {
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
}
