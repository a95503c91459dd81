/// What of the journal could not be read, or is not there.
package struct JournalDamage: Sendable, Hashable {
    /// The first line that is not good or not there, from 1.
    package let line: Int
    /// Whether records may be missing.
    ///
    /// None is where the last operation ended just there, the next one has not begun to write, and no record
    /// follows.
    package let isLoss: Bool
    /// The folder in `.todosync` where a copy is of what was cut off; nil where there was nothing.
    package internal(set) var folder: String?

    /// Looks at what follows a journal's last good line; nil if it is at most a line that was being written.
    ///
    /// - Parameter noted: How long the journal is at least, as far as that is known.
    init?(in journal: [UInt8], behind goodLength: Int, _ noted: JournalLength?) {
        let rest = journal.dropFirst(goodLength)
        guard goodLength < noted?.count ?? 0 || rest.contains(UInt8(ascii: "\n")) else { return nil }
        line = journal.prefix(goodLength).count { $0 == UInt8(ascii: "\n") } + 1
        let isBehindEnd = noted == JournalLength(count: goodLength, isEnd: true)
        isLoss = !isBehindEnd || JournalLines.hasRecord(in: rest)
    }
}
