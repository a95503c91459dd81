internal import GRDB
package import TodoModel

extension StoreTable {
    /// Returns whether a cursor has the format of a store's cursors, from any history.
    package static func isWellFormed(_ cursor: TodoModel.Cursor) -> Bool { FeedCursor(cursor) != nil }

    /// Checks that a cursor belongs to this table's history.
    /// - Throws: ``RemoteError/otherHistory``.
    package func verify(_ cursor: TodoModel.Cursor) async throws {
        try await store.read { [name] database in
            let feed = ChangeFeed(table: try TableRow.find(name, in: database), database: database)
            _ = try feed.checked(cursor)
        }
    }

    package func changes(after cursor: TodoModel.Cursor?) async throws -> ChangePage {
        let page = try await storedChanges(after: cursor)
        return ChangePage(
            records: page.records.map(\.record), next: page.next, isLast: page.isLast, total: page.total)
    }

    package func awaitChanges(after cursor: TodoModel.Cursor?, for time: Duration) async throws -> Bool? {
        var table = self
        table.pageSize = 0
        return try await !table.storedChanges(after: cursor, waiting: time).isLast
    }

    /// Returns the same page as ``changes(after:)``, with the records' times.
    package func storedChanges(after cursor: TodoModel.Cursor?) async throws -> StoredChangePage {
        try await pageAndSequence(after: cursor).page
    }

    /// Returns the changes after a cursor; if there are none, waits for some.
    ///
    /// The page is empty if there are still none at the end of the wait.
    package func storedChanges(
        after cursor: TodoModel.Cursor?, waiting time: Duration
    ) async throws -> StoredChangePage {
        return try await store.tableWatch.watching(name) {
            let (page, sequence) = try await pageAndSequence(after: cursor)
            guard page.records.isEmpty, page.isLast else { return page }
            await store.tableWatch.wait(for: name, after: sequence, atMost: time)
            try Task.checkCancellation()
            return try await storedChanges(after: cursor)
        }
    }

    private func pageAndSequence(
        after cursor: TodoModel.Cursor?
    ) async throws -> (page: StoredChangePage, sequence: Int64) {
        try await store.read { [name, pageSize, pageByteSize] database in
            let table = try TableRow.find(name, in: database)
            let page = try ChangeFeed(table: table, database: database)
                .page(after: cursor, size: pageSize, byteSize: pageByteSize)
            return (page, table?.sequence ?? 0)
        }
    }
}

/// A part of a table's changes.
package struct StoredChangePage: Sendable {
    package var records: [StoredRecord]
    /// The cursor for the next page; after the last page, the cursor for later changes.
    package var next: TodoModel.Cursor
    package var isLast: Bool
    /// The number of all records, if this is the first of several pages.
    package var total: Int?
}

/// A table's records in the order of their last writes, as one transaction sees them.
struct ChangeFeed {
    /// The table's row; nil before the table's first write.
    let table: TableRow?
    let database: Database

    func page(after cursor: TodoModel.Cursor?, size: Int, byteSize: Int) throws -> StoredChangePage {
        let start = try cursor.map(checked) ?? .beginning
        let (rows, isLast) = try rows(after: start.sequence, limit: size, byteLimit: byteSize)
        let next = try rows.last.map { try self.cursor(at: $0.version.sequence) } ?? start
        return StoredChangePage(
            records: rows.map { StoredRecord($0) }, next: next.cursor, isLast: isLast,
            total: isLast || cursor != nil || size == 0 ? nil : try count())
    }

    /// Counts all records.
    private func count() throws -> Int? {
        guard let table else { return nil }
        return try SQLStatement("SELECT count(*) FROM record WHERE todo_table = ?", in: database).first(
            .integer(table.key)
        ) { Int($0.integer(0)) }
    }

    /// Returns rows until they reach a number of rows or a size in bytes, and whether no rows follow them.
    private func rows(
        after sequence: Int64, limit: Int, byteLimit: Int
    ) throws -> (rows: [RecordRow], areAll: Bool) {
        guard let table else { return ([], true) }
        let statement = try SQLStatement(
            """
            SELECT \(RecordRow.columns) FROM record
            WHERE todo_table = ? AND version > ? ORDER BY version
            """, in: database)
        var rows: [RecordRow] = []
        var bytes = 0
        var areAll = true
        try statement.forEach(
            .integer(table.key), .integer(RecordVersion.last(ofSequence: sequence).bits)
        ) { row in
            guard rows.count < limit, bytes < byteLimit else {
                areAll = false
                return false
            }
            let row = RecordRow(row)
            bytes += row.fields.count + (row.layout?.count ?? 0)
            rows.append(row)
            return true
        }
        return (rows, areAll)
    }

    /// Returns the cursor at a sequence, with the mark of its transaction.
    private func cursor(at sequence: Int64) throws -> FeedCursor {
        guard let table, sequence > 0 else { return .beginning }
        let statement = try SQLStatement(
            "SELECT sequence, mark FROM history WHERE todo_table = ? AND sequence >= ? ORDER BY sequence LIMIT 1",
            in: database)
        let mark = try statement.first(.integer(table.key), .integer(sequence)) {
            HistoryMark(sequence: $0.integer(0), random: $0.integer(1))
        }
        return FeedCursor(sequence: sequence, mark: mark)
    }

    /// Returns the cursor after the last write.
    func end() throws -> FeedCursor { try cursor(at: table?.sequence ?? 0) }

    /// Returns a cursor's position, after checking that it belongs to this table's history.
    func checked(_ cursor: TodoModel.Cursor) throws -> FeedCursor {
        guard let position = FeedCursor(cursor) else { throw RemoteError.otherHistory }
        if position == .beginning { return position }
        guard try self.cursor(at: position.sequence) == position else { throw RemoteError.otherHistory }
        return position
    }
}
