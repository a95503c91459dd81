/// Old marks of a table's history, in a single row.
///
/// A mark takes 12 bytes in a pack: its sequence's distance from the pack's last sequence in four bytes, then
/// its random number in eight. A row of its own takes 83 bytes in PostgreSQL. No mark is lost, so cursors of
/// any age can still be checked.
struct MarkPack: Hashable, Sendable {
    /// The sequence of the last mark.
    var sequence: Int64
    var content: [UInt8]

    /// The number of marks in a pack.
    ///
    /// PostgreSQL stores larger rows in parts, which takes more space.
    static let size = 128
    private static let markSize = 12

    /// Creates a pack of marks in the order of their sequences; nil without marks, or if their sequences are
    /// too far apart.
    init?(_ marks: some BidirectionalCollection<HistoryMark>) {
        guard let first = marks.first, let last = marks.last,
            let _ = UInt32(exactly: last.sequence - first.sequence)
        else { return nil }
        sequence = last.sequence
        content = []
        for mark in marks {
            content.append(bigEndian: UInt64(last.sequence - mark.sequence), count: 4)
            content.append(bigEndian: UInt64(bitPattern: mark.random), count: 8)
        }
    }

    init(sequence: Int64, content: [UInt8]) { (self.sequence, self.content) = (sequence, content) }

    /// The marks in the order of their sequences; nil if the content is damaged.
    var marks: [HistoryMark]? {
        guard !content.isEmpty, content.count.isMultiple(of: Self.markSize) else { return nil }
        let marks = stride(from: 0, to: content.count, by: Self.markSize).map { start in
            HistoryMark(
                sequence: sequence - Int64(content[start..<start + 4].bigEndian),
                random: Int64(bitPattern: content[start + 4..<start + Self.markSize].bigEndian))
        }
        guard marks.last?.sequence == sequence,
            zip(marks, marks.dropFirst()).allSatisfy({ $0.sequence < $1.sequence })
        else { return nil }
        return marks
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt64, count: Int) {
        for index in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
