internal import LosslessYAML
internal import SQLite

/// Writes the rows of another store to SQLite.
struct SQLiteImporter: StoreImporter {
    let rows: SQLiteRows

    func state() throws -> StoreState { try rows.state() }

    /// SQLite has locked the whole database, so no other write is running.
    func exchange(_ state: StoreState) throws -> StoreState {
        let previous = try rows.state()
        let columns = state.columns
        try SQLStatement("UPDATE store SET state = ?, moved_to = ?", in: rows.database)
            .run(.string(columns.state), columns.movedTo.map { .string($0) } ?? .null)
        return previous
    }

    func put(_ table: TableRow, named name: TableName) throws -> TableRow {
        var changed = table
        changed.key = try (rows.table(named: name) ?? rows.insertTable(named: name)).key
        try rows.update(changed, after: nil)
        return changed
    }

    func put(_ records: [RecordRow], in table: TableRow) throws {
        for record in records {
            if let known = try rows.record(id: record.id, in: table) {
                var changed = record
                changed.key = known.key
                try rows.update(changed, in: table)
            } else {
                try rows.insert(record, in: table)
            }
        }
    }

    func put(_ operations: [OperationRow], in table: TableRow) throws {
        for row in operations { _ = try rows.insert(row.operation, id: row.id.string, in: table) }
    }

    func put(_ marks: [HistoryMark], in table: TableRow) throws {
        for mark in marks where try rows.mark(at: mark.sequence, in: table) != mark {
            try rows.insert(mark, in: table)
        }
    }

    func forget(through sequence: Int64, in table: TableRow) throws {
        try rows.retention.forget(through: sequence, in: table)
        try rows.retention.deleteOperations(through: sequence, in: table)
    }

    func put(_ keys: [KeyRow]) throws {
        try deleteKeys(named: keys.map(\.name))
        for key in keys { _ = try rows.insert(key) }
    }

    func deleteKeys(named names: [String]) throws {
        for name in names { _ = try rows.deleteKey(named: name) }
    }
}
