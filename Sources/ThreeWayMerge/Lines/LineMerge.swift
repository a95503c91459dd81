/// The merge of two versions of a text, line by line.
///
/// Without a conflict, the result is the same as that of `git merge-file`. Lines that both sides changed, or
/// that touch such lines, conflict unless both sides have the same lines.
struct LineMerge {
    let chunks: [SequenceMerge.Chunk]
    /// The lines of the three texts, with their line breaks.
    let lines: Sides<[ArraySlice<UInt8>]>

    var hasConflict: Bool { chunks.contains { if case .conflict = $0 { true } else { false } } }

    /// Returns the merged text, with one side's lines for each conflict.
    func taking(_ side: Side) -> [UInt8] {
        var bytes: [UInt8] = []
        for chunk in chunks {
            switch chunk {
            case .taken(let taken, let range): for line in lines[taken][range] { bytes += line }
            case .conflict(let ranges): for line in lines[side][ranges[side]] { bytes += line }
            }
        }
        return bytes
    }

    init(base: [UInt8], local: [UInt8], remote: [UInt8]) {
        var table = LineTable()
        let numbers = Sides(
            base: table.numbers(of: base), local: table.numbers(of: local), remote: table.numbers(of: remote))
        lines = Sides(
            base: lineRanges(base).map { base[$0] }, local: lineRanges(local).map { local[$0] },
            remote: lineRanges(remote).map { remote[$0] })
        chunks = SequenceMerge(numbers).chunks
    }
}

/// Merges two versions of a text line by line, as `git merge-file` does.
///
/// Without conflicts, the result is the same as git's. A block has all lines of a conflict. In the style
/// ``ConflictStyle/merge``, lines that both sides begin or end with are outside the block.
package func mergeLines(
    base: [UInt8], local: [UInt8], remote: [UInt8], style: ConflictStyle
) -> MergedText {
    let merge = LineMerge(base: base, local: local, remote: remote)
    guard merge.hasConflict else { return .clean(merge.taking(.local)) }
    let pieces = merge.chunks.flatMap { chunk -> [ConflictedText.Piece] in
        switch chunk {
        case .taken(let side, let range):
            return [.text(Array(merge.lines[side][range].joined()))]
        case .conflict(let ranges):
            let block = ConflictedText.Block(
                local: Array(merge.lines.local[ranges.local].joined()),
                base: Array(merge.lines.base[ranges.base].joined()),
                remote: Array(merge.lines.remote[ranges.remote].joined()))
            guard style == .merge else { return [.block(block)] }
            let (before, rest, after) = block.withoutSharedLines
            return [.text(before), .block(rest), .text(after)]
        }
    }
    return .conflicted(ConflictedText(joining: pieces))
}

/// The merge of two versions of a sequence, whose elements are represented by numbers.
///
/// Elements that both sides changed, or that touch such elements, conflict unless both sides have the same
/// ones.
struct SequenceMerge {
    enum Chunk: Equatable {
        /// Elements from one side that both sides have, or that only this side changed.
        case taken(Side, Range<Int>)
        /// Elements that both sides changed differently.
        case conflict(Sides<Range<Int>>)
    }

    private(set) var chunks: [Chunk] = []

    init(_ numbers: Sides<[Int32]>) {
        var clusters = ChangeClusters(
            local: LineDifference(from: numbers.base, to: numbers.local).changes,
            remote: LineDifference(from: numbers.base, to: numbers.remote).changes)
        var done = Sides(base: 0, local: 0, remote: 0)
        while let cluster = clusters.next() {
            let ranges = cluster.ranges
            append(.local, done.local..<ranges.local.lowerBound)
            if cluster.sides == [.remote] {
                append(.remote, ranges.remote)
            } else if cluster.sides == [.local]
                || numbers.local[ranges.local].elementsEqual(numbers.remote[ranges.remote])
            {
                append(.local, ranges.local)
            } else {
                chunks.append(.conflict(ranges))
            }
            done = ranges.map(\.upperBound)
        }
        append(.local, done.local..<numbers.local.count)
    }

    private mutating func append(_ side: Side, _ range: Range<Int>) {
        if !range.isEmpty { chunks.append(.taken(side, range)) }
    }
}

/// Joins the changes of both sides that overlap or touch.
private struct ChangeClusters {
    struct Cluster {
        var sides: Set<Side>
        /// The corresponding lines of the three texts.
        var ranges: Sides<Range<Int>>
    }

    private var local: ArraySlice<LineDifference.Change>
    private var remote: ArraySlice<LineDifference.Change>
    /// The number of lines that the changes so far added to local, compared with the base.
    private var localShift = 0
    private var remoteShift = 0

    init(local: [LineDifference.Change], remote: [LineDifference.Change]) {
        self.local = local[...]
        self.remote = remote[...]
    }

    mutating func next() -> Cluster? {
        guard let start = [local.first, remote.first].compactMap({ $0?.old.lowerBound }).min() else {
            return nil
        }
        let shiftsBefore = (local: localShift, remote: remoteShift)
        var sides: Set<Side> = []
        var end = start
        while true {
            if let change = local.first, change.old.lowerBound <= end {
                end = max(end, change.old.upperBound)
                localShift += change.new.count - change.old.count
                sides.insert(.local)
                local.removeFirst()
            } else if let change = remote.first, change.old.lowerBound <= end {
                end = max(end, change.old.upperBound)
                remoteShift += change.new.count - change.old.count
                sides.insert(.remote)
                remote.removeFirst()
            } else {
                break
            }
        }
        return Cluster(
            sides: sides,
            ranges: Sides(
                base: start..<end, local: start + shiftsBefore.local..<end + localShift,
                remote: start + shiftsBefore.remote..<end + remoteShift))
    }
}

/// Assigns numbers to lines: two lines have the same number if their bytes are equal, including the line
/// break.
///
/// Long texts can be compared quickly, because only the numbers are compared and counted.
struct LineTable {
    private var bytes: [UInt8] = []
    /// The range of each numbered line in `bytes`.
    private var lines: [Range<Int>] = []
    private var hashes: [Int] = []
    /// A hash table with open addressing, whose size is a power of two; -1 means that a slot is free.
    private var slots: [Int32] = Array(repeating: -1, count: 64)

    /// Returns the numbers of a text's lines.
    mutating func numbers(of text: [UInt8]) -> [Int32] {
        let offset = bytes.count
        bytes += text
        return lineRanges(text).map { number(of: $0.lowerBound + offset..<$0.upperBound + offset) }
    }

    private mutating func number(of line: Range<Int>) -> Int32 {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[line])) }
        let hash = hasher.finalize()
        var slot = hash & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if hashes[number] == hash, isSame(lines[number], line) { return Int32(number) }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(lines.count)
        lines.append(line)
        hashes.append(hash)
        if lines.count * 2 > slots.count { grow() }
        return Int32(lines.count - 1)
    }

    private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count
            && bytes.withUnsafeBufferPointer { bytes in
                zip(left, right).allSatisfy { bytes[$0] == bytes[$1] }
            }
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for number in lines.indices {
            var slot = hashes[number] & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }
}
