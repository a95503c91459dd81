/// The part of the journal that is damaged or missing.
package struct JournalDamage: Sendable, Hashable {
    /// The number of the first damaged or missing line, counted from 1.
    package let line: Int
    /// Whether records might be missing.
    ///
    /// No record is missing if the last operation ended exactly there, no later operation has begun to write,
    /// and no record follows.
    package let isLoss: Bool
    /// The folder in `.todosync` with a copy of the removed bytes; nil if there weren't any.
    package internal(set) var folder: String?

    /// Examines the bytes after a journal's last good line; nil if there is at most a torn line.
    ///
    /// - Parameter noted: The journal's minimum length, if it is known.
    init?(in journal: [UInt8], behind goodLength: Int, _ noted: JournalLength?) {
        let rest = journal.dropFirst(goodLength)
        guard goodLength < noted?.count ?? 0 || rest.contains(UInt8(ascii: "\n")) else { return nil }
        line = journal.prefix(goodLength).count { $0 == UInt8(ascii: "\n") } + 1
        let isBehindEnd = noted.map { $0.isEnd && $0.count == goodLength } ?? false
        isLoss = !isBehindEnd || JournalLines.hasRecord(in: rest)
    }
}
