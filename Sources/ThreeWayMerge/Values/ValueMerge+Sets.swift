import LosslessYAML

extension ValueMerge {
    /// Returns local's elements and the elements that only the remote has; nil unless both values are lists
    /// of scalars.
    static func union(_ values: Sides<Value?>) -> Value? {
        guard case .list(let local)? = values.local, case .list(let remote)? = values.remote,
            local.areScalars, remote.areScalars
        else { return nil }
        let known = Set(local)
        return .list(local + remote.filter { !known.contains($0) })
    }

    /// Rule 2: removes elements that either side removed, and adds those that either side added, local's
    /// first.
    ///
    /// An element that occurs twice in local's list stays there twice.
    static func mergeAsSets(_ lists: Sides<[Value]>) -> [Value] {
        let sets = lists.map { Set($0) }
        let kept = lists.local.filter { sets.remote.contains($0) || !sets.base.contains($0) }
        let added = lists.remote.filter { !sets.local.contains($0) && !sets.base.contains($0) }
        return MergedOrder.reordered(kept, lists) + added
    }
}
