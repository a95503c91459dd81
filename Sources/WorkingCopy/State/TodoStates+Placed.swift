package import TodoModel

extension TodoStates {
    /// The todos with a recorded path, and their paths.
    ///
    /// Nothing is read from the disk.
    package var placed: [(id: TodoID, path: String)] {
        let inCache = cache.map { cache in
            cached.filter { cache.entries[$0].hasFile }.map {
                (id: cache.id(at: $0), path: cache.path(at: $0))
            }
        }
        return loaded.compactMap { id, todo in todo.place.map { (id: id, path: $0) } } + (inCache ?? [])
    }
}
