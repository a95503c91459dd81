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
