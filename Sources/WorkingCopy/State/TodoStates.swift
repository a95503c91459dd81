internal import LosslessYAML
package import TodoModel

/// The recorded states of all todos.
///
/// States in a ``Cache`` are read from the journal on demand. ``loaded`` has the todos that changed since the
/// cache was written, that have more than a base version, or whose files might have changed.
package struct TodoStates: Sendable {
    package private(set) var loaded: [TodoID: TodoState] = [:]
    let cache: Cache?
    /// The cache's entries that no longer apply, because the todos were loaded or are no longer recorded.
    private var superseded: EntrySet

    init(_ cache: Cache? = nil) {
        self.cache = cache
        superseded = EntrySet(below: cache?.entries.count ?? 0)
    }

    /// Throws the error of an earlier read, if there was one.
    ///
    /// After an error, lookups behave as if the todos had never been recorded.
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
            // A loaded todo takes precedence over the cache.
            let isLoaded =
                if let newValue { loaded.updateValue(newValue, forKey: id) != nil } else {
                    loaded.removeValue(forKey: id) != nil
                }
            if !isLoaded, let index = cache?.index(of: id) { superseded.insert(index) }
        }
    }

    /// Makes room for new todos if there might be at least as many as are loaded.
    mutating func expect(_ count: Int) {
        if count > loaded.count { loaded.reserveCapacity(loaded.count + count) }
    }

    /// Changes a loaded todo in place; returns false if it isn't loaded.
    mutating func changeLoaded(_ id: TodoID, _ body: (inout TodoState) -> Void) -> Bool {
        guard let index = loaded.index(forKey: id) else { return false }
        body(&loaded.values[index])
        if loaded.values[index].isEmpty { loaded.remove(at: index) }
        return true
    }

    /// Drops the loaded states of todos with unchanged files, which a cache then provides.
    mutating func leave(_ unchanged: UnchangedFiles, to cache: Cache) {
        var states = TodoStates(cache)
        for (id, todo) in loaded where !unchanged.contains(id) { states[id] = todo }
        self = states
    }

    /// Loads some todos' states from the cache, so that later lookups don't read the journal.
    package func readAhead(_ ids: [TodoID]) {
        guard let cache else { return }
        cache.readAhead(
            ids.compactMap { id in loaded[id] == nil ? cache.index(of: id) : nil }.filter {
                !superseded.contains($0)
            })
    }

    /// All todos.
    ///
    /// This reads the states in the cache.
    package var all: [TodoID: TodoState] {
        var states = self
        states.loadAll()
        return states.loaded
    }

    /// The todos with a recorded path.
    ///
    /// Nothing is read from disk.
    package var idsWithPath: [TodoID] {
        let inCache = cache.map { cache in
            cached.filter { cache.entries[$0].hasFile }.map { cache.id(at: $0) }
        }
        return loaded.filter { $0.value.localPath != nil }.map(\.key) + (inCache ?? [])
    }

    /// Returns whether a todo is recorded in a folder or below it.
    ///
    /// Nothing is read from disk.
    package func hasTodos(in folder: String) -> Bool {
        let prefix = folder + "/"
        if loaded.values.contains(where: { $0.lastLocalPath?.hasPrefix(prefix) ?? false }) { return true }
        guard let cache else { return false }
        // The cache is sorted by path, and '0' follows '/'.
        let indices =
            cache.indices(at: prefix).lowerBound..<cache.indices(at: folder + "0").lowerBound
        return indices.contains { !superseded.contains($0) }
    }

    /// The ids with capital letters, for todos with a recorded path.
    ///
    /// Nothing is read from disk.
    package var unfoldedIDs: [TodoID] {
        let inCache = cache.map { cache in
            unusualInCache.filter { !cache.entries[$0].flags.contains(.isUUID) && cache.entries[$0].hasFile }
                .map { cache.id(at: $0) }.filter { !$0.isFolded }
        }
        return loaded.keys.filter { !$0.isFolded && loaded[$0]?.localPath != nil } + (inCache ?? [])
    }

    /// The todos that the user purged.
    ///
    /// Nothing is read from disk.
    package var idsNotKept: [TodoID] {
        let inCache = cache.map { cache in
            unusualInCache.filter { cache.entries[$0].isNotKept }.map { cache.id(at: $0) }
        }
        return loaded.filter(\.value.isNotKept).map(\.key) + (inCache ?? [])
    }

    /// Returns the todos whose files were at a path when the user purged them.
    ///
    /// Nothing is read from disk.
    package func idsNotKept(at path: String) -> [TodoID] {
        loaded.filter { $0.value.isNotKept && $0.value.formerLocalPath?.isSameBytes(as: path) == true }.map(
            \.key)
            + idsNotKept(inCacheAt: path)
    }

    /// Returns the purged todos at a path that are only in the cache.
    package func idsNotKept(inCacheAt path: String) -> [TodoID] {
        guard let cache else { return [] }
        return cache.indices(at: path).filter { cache.entries[$0].isNotKept && !superseded.contains($0) }
            .map { cache.id(at: $0) }
    }

    /// The indices of the cache's entries that still apply, in order.
    var cached: some Sequence<Int> {
        (0..<(cache?.entries.count ?? 0)).lazy.filter { [superseded] in !superseded.contains($0) }
    }

    /// The indices in ``cached``, as a set.
    var cachedEntries: EntrySet { EntrySet(allBelow: cache?.entries.count ?? 0).subtracting(superseded) }

    /// The indices in ``cached`` of the unusual entries, in order, which are usually few.
    var unusualInCache: [Int] { cache?.unusual.filter { !superseded.contains($0) } ?? [] }

    mutating func loadAll() { load(Array(cached)) }

    /// Loads the todos with a recorded path, except those whose files a scan found unchanged.
    mutating func load(besides unchanged: UnchangedFiles) {
        guard let cache else { return }
        let isSameCache = unchanged.isOf(cache)
        let entries = isSameCache ? cachedEntries.subtracting(unchanged.entries) : cachedEntries
        load(
            entries.indices.filter { index in
                cache.entries[index].hasFile && (isSameCache || !unchanged.contains(cache.id(at: index)))
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

/// The position of a text in the journal.
struct TextLocation: Sendable, Hashable {
    /// The range of the record's line.
    var line: Range<Int>
    /// Whether the text is the record's sent text instead of its remote state's text.
    var isSent: Bool
}

/// The positions of a todo's texts in the journal, as far as they are recorded.
///
/// The positions aren't part of the state, so comparisons ignore them.
struct TextLocations: Sendable, Hashable {
    var base: TextLocation?
    var sent: TextLocation?
    var unfinished: TextLocation?

    static func == (left: TextLocations, right: TextLocations) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension TodoStates {
    /// The todos whose files might differ from their base versions, according to the recorded state.
    ///
    /// This reads no files, and a file that only an editor changed isn't necessarily included.
    package var idsOfPossiblyChanged: [TodoID] {
        let inCache = cache.map { cache in
            unusualInCache.filter { cache.entries[$0].flags.isDisjoint(with: [.hasStamp, .isTombstone]) }
                .map { cache.id(at: $0) }
        }
        return loaded.filter { $0.value.localPath != nil || $0.value.base?.todo != nil }.map(\.key)
            + (inCache ?? [])
    }
}

extension TodoStates {
    /// The todos with a recorded path, and their paths.
    ///
    /// Nothing is read from disk.
    package var files: [(id: TodoID, path: String)] {
        let inCache = cache.map { cache in
            cached.filter { cache.entries[$0].hasFile }.map {
                (id: cache.id(at: $0), path: cache.path(at: $0))
            }
        }
        return loaded.compactMap { id, todo in todo.localPath.map { (id: id, path: $0) } } + (inCache ?? [])
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
            (id: id, path: todo.lastLocalPath ?? todo.base?.todo?.path)
        } + (inCache ?? [])
    }

    /// The number of todos in ``confirmed``.
    package var confirmedCount: Int {
        let inCache = cache.map { cache in
            cachedEntries.count - unusualInCache.count { !cache.entries[$0].isConfirmed }
        }
        return loaded.values.count(where: \.isConfirmed) + (inCache ?? 0)
    }
}

extension Cache.Entry {
    fileprivate var isConfirmed: Bool { textLocation != nil && !isNotKept }
}

extension TodoState {
    fileprivate var isConfirmed: Bool { base?.todo != nil && !isNotKept }
}
