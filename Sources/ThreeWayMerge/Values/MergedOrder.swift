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
