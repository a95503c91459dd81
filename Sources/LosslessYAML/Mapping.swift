/// A mapping from strings to values that keeps the order of its keys.
///
/// Equality ignores the order. Keys are compared byte by byte.
package struct Mapping: Sendable {
    package typealias Entry = (key: String, value: Value)

    /// The entries in order; no key occurs twice.
    package private(set) var entries: [Entry] = []
    /// A number for each key that distinguishes most keys without comparing them.
    private var signatures: [UInt64] = []
    /// The index of each key; nil for small mappings, which are searched linearly.
    private var index: [ByteKey: Int]?
    private static let indexThreshold = 16

    package init() {}

    /// Creates a mapping.
    ///
    /// If a key occurs more than once, its last value is used.
    package init(_ entries: some Sequence<Entry>) {
        for entry in entries { self[entry.key] = entry.value }
    }

    package var keys: [String] { entries.map(\.key) }
    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }

    /// Returns a mapping of the entries whose keys satisfy a condition.
    package func filter(_ isIncluded: (String) -> Bool) -> Mapping {
        filter(indices: entries.indices.filter { isIncluded(entries[$0].key) })
    }

    /// Returns a mapping without the entries of some keys.
    package func removing(_ keys: [String]) -> Mapping {
        let removed = keys.compactMap(position)
        return filter(indices: entries.indices.filter { !removed.contains($0) })
    }

    private func filter(indices: [Int]) -> Mapping {
        var mapping = Mapping()
        mapping.entries = indices.map { entries[$0] }
        mapping.signatures = indices.map { signatures[$0] }
        if mapping.entries.count > Self.indexThreshold { mapping.rebuildIndex() }
        return mapping
    }

    /// Allocates space for a number of entries.
    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
        signatures.reserveCapacity(count)
    }

    /// The value of a key.
    ///
    /// A new key is appended, and setting nil removes the key.
    package subscript(key: String) -> Value? {
        get { position(of: key).map { entries[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): entries[position].value = value
            case (let position?, nil):
                entries.remove(at: position)
                signatures.remove(at: position)
                index = nil
                if entries.count > Self.indexThreshold { rebuildIndex() }
            case (nil, let value?): _ = append(key, value)
            case (nil, nil): break
            }
        }
    }

    /// Appends an entry unless its key exists; returns whether the entry was appended.
    package mutating func append(_ key: String, _ value: Value) -> Bool {
        let signature = Self.signature(of: key)
        guard position(of: key, signature) == nil else { return false }
        // Most mappings have only a few entries, or about as many as a todo has fields.
        if entries.capacity == 0 { reserveCapacity(4) } else if entries.count == 4 { reserveCapacity(16) }
        entries.append((key, value))
        signatures.append(signature)
        index?[ByteKey(key)] = entries.count - 1
        if index == nil, entries.count > Self.indexThreshold { rebuildIndex() }
        return true
    }

    private func position(of key: String) -> Int? { position(of: key, Self.signature(of: key)) }

    private func position(of key: String, _ signature: UInt64) -> Int? {
        if let index { return index[ByteKey(key)] }
        for (position, other) in signatures.enumerated() where other == signature {
            if entries[position].key.isSameBytes(as: key) { return position }
        }
        return nil
    }

    private static func signature(of key: String) -> UInt64 {
        var key = key
        return key.withUTF8 { bytes in
            guard let first = EightBytes(bytes, at: 0), let last = EightBytes(bytes, at: bytes.count - 8)
            else { return bytes.reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) } }
            return first.word ^ last.word &* 31 ^ UInt64(bytes.count)
        }
    }

    private mutating func rebuildIndex() {
        var index = [ByteKey: Int](minimumCapacity: entries.count)
        for (position, entry) in entries.enumerated() { index[ByteKey(entry.key)] = position }
        self.index = index
    }
}

extension Mapping: Hashable {
    package static func == (left: Mapping, right: Mapping) -> Bool {
        left.count == right.count && left.entries.allSatisfy { right[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        // Add up the hashes of the entries, because the order must not matter.
        var sum = 0
        for entry in entries {
            var inner = Hasher()
            inner.combine(ByteKey(entry.key))
            inner.combine(entry.value)
            sum &+= inner.finalize()
        }
        hasher.combine(count)
        hasher.combine(sum)
    }
}

extension Mapping: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}
