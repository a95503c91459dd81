package import TodoModel

/// What is remembered of every todo.
///
/// What a ``Cache`` has is read from the journal when it is asked for. ``loaded`` are the todos that were
/// changed since, those of which there is more to tell than a base version, and those whose files may have
/// been changed.
package struct TodoStates: Sendable {
    package private(set) var loaded: [TodoID: TodoState] = [:]
    let cache: Cache?
    /// The cache's entries that count no more: they were loaded, or nothing is remembered any more.
    private var superseded: PlaceSet

    init(_ cache: Cache? = nil) {
        self.cache = cache
        superseded = PlaceSet(below: cache?.entries.count ?? 0)
    }

    /// Makes sure that all that was asked for could be read; what could not looks as if it had never been
    /// recorded.
    package func check() throws(FileError) {
        if let failure = cache?.failure { throw failure }
    }

    package subscript(id: TodoID) -> TodoState? {
        get {
            if let todo = loaded[id] { return todo }
            guard let cache, let index = cache.index(of: id), !superseded.contains(index) else { return nil }
            return cache.state(at: index)
        }
        set {
            // What is loaded counts instead of the cache already.
            let isLoaded =
                if let newValue { loaded.updateValue(newValue, forKey: id) != nil } else {
                    loaded.removeValue(forKey: id) != nil
                }
            if !isLoaded, let index = cache?.index(of: id) { superseded.insert(index) }
        }
    }

    /// Changes what is loaded of a todo without a copy of it; returns false if nothing is.
    mutating func changeLoaded(_ id: TodoID, _ body: (inout TodoState) -> Void) -> Bool {
        guard let index = loaded.index(forKey: id) else { return false }
        body(&loaded.values[index])
        if loaded.values[index].isEmpty { loaded.remove(at: index) }
        return true
    }

    /// Has a cache keep what it has of todos whose files are unchanged, instead of ``loaded``.
    mutating func leave(_ unchanged: UnchangedFiles, to cache: Cache) {
        var states = TodoStates(cache)
        for (id, todo) in loaded where !unchanged.contains(id) { states[id] = todo }
        self = states
    }

    /// Reads what a cache has of some todos, so that it is at hand when it is asked for.
    package func readAhead(_ ids: [TodoID]) {
        guard let cache else { return }
        cache.readAhead(
            ids.compactMap { id in loaded[id] == nil ? cache.index(of: id) : nil }.filter {
                !superseded.contains($0)
            })
    }

    /// All todos; what the cache has is read for it.
    package var all: [TodoID: TodoState] {
        var states = self
        states.loadAll()
        return states.loaded
    }

    /// The todos that have a file as far as is remembered; nothing is read for it.
    package var idsOfPlaced: [TodoID] {
        let inCache = cache.map { cache in
            cached.filter { !cache.entries[$0].isTombstone }.map { cache.id(at: $0) }
        }
        return loaded.filter { $0.value.place != nil }.map(\.key) + (inCache ?? [])
    }

    /// The ids of todos with a file that are not in lower case; nothing is read for it.
    package var unfoldedIDs: [TodoID] {
        let inCache = cache.map { cache in
            cached.lazy.filter { cache.entries[$0].flags.isDisjoint(with: [.isUUID, .isTombstone]) }
                .map { cache.id(at: $0) }.filter { !$0.isFolded }
        }
        return loaded.filter { !$0.key.isFolded && $0.value.place != nil }.map(\.key)
            + (inCache.map(Array.init) ?? [])
    }

    /// The cache's entries that count, in its order.
    var cached: some Sequence<Int> {
        (0..<(cache?.entries.count ?? 0)).lazy.filter { [superseded] in !superseded.contains($0) }
    }

    mutating func loadAll() { load(Array(cached)) }

    /// Loads the todos with a file that a scan has not found to be as the cache has it.
    mutating func load(besides unchanged: UnchangedFiles) {
        guard let cache else { return }
        let isSameCache = unchanged.isOf(cache)
        load(
            cached.filter { index in
                !cache.entries[index].isTombstone
                    && !(isSameCache ? unchanged.contains(index) : unchanged.contains(cache.id(at: index)))
            })
    }

    private mutating func load(_ indices: [Int]) {
        guard let cache, !indices.isEmpty else { return }
        loaded.reserveCapacity(loaded.count + indices.count)
        for (index, state) in zip(indices, cache.states(at: indices)) {
            superseded.insert(index)
            loaded[cache.id(at: index)] = state
        }
    }
}

extension TodoStates: Equatable {
    package static func == (left: TodoStates, right: TodoStates) -> Bool { left.all == right.all }
}

/// Where in the journal a text is.
struct TextPlace: Sendable, Hashable {
    /// The bytes of the record's line.
    var line: Range<Int>
    /// Whether it is the text of the operation that was sent, else that of the remote's state.
    var isSent: Bool
}

/// Where in the journal the texts of a todo are, as far as it is known.
///
/// It is no part of what is remembered, and so it does not count when that is compared.
struct TextPlaces: Sendable, Hashable {
    var base: TextPlace?
    var sent: TextPlace?
    var unfinished: TextPlace?

    static func == (left: TextPlaces, right: TextPlaces) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
