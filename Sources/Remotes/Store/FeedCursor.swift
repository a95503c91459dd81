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
