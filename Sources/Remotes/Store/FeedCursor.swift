internal import TodoModel

/// A place in a table's change feed, and what tells this history of the table from others.
///
/// Every write transaction leaves its last sequence and a random mark in the table's history. A cursor
/// carries those of the transaction that its sequence belongs to: where a backup was put back, they are gone
/// or others.
struct FeedCursor: Hashable {
    var sequence: Int64
    /// Nil only before the table's first write.
    var mark: HistoryMark?

    static let beginning = FeedCursor(sequence: 0, mark: nil)
}

/// What a write transaction leaves in a table's history.
struct HistoryMark: Hashable {
    /// The last sequence that the transaction gave.
    var sequence: Int64
    var random: Int64
}

// MARK: - As text

extension FeedCursor {
    /// Reads a cursor, or returns nil for what no store wrote.
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
    /// Creates the part between two places; nil if nothing is between them.
    init?(from start: FeedCursor, to end: FeedCursor) {
        guard start != end else { return nil }
        self.init(start: start.cursor, end: end.cursor, isFirst: start == .beginning)
    }
}
