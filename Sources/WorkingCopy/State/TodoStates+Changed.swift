package import TodoModel

extension TodoStates {
    /// The todos whose files might differ from their base versions, according to the recorded state.
    ///
    /// This reads no files, and a file that only an editor changed isn't necessarily included.
    package var idsOfPossiblyChanged: [TodoID] {
        let inCache = cache.map { cache in
            unusualInCache.filter { cache.entries[$0].flags.isDisjoint(with: [.hasStamp, .isTombstone]) }
                .map { cache.id(at: $0) }
        }
        return loaded.filter { $0.value.place != nil || $0.value.base?.todo != nil }.map(\.key)
            + (inCache ?? [])
    }
}
