package import TodoModel
internal import Values

extension Cache {
    /// Returns how many of the entries' UUIDs come before an id; nil if the cache is wrong.
    func position(of id: TodoID) -> Int? {
        var (low, high) = (0, orderedCount)
        while low < high {
            let middle = low + (high - low) / 2
            guard let index = index(inOrder: middle) else { return nil }
            let isBefore = id.uuid.map { entries.uuid(at: index) < $0 } ?? (self.id(at: index) < id)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the index of a UUID's entry by binary search, which is faster than a table for a few lookups.
    func search(_ uuid: BinaryUUID) -> Int? {
        guard let position = position(of: TodoID(uuid)), position < orderedCount,
            let index = index(inOrder: position)
        else { return nil }
        return entries.uuid(at: index) == uuid ? index : nil
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
        if cache.orderedCount == 0 { return places.places.map(cache.id) }
        return cache.unusual.filter { contains($0) && !cache.entries[$0].flags.contains(.isUUID) }.map(
            cache.id)
    }

    private func presentID(inOrder position: Int, of cache: Cache) -> TodoID? {
        guard let index = cache.index(inOrder: position), contains(index) else { return nil }
        return cache.id(at: index)
    }
}
