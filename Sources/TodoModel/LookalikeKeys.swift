package import LosslessYAML

/// Keys of a mapping that look alike: they are canonically equivalent in Unicode but have different bytes.
///
/// For example, é can be one code point or two: the letter and its accent.
package struct LookalikeKeys: Sendable, Hashable {
    /// A key and its line.
    package struct Key: Sendable, Hashable {
        /// The key as it is in the text.
        package let name: String
        /// The line, counted from 1.
        package let line: Int

        package init(name: String, line: Int) {
            self.name = name
            self.line = line
        }
    }

    /// The keys, at least two, in the order of the text.
    package let keys: [Key]

    package init(_ keys: [Key]) { self.keys = keys }
}

extension Document {
    /// Whether a mapping at any depth has lookalike keys.
    package var hasLookalikeKeys: Bool { !isSimple && !root.lookalikeEntries.isEmpty }

    /// Returns the lookalike keys of the mappings at all depths, in the order of the text.
    package func lookalikeKeys() -> [LookalikeKeys] {
        let found = root.lookalikeEntries
        if found.isEmpty { return [] }
        let lineEnds = lineEnds
        return found.map { entries in
            LookalikeKeys(
                entries.map { entry in
                    let line = lineEnds.partitioningIndex { $0 > entry.keyRange.lowerBound }
                    return LookalikeKeys.Key(name: entry.key, line: line + 1)
                })
        }
    }

    /// The offsets after the text's line breaks.
    private var lineEnds: [Int] {
        bytes.indices.filter { index in
            bytes[index] == UInt8(ascii: "\n")
                || bytes[index] == UInt8(ascii: "\r")
                    && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
        }.map { $0 + 1 }
    }
}

extension Node {
    /// The groups of entries with lookalike keys.
    fileprivate var lookalikeEntries: [[Entry]] {
        switch shape {
        case .scalar, .alias: return []
        case .sequence(_, let items): return items.flatMap(\.value.lookalikeEntries)
        case .mapping(_, let entries):
            let inner = entries.flatMap(\.value.lookalikeEntries)
            // Most keys are ASCII, and ASCII characters have no other form.
            if entries.allSatisfy({ $0.key.utf8.allSatisfy { $0 < 0x80 } }) { return inner }
            // Swift's strings are equal if they are canonically equivalent, so group by them.
            let groups = Dictionary(grouping: entries, by: \.key).values.filter { $0.count > 1 }
            return groups.sorted { $0[0].keyRange.lowerBound < $1[0].keyRange.lowerBound } + inner
        }
    }
}

extension [Int] {
    /// Returns the index of the first element that satisfies a condition, given that all later elements
    /// satisfy it, too.
    fileprivate func partitioningIndex(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
