package import TodoModel
internal import Values

extension Cache {
    /// The number of entries whose ids are UUIDs; 0 if their order wasn't written.
    var orderedCount: Int { uuidOrder.count / 4 }

    /// Returns how many of these entries' UUIDs come before an id; nil if the cache is wrong.
    func position(of id: TodoID) -> Int? {
        var (low, high) = (0, orderedCount)
        while low < high {
            let middle = low + (high - low) / 2
            guard let index = index(inOrder: middle) else { return nil }
            let isBefore = id.uuid.map { uuid(at: index) < $0 } ?? (self.id(at: index) < id)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func uuid(at index: Int) -> BinaryUUID {
        bytes.withUnsafeBytes { BinaryUUID($0, at: Int(entries[index].id)) }
    }

    /// Returns the index of a UUID's entry by binary search, which is faster than a table for a few lookups.
    func search(_ uuid: BinaryUUID) -> Int? {
        guard let position = position(of: TodoID(uuid)), position < orderedCount,
            let index = index(inOrder: position)
        else { return nil }
        return self.uuid(at: index) == uuid ? index : nil
    }

    /// Returns the index of an entry by its position in the order of the UUIDs; nil if the cache is wrong.
    func index(inOrder position: Int) -> Int? {
        let index = bytes.withUnsafeBytes { bytes in
            Int(
                UInt32(
                    littleEndian: bytes.loadUnaligned(
                        fromByteOffset: uuidOrder.lowerBound + 4 * position, as: UInt32.self)))
        }
        guard index < entries.count, entries[index].flags.contains(.isUUID) else { return nil }
        return index
    }
}

extension UnchangedFiles {
    /// Returns the ids directly before and after an id, among the files' ids that have an order.
    ///
    /// This takes logarithmic time, because the cache contains the UUIDs in order. The other ids are in
    /// ``unorderedIDs``.
    package func neighbors(of id: TodoID) -> [TodoID] {
        guard let cache, let position = cache.position(of: id) else { return [] }
        let before = (0..<position).reversed().lazy.compactMap { presentID(inOrder: $0, of: cache) }.first
        let after = (position..<cache.orderedCount).lazy.compactMap { presentID(inOrder: $0, of: cache) }
            .first { $0 != id }
        return [before, after].compactMap(\.self)
    }

    /// The ids that ``neighbors(of:)`` doesn't search: the ids that aren't UUIDs, or all ids if the cache
    /// has no order.
    package var unorderedIDs: [TodoID] {
        guard let cache else { return [] }
        let hasOrder = cache.orderedCount > 0
        return cache.entries.indices.filter { index in
            contains(index) && !(hasOrder && cache.entries[index].flags.contains(.isUUID))
        }.map(cache.id)
    }

    private func presentID(inOrder position: Int, of cache: Cache) -> TodoID? {
        guard let index = cache.index(inOrder: position), contains(index) else { return nil }
        return cache.id(at: index)
    }
}
