/// The part of the journal that couldn't be read or is missing.
package struct JournalDamage: Sendable, Hashable {
    /// The first damaged or missing line, from 1.
    package let line: Int
    /// Whether records may be missing.
    ///
    /// None are missing if the last operation ended exactly there, the next one hasn't begun to write, and no
    /// record follows.
    package let isLoss: Bool
    /// The folder in `.todosync` with a copy of what was cut off; nil if there was nothing.
    package internal(set) var folder: String?

    /// Examines what follows a journal's last good line; nil if it is at most a torn line.
    ///
    /// - Parameter noted: The minimum length of the journal, if it is known.
    init?(in journal: [UInt8], behind goodLength: Int, _ noted: JournalLength?) {
        let rest = journal.dropFirst(goodLength)
        guard goodLength < noted?.count ?? 0 || rest.contains(UInt8(ascii: "\n")) else { return nil }
        line = journal.prefix(goodLength).count { $0 == UInt8(ascii: "\n") } + 1
        let isBehindEnd = noted == JournalLength(count: goodLength, isEnd: true)
        isLoss = !isBehindEnd || JournalLines.hasRecord(in: rest)
    }
}
