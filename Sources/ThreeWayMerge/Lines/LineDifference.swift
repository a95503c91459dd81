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

/// The lines of a text that are worth comparing.
///
/// Lines that the other text lacks are set aside. So are lines that occur often in the other text, if most of
/// the lines around them are set aside: matching them would tie the difference to positions where nothing
/// else matches.
struct ComparedLines {
    /// The numbers of the lines to compare.
    private(set) var numbers: [Int32] = []
    private(set) var positions: [Int] = []
    /// The positions of the lines that count as changed without being compared.
    private(set) var setAside: [Int] = []

    private enum Frequency {
        case absent, few, many
    }

    private static let mostTimesForFew = 1024
    /// The number of lines to examine on each side of a line.
    private static let window = 100

    init(_ lines: [Int32], within range: Range<Int>, other: [Int32]) {
        var counts: [Int32] = Array(repeating: 0, count: Int(max(lines.max() ?? -1, other.max() ?? -1) + 1))
        for number in other { counts[Int(number)] += 1 }
        let many = min(Self.roughSquareRoot(of: lines.count), Self.mostTimesForFew)
        let frequencies = range.map { position -> Frequency in
            switch Int(counts[Int(lines[position])]) {
            case 0: .absent
            case ..<many: .few
            default: .many
            }
        }
        for (offset, frequency) in frequencies.enumerated() {
            let position = range.lowerBound + offset
            if frequency == .absent || frequency == .many && Self.isAmongAbsent(offset, frequencies) {
                setAside.append(position)
            } else {
                numbers.append(lines[position])
                positions.append(position)
            }
        }
    }

    /// Returns whether a frequent line is in a run that consists mostly of absent lines, with some on each
    /// side.
    private static func isAmongAbsent(_ position: Int, _ frequencies: [Frequency]) -> Bool {
        func run(_ neighbors: some Sequence<Int>) -> (absent: Int, many: Int) {
            var absent = 0
            var many = 1
            for neighbor in neighbors {
                switch frequencies[neighbor] {
                case .absent: absent += 1
                case .many: many += 1
                case .few: return (absent, many)
                }
            }
            return (absent, many)
        }
        let before = run((max(0, position - window)..<position).reversed())
        guard before.absent > 0 else { return false }
        let after = run(position + 1..<min(frequencies.count, position + window + 1))
        guard after.absent > 0 else { return false }
        let many = before.many + after.many
        return many * 4 < many + before.absent + after.absent
    }

    /// Returns a power of two near the square root of a number.
    private static func roughSquareRoot(of number: Int) -> Int {
        let bits = Int.bitWidth - number.leadingZeroBitCount
        return 1 << ((bits + 1) / 2)
    }
}

/// Slides groups of changed lines to where readers expect them.
///
/// If the last line of a group equals the line before the group, the group can also be one line higher, and
/// so on. Each group slides down as far as possible and joins the groups that it meets. Then it slides up to
/// a position next to a group of changed lines in the other text, if there is one.
private func slideGroups(of changed: inout [Bool], in lines: [Int32], beside otherChanged: [Bool]) {
    var group = ChangedGroup(in: changed)
    var other = ChangedGroup(in: otherChanged)
    repeat {
        if !group.isEmpty { slide(&group, &changed, lines, &other, otherChanged) }
    } while group.next(changed) && other.next(otherChanged)
}

private func slide(
    _ group: inout ChangedGroup, _ changed: inout [Bool], _ lines: [Int32], _ other: inout ChangedGroup,
    _ otherChanged: [Bool]
) {
    var highestEnd: Int
    var canBeBesideOther: Bool
    var size: Int
    repeat {
        size = group.end - group.start
        while group.slideUp(&changed, lines) { other.previous(otherChanged) }
        highestEnd = group.end
        canBeBesideOther = !other.isEmpty
        while group.slideDown(&changed, lines) {
            _ = other.next(otherChanged)
            if !other.isEmpty { canBeBesideOther = true }
        }
    } while group.end - group.start != size  // Joining a group can let it slide farther.
    guard group.end != highestEnd, canBeBesideOther else { return }
    while other.isEmpty, group.slideUp(&changed, lines) { other.previous(otherChanged) }
}

/// A run of changed lines, possibly empty, between two unchanged lines.
private struct ChangedGroup {
    private(set) var start = 0
    private(set) var end = 0

    var isEmpty: Bool { start == end }

    init(in changed: [Bool]) {
        while end < changed.count, changed[end] { end += 1 }
    }

    /// Moves on to the group after the next unchanged line; returns false at the end of the text.
    mutating func next(_ changed: [Bool]) -> Bool {
        guard end < changed.count else { return false }
        start = end + 1
        end = start
        while end < changed.count, changed[end] { end += 1 }
        return true
    }

    /// Moves back to the group before the previous unchanged line.
    mutating func previous(_ changed: [Bool]) {
        guard start > 0 else { return }
        end = start - 1
        start = end
        while start > 0, changed[start - 1] { start -= 1 }
    }

    /// Slides the group one line up if that doesn't change the text, and joins a group that it then touches;
    /// returns false if the group can't slide.
    mutating func slideUp(_ changed: inout [Bool], _ lines: [Int32]) -> Bool {
        guard start > 0, lines[start - 1] == lines[end - 1] else { return false }
        start -= 1
        changed[start] = true
        end -= 1
        changed[end] = false
        while start > 0, changed[start - 1] { start -= 1 }
        return true
    }

    mutating func slideDown(_ changed: inout [Bool], _ lines: [Int32]) -> Bool {
        guard end < changed.count, lines[start] == lines[end] else { return false }
        changed[start] = false
        start += 1
        changed[end] = true
        end += 1
        while end < changed.count, changed[end] { end += 1 }
        return true
    }
}
