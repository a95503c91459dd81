internal import LosslessYAML
package import TodoModel

/// The last sequence that a table had on a day.
struct DayEnd: Hashable, Sendable {
    /// The number of days since 1970-01-01 in UTC.
    var day: Int64
    var sequence: Int64

    /// The length of a day in milliseconds.
    private static let length: Int64 = 86_400_000

    /// Creates the end of the day of a table's last write; nil if `time` is on the same day, or if there was
    /// no write.
    init?(of table: TableRow, before time: Int64) {
        let day = Self.day(of: table.updatedAt)
        guard table.sequence > 0, day < Self.day(of: time) else { return nil }
        self.init(day: day, sequence: table.sequence)
    }

    init(day: Int64, sequence: Int64) { (self.day, self.sequence) = (day, sequence) }

    /// Returns the day of a time in milliseconds since 1970-01-01T00:00:00Z.
    static func day(of time: Int64) -> Int64 { time / length }
}

/// The results of forgetting old operations.
package struct RetentionReport: Sendable, Hashable {
    /// The number of operations that were forgotten.
    package var operations = 0
    /// The number of marks that were packed.
    package var marks = 0
}

extension Store {
    /// The default for the age of old operations, in seconds.
    package static let retentionSeconds = 90 * 86_400

    /// Forgets the ids of old operations, and packs old marks.
    ///
    /// A store remembers each operation's id, so that a client can retry the operation if the answer was
    /// lost. If a client retries an operation that was forgotten, the store treats it as a new operation. Its
    /// condition fails, because the record has a newer version, and the client finds its own change there.
    ///
    /// Marks are packed rather than removed, so a client's cursor stays valid, however old it is.
    ///
    /// This can be interrupted and repeated at any time, even while servers use the store.
    ///
    /// - Parameter seconds: The age of old operations. All operations of the UTC day at that age are kept.
    package func forgetOperations(
        olderThan seconds: Int, reporting progress: Progress.Reporter? = nil
    ) async throws -> RetentionReport {
        var removal = OperationRemoval(
            store: self, day: DayEnd.day(of: surroundings.now() - Int64(seconds) * 1000))
        let names = try await tableNames()
        let counter = progress.map { ProgressCounter(.forgetting, .tables, total: names.count, $0) }
        for name in names {
            try await removal.run(on: name)
            counter?.add()
        }
        return removal.report
    }
}

/// Forgets the operations of a store's tables before a day.
private struct OperationRemoval {
    let store: Store
    let day: Int64
    private(set) var report = RetentionReport()

    init(store: Store, day: Int64) { (self.store, self.day) = (store, day) }

    mutating func run(on name: TableName) async throws {
        // The sequence is recorded first, so that a client's removed last operation counts as forgotten.
        let end = try await maintain(name) { [day] writer, table -> Int64? in
            guard let end = try writer.retention.lastEnd(before: day, in: table) else { return nil }
            try writer.retention.forget(through: end.sequence, in: table)
            return end.sequence
        }
        guard let end = end ?? nil else { return }
        while let count = try await maintain(name, { try $0.packMarks(through: end, in: $1) }), count > 0 {
            report.marks += count
        }
        try await removeOperations(of: name, through: end)
        // Until the ends are removed, the next run repeats an interrupted one.
        try await maintain(name) { try $0.retention.deleteEnds(through: end, in: $1) }
    }

    private mutating func removeOperations(of name: TableName, through sequence: Int64) async throws {
        var last: ByteKey?
        while true {
            try Task.checkCancellation()
            let page = try await store.read { [last] reader in
                try reader.table(named: name).map {
                    try reader.operations(after: last, limit: CopiedPage.size, in: $0)
                }
            }
            guard let page, let end = page.last else { return }
            let old = page.filter { $0.operation.version.sequence <= sequence }.map(\.id)
            if !old.isEmpty {
                try await maintain(name) { try $0.retention.deleteOperations(old, in: $1) }
                report.operations += old.count
            }
            last = end.id
        }
    }

    /// Runs a write on a table; nil if there is no such table.
    private func maintain<Result: Sendable>(
        _ name: TableName, _ body: @escaping @Sendable (any StoreWriter, TableRow) throws -> Result
    ) async throws -> Result? {
        let lock = WriteJob(table: name, writes: [], asksForPart: false, answerSize: .max)
        return try await store.write([lock]) { writer, _ in
            try writer.table(named: name).map { try body(writer, $0) }
        }
    }
}

extension StoreWriter {
    /// Packs a limited number of marks up to a sequence, and returns their number.
    ///
    /// Marks that don't fill a whole pack aren't packed.
    fileprivate func packMarks(through sequence: Int64, in table: TableRow) throws -> Int {
        let marks = try markRows(from: 0, limit: 64 * MarkPack.size, in: table)
            .prefix { $0.sequence <= sequence }
        var count = 0
        while count + MarkPack.size <= marks.count,
            let pack = MarkPack(marks[count..<count + MarkPack.size])
        {
            try retention.insert(pack, in: table)
            count += MarkPack.size
        }
        return count
    }
}

// MARK: - Finding marks

extension StoreLookup {
    func mark(at sequence: Int64, in table: TableRow) throws -> HistoryMark? {
        try packedMark(at: sequence, in: table) ?? markRows(from: sequence, limit: 1, in: table).first
    }

    /// Returns the first packed mark at or after a sequence.
    func packedMark(at sequence: Int64, in table: TableRow) throws -> HistoryMark? {
        guard sequence <= table.forgottenSequence else { return nil }
        return try packs(from: sequence, limit: 1, in: table).first?.marks?.first { $0.sequence >= sequence }
    }
}

extension StoreReader {
    /// Returns marks of a table in the order of their sequences, starting after a sequence.
    func marks(after sequence: Int64, limit: Int, in table: TableRow) throws -> [HistoryMark] {
        var marks: [HistoryMark] = []
        if sequence < table.forgottenSequence {
            // The first pack can begin before the sequence.
            marks = try packs(from: sequence + 1, limit: limit / MarkPack.size + 2, in: table)
                .flatMap { $0.marks ?? [] }.filter { $0.sequence > sequence }
        }
        if marks.count < limit {
            marks += try markRows(from: sequence + 1, limit: limit - marks.count, in: table)
        }
        return Array(marks.prefix(limit))
    }
}
