/// Finds the lines to remove and to add to turn one text into another.
///
/// The algorithm is from Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in linear
/// space. It searches for paths from both ends at once and divides the problem in two where they meet. A
/// search that becomes too expensive is divided at the farthest point reached, so the time is linear in the
/// length of the texts.
struct ShortestEdit {
    private(set) var removed: [Bool]
    private(set) var added: [Bool]

    private let old: [Int32]
    private let new: [Int32]
    /// The farthest old line reached on each diagonal (old - new), searching from the beginning and from the
    /// end.
    private var forward: [Int]
    private var backward: [Int]
    /// The negated number of the arrays' first diagonal.
    private let offset: Int

    /// The maximum number of removed and added lines; a search that reaches it is cut short.
    private static let mostCost = 256

    private struct Box {
        var old: Range<Int>
        var new: Range<Int>
    }

    private struct Cut {
        var old: Int
        var new: Int
    }

    init(old: [Int32], new: [Int32]) {
        self.old = old
        self.new = new
        removed = Array(repeating: false, count: old.count)
        added = Array(repeating: false, count: new.count)
        forward = Array(repeating: 0, count: old.count + new.count + 3)
        backward = forward
        offset = new.count + 1
    }

    /// Computes ``removed`` and ``added``.
    mutating func run() {
        var boxes = [Box(old: old.indices, new: new.indices)]
        while var box = boxes.popLast() {
            shrink(&box)
            if box.old.isEmpty {
                for position in box.new { added[position] = true }
            } else if box.new.isEmpty {
                for position in box.old { removed[position] = true }
            } else {
                let cut = cut(box)
                boxes.append(
                    Box(old: box.old.lowerBound..<cut.old, new: box.new.lowerBound..<cut.new))
                boxes.append(
                    Box(old: cut.old..<box.old.upperBound, new: cut.new..<box.new.upperBound))
            }
        }
    }

    /// Removes equal lines from the beginning and the end of a box.
    private func shrink(_ box: inout Box) {
        var (oldStart, oldEnd) = (box.old.lowerBound, box.old.upperBound)
        var (newStart, newEnd) = (box.new.lowerBound, box.new.upperBound)
        while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
            oldStart += 1
            newStart += 1
        }
        while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        box.old = oldStart..<oldEnd
        box.new = newStart..<newEnd
    }

    /// Returns a point on a shortest path through the box, or a good point if finding one would take too
    /// long.
    private mutating func cut(_ box: Box) -> Cut {
        let firstDiagonal = box.old.lowerBound - box.new.upperBound
        let lastDiagonal = box.old.upperBound - box.new.lowerBound
        let start = box.old.lowerBound - box.new.lowerBound
        let end = box.old.upperBound - box.new.upperBound
        let meetsForward = (start - end) % 2 != 0
        var ahead = Diagonals(only: start, in: firstDiagonal...lastDiagonal)
        var behind = Diagonals(only: end, in: firstDiagonal...lastDiagonal)
        forward[offset + start] = box.old.lowerBound
        backward[offset + end] = box.old.upperBound
        var cost = 0
        while true {
            cost += 1
            for border in ahead.widen() { forward[offset + border] = -1 }
            for diagonal in ahead.fromLast {
                let reached = extendForward(diagonal, in: box)
                if meetsForward, behind.contains(diagonal), backward[offset + diagonal] <= reached {
                    return Cut(old: reached, new: reached - diagonal)
                }
            }
            for border in behind.widen() { backward[offset + border] = Int.max }
            for diagonal in behind.fromLast {
                let reached = extendBackward(diagonal, in: box)
                if !meetsForward, ahead.contains(diagonal), reached <= forward[offset + diagonal] {
                    return Cut(old: reached, new: reached - diagonal)
                }
            }
            // Don't check this sooner: a box that has been searched completely has already returned its cut.
            if cost >= Self.mostCost { return farthest(ahead, behind, in: box) }
        }
    }

    /// Steps onto a diagonal, removing or adding one line, and then follows it past all equal lines; returns
    /// the old line that it reaches.
    private mutating func extendForward(_ diagonal: Int, in box: Box) -> Int {
        let index = offset + diagonal
        let afterRemoving = forward[index - 1]
        let afterAdding = forward[index + 1]
        var position = afterRemoving >= afterAdding ? afterRemoving + 1 : afterAdding
        while position < box.old.upperBound, position - diagonal < box.new.upperBound,
            old[position] == new[position - diagonal]
        { position += 1 }
        forward[index] = position
        return position
    }

    /// Does the same as ``extendForward(_:in:)`` from the end toward the beginning.
    private mutating func extendBackward(_ diagonal: Int, in box: Box) -> Int {
        let index = offset + diagonal
        let beforeAdding = backward[index - 1]
        let beforeRemoving = backward[index + 1]
        var position = beforeAdding < beforeRemoving ? beforeAdding : beforeRemoving - 1
        while position > box.old.lowerBound, position - diagonal > box.new.lowerBound,
            old[position - 1] == new[position - diagonal - 1]
        { position -= 1 }
        backward[index] = position
        return position
    }

    /// Returns the point that is farthest from the end where its search began.
    private func farthest(_ ahead: Diagonals, _ behind: Diagonals, in box: Box) -> Cut {
        var fromStart = (sum: -1, old: -1)
        for diagonal in ahead.fromLast {
            var position = min(forward[offset + diagonal], box.old.upperBound)
            if position - diagonal > box.new.upperBound { position = box.new.upperBound + diagonal }
            let sum = position + position - diagonal
            if sum > fromStart.sum { fromStart = (sum, position) }
        }
        var fromEnd = (sum: Int.max, old: Int.max)
        for diagonal in behind.fromLast {
            var position = max(backward[offset + diagonal], box.old.lowerBound)
            if position - diagonal < box.new.lowerBound { position = box.new.lowerBound + diagonal }
            let sum = position + position - diagonal
            if sum < fromEnd.sum { fromEnd = (sum, position) }
        }
        let doneFromStart = fromStart.sum - box.old.lowerBound - box.new.lowerBound
        let doneFromEnd = box.old.upperBound + box.new.upperBound - fromEnd.sum
        if doneFromEnd < doneFromStart {
            return Cut(old: fromStart.old, new: fromStart.sum - fromStart.old)
        }
        return Cut(old: fromEnd.old, new: fromEnd.sum - fromEnd.old)
    }
}

/// The diagonals that a search has reached: every second diagonal from the first to the last.
private struct Diagonals {
    private var first: Int
    private var last: Int
    private let limits: ClosedRange<Int>

    init(only diagonal: Int, in limits: ClosedRange<Int>) {
        first = diagonal
        last = diagonal
        self.limits = limits
    }

    var fromLast: StrideThrough<Int> { stride(from: last, through: first, by: -2) }

    func contains(_ diagonal: Int) -> Bool { first <= diagonal && diagonal <= last }

    /// Adds a diagonal at each end, or drops a diagonal where the box ends.
    ///
    /// Returns the diagonals just beyond the new ends, which haven't been reached yet.
    mutating func widen() -> [Int] {
        var beyond: [Int] = []
        if first > limits.lowerBound {
            first -= 1
            beyond.append(first - 1)
        } else {
            first += 1
        }
        if last < limits.upperBound {
            last += 1
            beyond.append(last + 1)
        } else {
            last -= 1
        }
        return beyond
    }
}
