/// The lines of an old text that are missing from a new text, and the new text's lines that the old text
/// lacks.
///
/// Of several shortest differences, this is the one that git finds by default, so merges have the same result
/// as in `git merge-file`.
struct LineDifference {
    /// Whether each old line was removed.
    private(set) var removed: [Bool]
    /// Whether each new line was added.
    private(set) var added: [Bool]

    /// Old lines and the new lines that replace them.
    ///
    /// Either range can be empty.
    struct Change: Equatable {
        var old: Range<Int>
        var new: Range<Int>
    }

    init(from old: [Int32], to new: [Int32]) {
        removed = Array(repeating: false, count: old.count)
        added = Array(repeating: false, count: new.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let most = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
        let oldLines = ComparedLines(old, within: start..<old.count - end, other: new)
        let newLines = ComparedLines(new, within: start..<new.count - end, other: old)
        for position in oldLines.setAside { removed[position] = true }
        for position in newLines.setAside { added[position] = true }
        var search = ShortestEdit(old: oldLines.numbers, new: newLines.numbers)
        search.run()
        for (position, isRemoved) in search.removed.enumerated() where isRemoved {
            removed[oldLines.positions[position]] = true
        }
        for (position, isAdded) in search.added.enumerated() where isAdded {
            added[newLines.positions[position]] = true
        }
        slideGroups(of: &removed, in: old, beside: added)
        slideGroups(of: &added, in: new, beside: removed)
    }

    /// The changes, in the order of the texts.
    ///
    /// At least one shared line separates two changes.
    var changes: [Change] {
        var changes: [Change] = []
        var old = 0
        var new = 0
        while old < removed.count || new < added.count {
            let oldStart = old
            let newStart = new
            while old < removed.count, removed[old] { old += 1 }
            while new < added.count, added[new] { new += 1 }
            if old > oldStart || new > newStart {
                changes.append(Change(old: oldStart..<old, new: newStart..<new))
            } else {
                old += 1
                new += 1
            }
        }
        return changes
    }
}
