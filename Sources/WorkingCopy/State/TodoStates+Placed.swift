package import TodoModel

extension TodoStates {
    /// The todos with a recorded path, and their paths.
    ///
    /// Nothing is read from disk.
    package var placed: [(id: TodoID, path: String)] {
        let inCache = cache.map { cache in
            cached.filter { cache.entries[$0].hasFile }.map {
                (id: cache.id(at: $0), path: cache.path(at: $0))
            }
        }
        return loaded.compactMap { id, todo in todo.place.map { (id: id, path: $0) } } + (inCache ?? [])
    }

    /// The todos that the remote had, according to their base versions, and that are kept here, with their
    /// paths; nil for a todo that was never in the folder and whose record has no path.
    ///
    /// Nothing is read from disk.
    package var confirmed: [(id: TodoID, path: String?)] {
        let inCache = cache.map { cache in
            cached.filter { cache.entries[$0].isConfirmed }.map {
                (id: cache.id(at: $0), path: String?.some(cache.path(at: $0)))
            }
        }
        return loaded.filter(\.value.isConfirmed).map { id, todo in
            (id: id, path: todo.lastPlace ?? todo.base?.todo?.path)
        } + (inCache ?? [])
    }

    /// The number of todos in ``confirmed``.
    package var confirmedCount: Int {
        let inCache = cache.map { cache in
            cachedPlaces.count - unusualInCache.count { !cache.entries[$0].isConfirmed }
        }
        return loaded.values.count(where: \.isConfirmed) + (inCache ?? 0)
    }
}

extension Cache.Entry {
    fileprivate var isConfirmed: Bool { textPlace != nil && !isNotKept }
}

extension TodoState {
    fileprivate var isConfirmed: Bool { base?.todo != nil && !isNotKept }
}
