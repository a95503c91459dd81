internal import LosslessYAML
internal import WorkingCopy

// The state that a power failure leaves.
extension MemoryDisk.Content {
    /// Records that the next change affects these names.
    mutating func noteNames(_ names: [(folder: UInt64, name: ByteKey)]) {
        var change = MemoryDisk.NameChange()
        for (folder, name) in names {
            let entry = MemoryDisk.NameChange.Entry(folder: folder, name: name)
            change.before[entry] = .some(nodes[folder]?.entries[name])
        }
        nameChanges.append(change)
    }

    /// Makes the names of a file, or those in a folder, durable, with the changes that they depend on.
    mutating func keepNames(of inode: UInt64) {
        var kept: Set<MemoryDisk.NameChange.Entry> = []
        for index in nameChanges.indices.reversed() {
            let entries = nameChanges[index].before.keys
            let isKept = entries.contains { entry in
                entry.folder == inode || nodes[entry.folder]?.entries[entry.name] == inode
                    || kept.contains(entry)
            }
            guard nameChanges[index].isDurable || isKept else { continue }
            nameChanges[index].isDurable = true
            kept.formUnion(entries)
        }
    }

    /// Makes all names durable, as if some time had passed before the user's next change.
    mutating func keepAllNames() { nameChanges = [] }

    /// Undoes the name changes that `isLost` selects and that are not durable, and those that depend on them.
    mutating func loseNames(_ isLost: (_ index: Int, MemoryDisk.NameChange) -> Bool) {
        var lost: [MemoryDisk.NameChange] = []
        var entries: Set<MemoryDisk.NameChange.Entry> = []
        for (index, change) in nameChanges.enumerated() where !change.isDurable {
            let restsOnLost = change.before.keys.contains(where: entries.contains)
            guard restsOnLost || isLost(index, change) else { continue }
            lost.append(change)
            entries.formUnion(change.before.keys)
        }
        for change in lost.reversed() {
            for (entry, inode) in change.before { nodes[entry.folder]?.entries[entry.name] = inode }
        }
    }

    mutating func loseData(_ random: inout SplitMix64) {
        for inode in nodes.keys.sorted() {
            guard let node = nodes[inode], node.bytes != node.durableBytes else { continue }
            var bytes = node.bytes
            if bytes.starts(with: node.durableBytes) {
                let kept = Int.random(in: node.durableBytes.count...bytes.count, using: &random)
                if random.chance(0.3) {
                    for index in kept..<bytes.count { bytes[index] = 0 }
                } else {
                    bytes.removeLast(bytes.count - kept)
                }
            } else if random.chance(0.5) {
                bytes = node.durableBytes
            }
            nodes[inode]?.bytes = bytes
        }
    }
}
