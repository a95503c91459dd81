public import TodoModel

/// Todo files that are, by their stamps, byte for byte their todos' base versions, as the cache knows.
public struct UnchangedFiles: Sendable {
    private let cache: Cache?
    /// A bit an entry of the cache.
    private var bits: [UInt64]

    init(_ cache: Cache? = nil) {
        self.cache = cache
        bits = Array(repeating: 0, count: ((cache?.entries.count ?? 0) + 63) / 64)
    }

    /// Creates those of a newer cache: files that are unchanged already, and others that were found to be.
    init(_ cache: Cache, _ unchanged: UnchangedFiles, _ others: [TodoID]) {
        self.init(cache)
        let ids = unchanged.cache.map { cache in unchanged.indices.map(cache.id) } ?? []
        for id in ids + others {
            guard let index = cache.index(of: id), cache.entries[index].flags.contains(.hasStamp) else {
                continue
            }
            insert(index)
        }
    }

    /// Whether the places of a cache's entries are those that are asked for here.
    func isOf(_ cache: Cache) -> Bool { self.cache === cache }

    func contains(_ index: Int) -> Bool {
        index / 64 < bits.count && bits[index / 64] & 1 << UInt64(index % 64) != 0
    }

    mutating func insert(_ index: Int) { bits[index / 64] |= 1 << UInt64(index % 64) }

    mutating func remove(_ index: Int) {
        if contains(index) { bits[index / 64] &= ~(1 << UInt64(index % 64)) }
    }

    /// Adds those that another part of the same scan has found.
    mutating func formUnion(_ other: UnchangedFiles) {
        for (index, word) in other.bits.enumerated() { bits[index] |= word }
    }

    /// The place of a todo's entry, if its file is unchanged.
    private func index(of id: TodoID) -> (Cache, Int)? {
        guard let cache, let index = cache.index(of: id), contains(index) else { return nil }
        return (cache, index)
    }

    private func index(at path: String) -> (Cache, Int)? {
        guard let cache, let index = cache.indices(at: path).first(where: contains) else { return nil }
        return (cache, index)
    }

    private var indices: some Sequence<Int> { (0..<bits.count * 64).lazy.filter(contains) }

    public var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    public func contains(_ id: TodoID) -> Bool { index(of: id) != nil }

    public func path(of id: TodoID) -> String? { index(of: id).map { $0.path(at: $1) } }

    public func id(at path: String) -> TodoID? { index(at: path).map { $0.id(at: $1) } }

    /// Returns a file's content, which is that of its base version.
    public func bytes(of id: TodoID) -> [UInt8]? { index(of: id).flatMap { $0.text(at: $1) } }

    /// The paths, in the order of their bytes.
    public var paths: [String] { cache.map { cache in indices.map(cache.path) } ?? [] }

    /// Returns the ids that begin with a string.
    public func ids(beginning: String) -> [TodoID] {
        guard let cache else { return [] }
        return indices.map(cache.id).filter { $0.string.utf8.starts(with: beginning.utf8) }
    }

    /// Takes note that a todo's file was changed.
    public mutating func remove(_ id: TodoID) {
        if let (_, index) = index(of: id) { remove(index) }
    }
}
