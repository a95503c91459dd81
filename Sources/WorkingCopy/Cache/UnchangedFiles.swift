package import TodoModel

/// The todo files that equal their base versions byte for byte, according to their stamps in the cache.
package struct UnchangedFiles: Sendable {
    let cache: Cache?
    private(set) var entries: EntrySet

    init(_ cache: Cache? = nil) {
        self.cache = cache
        entries = EntrySet(below: cache?.entries.count ?? 0)
    }

    /// Creates a set from indices of a cache's entries.
    init(_ cache: Cache, _ entries: EntrySet) {
        self.cache = cache
        self.entries = entries
    }

    /// Creates the set of all entries that still apply.
    init(allOf states: TodoStates) {
        cache = states.cache
        entries = states.cachedEntries
    }

    /// Returns whether the indices refer to a cache's entries.
    func isOf(_ cache: Cache) -> Bool { self.cache === cache }

    func contains(_ index: Int) -> Bool { entries.contains(index) }

    mutating func insert(_ index: Int) { entries.insert(index) }

    mutating func remove(_ index: Int) { entries.remove(index) }

    /// Adds the files that another thread of the same scan found.
    mutating func formUnion(_ other: UnchangedFiles) { entries.formUnion(other.entries) }

    /// Returns the index of a todo's entry if its file is unchanged.
    private func index(of id: TodoID) -> (Cache, Int)? {
        guard let cache, let index = cache.index(of: id), contains(index) else { return nil }
        return (cache, index)
    }

    private func index(at path: String) -> (Cache, Int)? {
        guard let cache, let index = cache.indices(at: path).first(where: contains) else { return nil }
        return (cache, index)
    }

    package var count: Int { entries.count }

    package func contains(_ id: TodoID) -> Bool { index(of: id) != nil }

    package func path(of id: TodoID) -> String? { index(of: id).map { $0.path(at: $1) } }

    package func id(at path: String) -> TodoID? { index(at: path).map { $0.id(at: $1) } }

    /// Returns the bytes of a todo's file, which equal its base version.
    package func bytes(of id: TodoID) -> [UInt8]? { index(of: id).flatMap { $0.text(at: $1) } }

    /// Calls a function with each todo's id, path and text, and returns the results in the byte order of the
    /// paths.
    ///
    /// Files that can't be read are left out.
    package func map<Result: Sendable>(
        _ transform: @escaping @Sendable (TodoID, String, [UInt8]) -> Result
    ) -> [Result] {
        guard let cache else { return [] }
        return mapConcurrently(Array(entries.indices)) { index in
            cache.text(at: index).map { transform(cache.id(at: index), cache.path(at: index), $0) }
        }.compactMap(\.self)
    }

    /// The paths in byte order.
    package var paths: [String] { cache.map { cache in entries.indices.map(cache.path) } ?? [] }

    /// Returns the ids with a prefix.
    package func ids(beginning: String) -> [TodoID] {
        guard let cache else { return [] }
        return entries.indices.map(cache.id).filter { $0.string.utf8.starts(with: beginning.utf8) }
    }

    /// Removes the file at a path.
    mutating func remove(at path: String) {
        if let (_, index) = index(at: path) { remove(index) }
    }

    /// Removes a todo whose file was changed.
    package mutating func remove(_ id: TodoID) {
        if let (_, index) = index(of: id) { remove(index) }
    }
}

/// A bit set of indices into a cache's entries.
struct EntrySet: Sendable {
    private var bits: [UInt64]

    /// Creates an empty set.
    ///
    /// - Parameter limit: A number that is greater than all indices.
    init(below limit: Int) { bits = Array(repeating: 0, count: (limit + 63) / 64) }

    /// Creates the set of all indices below a limit.
    init(allBelow limit: Int) {
        bits = Array(repeating: .max, count: (limit + 63) / 64)
        if let last = bits.indices.last, !limit.isMultiple(of: 64) {
            bits[last] &= 1 << UInt64(limit % 64) - 1
        }
    }

    func contains(_ index: Int) -> Bool {
        index / 64 < bits.count && bits[index / 64] & 1 << UInt64(index % 64) != 0
    }

    mutating func insert(_ index: Int) { bits[index / 64] |= 1 << UInt64(index % 64) }

    mutating func remove(_ index: Int) {
        if contains(index) { bits[index / 64] &= ~(1 << UInt64(index % 64)) }
    }

    /// Adds the indices of another set with the same limit.
    mutating func formUnion(_ other: EntrySet) {
        for (index, word) in other.bits.enumerated() { bits[index] |= word }
    }

    /// Returns the indices that another set with the same limit doesn't have.
    func subtracting(_ other: EntrySet) -> EntrySet {
        var rest = self
        for (index, word) in other.bits.enumerated() { rest.bits[index] &= ~word }
        return rest
    }

    var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The indices in ascending order.
    var indices: some Sequence<Int> {
        bits.indices.lazy.filter { bits[$0] != 0 }.flatMap { word in
            (word * 64..<word * 64 + 64).lazy.filter(contains)
        }
    }
}
