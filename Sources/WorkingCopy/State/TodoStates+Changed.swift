package import TodoModel

extension TodoStates {
    /// The todos whose files may differ from their base versions by what is recorded; this reads nothing.
    ///
    /// A file that an editor changed needn't be among them.
    package var idsOfPossiblyChanged: [TodoID] {
        let inCache = cache.map { cache in
            cached.filter { cache.entries[$0].flags.isDisjoint(with: [.hasStamp, .isTombstone]) }
                .map { cache.id(at: $0) }
        }
        return loaded.filter { $0.value.place != nil || $0.value.base?.todo != nil }.map(\.key)
            + (inCache ?? [])
    }
}
