internal import TodoModel

/// A position in a table's change feed, with a mark that distinguishes this history of the table from others.
///
/// Every write transaction adds its last sequence and a random mark to the table's history. A cursor contains
/// both for the transaction that its sequence belongs to. After a backup is restored, both are missing or
/// different.
struct FeedCursor: Hashable {
    var sequence: Int64
    /// The mark; nil only before the table's first write.
    var mark: HistoryMark?

    static let beginning = FeedCursor(sequence: 0, mark: nil)
}

extension FeedCursor {
    /// Creates the cursor at a sequence of a table, with the mark of its transaction.
    init(at sequence: Int64, in table: TableRow?, _ lookup: any StoreLookup) throws {
        guard let table, sequence > 0 else {
            self = .beginning
            return
        }
        self.init(sequence: sequence, mark: try lookup.mark(at: sequence, in: table))
    }

    /// Creates the cursor after the last write of a table.
    init(endOf table: TableRow?, _ lookup: any StoreLookup) throws {
        try self.init(at: table?.sequence ?? 0, in: table, lookup)
    }
}

/// The entry of a write transaction in a table's history.
struct HistoryMark: Hashable {
    /// The transaction's last sequence.
    var sequence: Int64
    var random: Int64
}

// MARK: - As text

extension FeedCursor {
    /// Parses a cursor; nil for a cursor that no store created.
    init?(_ cursor: Cursor) {
        let parts = cursor.string.split(separator: "-", omittingEmptySubsequences: false)
        if cursor.string == "0" {
            self = .beginning
        } else if parts.count == 3, let sequence = Int64(parts[0]), let end = Int64(parts[1]),
            let random = UInt64(parts[2], radix: 16), 1 <= sequence, sequence <= end
        {
            self.sequence = sequence
            mark = HistoryMark(sequence: end, random: Int64(bitPattern: random))
        } else {
            return nil
        }
    }

    var cursor: Cursor {
        guard let mark else { return Cursor("0") }
        return Cursor("\(sequence)-\(mark.sequence)-\(String(UInt64(bitPattern: mark.random), radix: 16))")
    }
}

extension HistoryPart {
    /// Creates the part between two cursors; nil if they are equal.
    init?(from start: FeedCursor, to end: FeedCursor) {
        guard start != end else { return nil }
        self.init(start: start.cursor, end: end.cursor, isFirst: start == .beginning)
    }
}

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
