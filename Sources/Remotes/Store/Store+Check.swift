internal import LosslessYAML
package import TodoModel
internal import Values

extension Store {
    /// Returns descriptions of the store's problems; an empty array if the store is sound.
    ///
    /// The database checks itself. Then the records are checked for rules that the database doesn't check: no
    /// version is used twice or is newer than the table's, ids are folded correctly, and every record can be
    /// read.
    package func problems(reporting progress: Progress.Reporter? = nil) async throws -> [String] {
        do {
            return try await read { try Self.problems(in: $0, progress) }
        } catch RemoteError.store(.damaged(_, let detail)) {
            // The database gave up because the store is too damaged.
            return ["\(engine.name): \(detail)"]
        }
    }

    private static func problems(
        in reader: any StoreReader, _ progress: Progress.Reporter?
    ) throws -> [String] {
        // The database's own check takes longer, and doesn't report its progress. It also describes any
        // damage that makes counting fail.
        let count = progress == nil ? nil : try? recordCount(in: reader)
        progress?(Progress(.checking, .todos, done: 0, total: count))
        var problems = try reader.problems()
        // Records can't be checked if the database can't read them.
        guard problems.isEmpty else { return problems }
        let counter = progress.map { ProgressCounter(.checking, .todos, total: count, $0) }
        for name in try reader.tableNames() {
            guard let table = try reader.table(named: name) else { continue }
            var check = RecordCheck(table: table, name: name)
            try reader.forEachRecord(in: table, within: .none, by: nil, expecting: nil) { columns in
                problems += check.problems(of: columns)
                counter?.add()
                // A hundred problems are enough to show that the store needs a repair.
                return problems.count < 100
            }
            if try reader.hasDamagedPack(in: table) {
                problems.append("\(name.string): old entries of its history can't be read")
            }
            if problems.isEmpty, check.usage != table.usage {
                problems.append("\(name.string): the recorded number or size of its todos is wrong")
            }
        }
        return problems
    }

    /// Returns the number of records and tombstones in all tables.
    static func recordCount(in reader: any StoreReader) throws -> Int {
        try reader.tableNames().reduce(0) { sum, name in
            try sum + (reader.table(named: name).map { try reader.recordCount(in: $0, within: .none) } ?? 0)
        }
    }
}

extension StoreReader {
    fileprivate func hasDamagedPack(in table: TableRow) throws -> Bool {
        var next: Int64 = 1
        while next <= table.forgottenSequence {
            let packs = try packs(from: next, limit: 1000, in: table)
            if packs.contains(where: { $0.marks == nil }) { return true }
            guard let last = packs.last else { break }
            next = last.sequence + 1
        }
        return false
    }
}

/// Checks the records of a table, one after the other.
private struct RecordCheck {
    let table: TableRow
    let name: TableName
    private var sequences: Set<Int64> = []
    /// The usage of the records so far.
    private(set) var usage = TableUsage()

    init(table: TableRow, name: TableName) {
        self.table = table
        self.name = name
    }

    mutating func problems(of columns: any RecordColumns) -> [String] {
        let row = RecordRow(columns)
        usage = usage + row.usage
        var problems: [String] = []
        let sequence = row.version.sequence
        if sequence > table.sequence || sequence < 1 {
            problems.append("its version is newer than its table")
        }
        if !sequences.insert(sequence).inserted {
            problems.append("another record has the same position in the change feed")
        }
        if !(row.foldedID ?? row.id).isSameBytes(as: row.id.lowercased()) {
            problems.append("its folded id is wrong")
        }
        if TodoID.problem(with: row.id) != nil { problems.append("its id is not valid") }
        if row.mapping() == nil { problems.append("its fields can't be read") }
        if let layout = row.layout, RecordRow.value(of: layout) == nil {
            problems.append("its text and path can't be read")
        }
        return problems.map { "\(name.string): \(row.id): \($0)" }
    }
}
