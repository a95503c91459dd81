/// Slides groups of changed lines to where readers expect them.
///
/// If the last line of a group equals the line before the group, the group can also be one line higher, and
/// so on. Each group slides down as far as possible and joins the groups that it meets. Then it slides up to
/// a position next to a group of changed lines in the other text, if there is one.
func slideGroups(of changed: inout [Bool], in lines: [Int32], beside otherChanged: [Bool]) {
    var group = ChangedGroup(in: changed)
    var other = ChangedGroup(in: otherChanged)
    repeat {
        if !group.isEmpty { settle(&group, &changed, lines, &other, otherChanged) }
    } while group.next(changed) && other.next(otherChanged)
}

private func settle(
    _ group: inout ChangedGroup, _ changed: inout [Bool], _ lines: [Int32], _ other: inout ChangedGroup,
    _ otherChanged: [Bool]
) {
    var highestEnd: Int
    var hasPlaceBesideOther: Bool
    var size: Int
    repeat {
        size = group.end - group.start
        while group.slideUp(&changed, lines) { other.previous(otherChanged) }
        highestEnd = group.end
        hasPlaceBesideOther = !other.isEmpty
        while group.slideDown(&changed, lines) {
            _ = other.next(otherChanged)
            if !other.isEmpty { hasPlaceBesideOther = true }
        }
    } while group.end - group.start != size  // Joining a group can let it slide farther.
    guard group.end != highestEnd, hasPlaceBesideOther else { return }
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
