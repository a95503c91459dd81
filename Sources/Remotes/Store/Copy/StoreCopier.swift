internal import LosslessYAML
internal import TodoModel

/// Copies rows between two stores, and compares them.
struct StoreCopier: Sendable {
    let source: CopiedStore
    let target: CopiedStore
    /// Whether to stop.
    let isAskedToEnd: @Sendable () -> Bool

    private func checkGoesOn() throws {
        if isAskedToEnd() { throw CancellationError() }
    }
}

// MARK: - Copying

extension StoreCopier {
    /// Copies the changes since the last call, and returns the number of changed records.
    func copyChanges(_ counter: ProgressCounter?) async throws -> Int {
        var count = 0
        let names = try await source.store.tableNames()
        for start in stride(from: 0, to: names.count, by: CopiedPage.size) {
            let batch = Array(names[start..<min(start + CopiedPage.size, names.count)])
            // A new table without records has the sequence 0.
            let wanted = try await source.store.read { try $0.sequences(of: batch) }
            let existing = try await target.store.read { try $0.sequences(of: batch) }
            for name in batch {
                if wanted[name] != existing[name] {
                    count += try await copyRecords(of: name, after: existing[name] ?? 0, counter)
                }
                try await copyOperations(of: name)
            }
        }
        return count
    }

    private func copyRecords(
        of name: TableName, after existing: Int64, _ counter: ProgressCounter?
    ) async throws -> Int {
        var (start, count) = (existing, 0)
        while true {
            try checkGoesOn()
            let page = try await source.store.read { [start] in
                try CopiedPage(of: name, after: start, in: $0)
            }
            guard let page else { return count }
            try await target.importing { importer in
                let table = try importer.put(page.table, named: name)
                try importer.put(page.records, in: table)
                try importer.put(page.marks, in: table)
            }
            count += page.records.count
            counter?.add(page.records.count)
            if page.isLast { return count }
            start = page.table.sequence
        }
    }

    /// Copies a table's operations, unless the target has all of them.
    ///
    /// An operation is never changed. Its version doesn't show when it was applied, because an operation
    /// without an effect has an older version.
    private func copyOperations(of name: TableName) async throws {
        let original = try await source.store.read { try $0.table(named: name) }
        guard let table = try await target.store.read(.lookup, { try $0.table(named: name) }) else { return }
        if let forgotten = original?.forgottenSequence, forgotten > table.forgottenSequence {
            try await target.importing { try $0.forget(through: forgotten, in: table) }
        }
        guard try await source.operationCount(of: name) != target.operationCount(of: name) else { return }
        var last: ByteKey?
        while true {
            try checkGoesOn()
            let operations = try await source.operations(of: name, after: last)
            guard let end = operations.last else { return }
            try await target.importing { try $0.put(operations, in: table) }
            last = end.id
        }
    }

    /// Makes the target's keys the same as the source's.
    func copyKeys() async throws {
        var last: String?
        while let keys = try await source.keys(after: last) {
            try checkGoesOn()
            let existing = Set(try await target.store.read { try $0.keys(named: keys.map(\.name)) })
            let missing = keys.filter { !existing.contains($0) }
            if !missing.isEmpty { try await target.importing { try $0.put(missing) } }
            last = keys.last?.name
        }
        last = nil
        while let names = try await target.keys(after: last)?.map(\.name) {
            try checkGoesOn()
            let existing = Set(try await source.store.read { try $0.keys(named: names) }.map(\.name))
            let revoked = names.filter { !existing.contains($0) }
            if !revoked.isEmpty {
                try await target.importing { try $0.deleteKeys(named: revoked) }
            }
            last = names.last
        }
    }
}

// MARK: - Comparing

