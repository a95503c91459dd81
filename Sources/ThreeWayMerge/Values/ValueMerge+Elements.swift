import LosslessYAML

extension ValueMerge {
    /// Rule 3: matches the elements of lists and merges each one.
    func mergeElements(_ lists: Sides<[Value]>) -> MergedValue {
        let matches = ElementMatches(lists, identity: identity)
        let merged = matches.matches.map { match in
            let versions = Sides(base: .base, local: .local, remote: .remote).map { (side: Side) in
                match.places[side].map { lists[side][$0] }
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
