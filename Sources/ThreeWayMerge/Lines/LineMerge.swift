/// The merge of two versions of a text, line by line.
///
/// Without a conflict, the result is the same as that of `git merge-file`. Lines that both sides changed, or
/// that touch such lines, conflict unless both sides have the same lines.
struct LineMerge {
    enum Chunk: Equatable {
        /// Lines from one side that both sides have, or that only this side changed.
        case lines(Side, Range<Int>)
        /// Lines that both sides changed differently.
        case conflict(Sides<Range<Int>>)
    }

    private(set) var chunks: [Chunk] = []
    /// The lines of the three texts, with their line breaks.
    let lines: Sides<[ArraySlice<UInt8>]>

    var hasConflict: Bool { chunks.contains { if case .conflict = $0 { true } else { false } } }

    /// Returns the merged text, with one side's lines for each conflict.
    func taking(_ side: Side) -> [UInt8] {
        var bytes: [UInt8] = []
        for chunk in chunks {
            switch chunk {
            case .lines(let taken, let range): for line in lines[taken][range] { bytes += line }
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
        if !range.isEmpty { chunks.append(.lines(side, range)) }
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