extension StoreCopier {
    /// Checks that the target has everything that the source has, and nothing else.
    ///
    /// - Throws: ``StoreCopyProblem/differs(_:)``.
    func compare(_ counter: ProgressCounter?) async throws {
        let names = try await source.store.tableNames()
        guard try await target.store.tableNames().map(\.string) == names.map(\.string) else {
            throw StoreCopyProblem.differs("the list of tables")
        }
        for name in names {
            try await compareRecords(of: name, counter)
            try await compareOperations(of: name)
        }
        guard try await Set(source.store.read { try $0.keys() }) == Set(target.store.read { try $0.keys() })
        else {
            throw StoreCopyProblem.differs("the keys")
        }
    }

    private func compareRecords(of name: TableName, _ counter: ProgressCounter?) async throws {
        var start: Int64 = 0
        while true {
            try checkGoesOn()
            let (sourcePage, targetPage) = (
                try await source.store.read { [start] in try CopiedPage(of: name, after: start, in: $0) },
                try await target.store.read { [start] in try CopiedPage(of: name, after: start, in: $0) }
            )
            guard let sourcePage, sourcePage == targetPage else {
                throw StoreCopyProblem.differs("the table \(name.string)")
            }
            counter?.add(sourcePage.records.count)
            if sourcePage.isLast { return }
            start = sourcePage.table.sequence
        }
    }

    private func compareOperations(of name: TableName) async throws {
        var last: ByteKey?
        while true {
            try checkGoesOn()
            let operations = try await source.operations(of: name, after: last)
            guard try await target.operations(of: name, after: last) == operations else {
                throw StoreCopyProblem.differs("the operations of the table \(name.string)")
            }
            guard let end = operations.last else { return }
            last = end.id
        }
    }
}

// MARK: - Pages

/// The next records and marks of a table, in the order of their sequences.
struct CopiedPage: Sendable {
    var records: [RecordRow] = []
    var marks: [HistoryMark]
    /// The table's row after this page.
    var table: TableRow
    var isLast: Bool

    /// The maximum number of rows of one kind to read and write at once.
    static let size = 5000
    /// The size in bytes that ends a page.
    private static let byteSize = 8 << 20

    /// Reads the page after a sequence; nil if there is no such table.
    init?(of name: TableName, after start: Int64, in reader: any StoreReader) throws {
        guard let table = try reader.table(named: name) else { return nil }
        marks = try reader.marks(after: start, limit: Self.size, in: table)
        var end = marks.count < Self.size ? table.sequence : marks.last?.sequence ?? start
        var bytes = 0
        var records: [RecordRow] = []
        try reader.forEachRecord(
            in: table, within: .after(sequence: start), by: .version(isDescending: false),
            expecting: Self.size
        ) { columns in
            let row = RecordRow(columns)
            guard row.version.sequence <= end else { return false }
            records.append(row)
            bytes += row.size
            if records.count < Self.size, bytes < Self.byteSize { return true }
            end = row.version.sequence
            return false
        }
        self.records = records
        marks.removeAll { $0.sequence > end }
        isLast = end >= table.sequence
        self.table = table
        self.table.sequence = end
    }
}

extension CopiedPage: Equatable {
    static func == (left: CopiedPage, right: CopiedPage) -> Bool {
        left.table.sequence == right.table.sequence && left.table.updatedAt == right.table.updatedAt
            && left.table.usage == right.table.usage
            && left.table.forgottenSequence == right.table.forgottenSequence && left.isLast == right.isLast
            && left.marks == right.marks && left.records.count == right.records.count
            && zip(left.records, right.records).allSatisfy { $0.isSame(as: $1) }
    }
}

extension RecordRow {
    /// Returns whether two rows, possibly of different databases, have the same content.
    fileprivate func isSame(as other: RecordRow) -> Bool {
        ByteKey(id) == ByteKey(other.id) && foldedID.map { ByteKey($0) } == other.foldedID.map { ByteKey($0) }
            && version == other.version && isDeleted == other.isDeleted && createdAt == other.createdAt
            && updatedAt == other.updatedAt && fields == other.fields && layout == other.layout
    }
}
