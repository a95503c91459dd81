import LosslessYAML

/// In which order the entries of a merged mapping stand.
enum KeyOrder {
    /// Merges the orders of three texts: an order that only the remote changed is taken, else local's is.
    ///
    /// Keys that the other text lacks come behind the key they follow.
    static func merge(base: [ByteKey]?, local: [ByteKey], remote: [ByteKey]) -> [ByteKey] {
        if local == remote { return local }
        guard let base, isReordered(remote, from: base), !isReordered(local, from: base) else {
            return inserting(remote, into: local)
        }
        return inserting(local, into: remote)
    }

    private static func isReordered(_ keys: [ByteKey], from base: [ByteKey]) -> Bool {
        let known = Set(base)
        let kept = Set(keys)
        return keys.filter(known.contains) != base.filter(kept.contains)
    }

    private static func inserting(_ others: [ByteKey], into keys: [ByteKey]) -> [ByteKey] {
        let known = Set(keys)
        var followers: [ByteKey?: [ByteKey]] = [:]
        var followed: ByteKey?
        for key in others {
            if known.contains(key) { followed = key } else { followers[followed, default: []].append(key) }
        }
        return (followers[nil] ?? []) + keys.flatMap { [$0] + (followers[$0] ?? []) }
    }
}
