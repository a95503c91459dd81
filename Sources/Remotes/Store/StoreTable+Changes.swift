package import TodoModel

extension StoreTable {
    /// Returns whether a cursor has the format of a store's cursors, from any history.
    package static func isWellFormed(_ cursor: Cursor) -> Bool { FeedCursor(cursor) != nil }

    /// Checks that a cursor belongs to this table's history.
    /// - Throws: ``RemoteError/otherHistory``.
    package func verify(_ cursor: Cursor) async throws {
        try await read(.lookup) { [name] reader in
            _ = try ChangeFeed(of: name, after: cursor, reader)
        }
    }

    package func changes(after cursor: Cursor?) async throws -> ChangePage {
        let page = try await storedChanges(after: cursor)
        return ChangePage(
            records: page.records.map(\.record), next: page.next, isLast: page.isLast, total: page.total)
    }

    package func awaitChanges(after cursor: Cursor?, for time: Duration) async throws -> Bool? {
        var table = self
        table.pageSize = 0
        return try await !table.storedChanges(after: cursor, waiting: time).page.isLast
    }

    /// Returns the same page as ``changes(after:)``, with the records' times.
    package func storedChanges(after cursor: Cursor?) async throws -> StoredChangePage {
        try await storedChanges(after: cursor) { $0 }
    }

    /// Returns the result of work with the same page as ``changes(after:)``.
    ///
    /// The work is a part of the read. So only a few pages at a time are in memory.
    package func storedChanges<Result: Sendable>(
        after cursor: Cursor?, _ work: @escaping @Sendable (StoredChangePage) -> Result
    ) async throws -> Result {
        try await pageAndSequence(after: cursor) { page, _ in work(page) }
    }

    /// Returns the changes after a cursor with their text, or waits for the first change.
    ///
    /// The page is empty if there are still none at the end of the wait. Writing the text is a part of the
    /// read, which a client's tasks that wait for the same changes share.
    ///
    /// - Parameter form: What the text depends on besides the page.
    package func storedChanges(
        after cursor: Cursor?, waiting time: Duration, form: String = "",
        _ write: @escaping @Sendable (StoredChangePage) -> [UInt8] = { _ in [] }
    ) async throws -> WrittenChanges {
        let deadline = store.tableWatch.deadline(in: time)
        let request = SharedReads.Request(
            client: client, table: name, cursor: cursor, pageSize: pageSize, pageByteSize: pageByteSize,
            form: form)
        let read: @Sendable () async throws -> SharedReads.Answer = {
            try await pageAndSequence(after: cursor) { (WrittenChanges(page: $0, text: write($0)), $1) }
        }
        return try await store.tableWatch.watching(name) {
            while true {
                let (changes, sequence) = try await store.sharedReads.answer(to: request, read)
                guard changes.page.records.isEmpty, changes.page.isLast else { return changes }
                let canGoOn = await store.tableWatch.wait(for: name, after: sequence, until: deadline)
                try Task.checkCancellation()
                if !canGoOn { return try await read().changes }
            }
        }
    }

    private func pageAndSequence<Result: Sendable>(
        after cursor: Cursor?, _ work: @escaping @Sendable (StoredChangePage, _ sequence: Int64) -> Result
    ) async throws -> Result {
        try await read(.feed) { [name, pageSize, pageByteSize] reader in
            let feed = try ChangeFeed(of: name, after: cursor, reader)
            let page = try feed.page(size: pageSize, byteSize: pageByteSize)
            return work(page, feed.table?.sequence ?? 0)
        }
    }
}

/// A part of a table's changes.
package struct StoredChangePage: Sendable {
    package var records: [StoredRecord]
    /// The cursor for the next page; after the last page, the cursor for later changes.
    package var next: Cursor
    package var isLast: Bool
    /// The number of all records, if this is the first of several pages.
    package var total: Int?
}

/// A part of a table's changes, and its text for clients.
package struct WrittenChanges: Sendable {
    package var page: StoredChangePage
    package var text: [UInt8]
}

/// A table's records after a cursor, in the order of their last writes, as one transaction sees them.
struct ChangeFeed {
    /// The table's row; nil before the table's first write.
    let table: TableRow?
    let start: FeedCursor
    let reader: any StoreReader

    /// Checks that the cursor belongs to the table's history.
    ///
    /// - Parameter cursor: The cursor; nil for the beginning of the feed.
    /// - Throws: ``RemoteError/otherHistory``.
    init(of name: TableName, after cursor: Cursor?, _ reader: any StoreReader) throws {
        self.reader = reader
        guard let start = cursor.map({ FeedCursor($0) }) ?? .beginning else { throw RemoteError.otherHistory }
        self.start = start
        if start == .beginning {
            table = try reader.table(named: name)
        } else {
            let found = try reader.table(named: name, markAt: start.sequence)
            guard let found, found.mark == start.mark else { throw RemoteError.otherHistory }
            table = found.table
        }
    }

    func page(size: Int, byteSize: Int) throws -> StoredChangePage {
        let (rows, isLast) = try rows(limit: size, byteLimit: byteSize)
        let next = try rows.last.map { try FeedCursor(at: $0.version.sequence, in: table, reader) } ?? start
        return StoredChangePage(
            records: rows.map { StoredRecord($0) }, next: next.cursor, isLast: isLast,
            total: isLast || start != .beginning || size == 0 ? nil : try count())
    }

    /// Counts all records.
    private func count() throws -> Int? {
        guard let table else { return nil }
        return try reader.recordCount(in: table, within: .none)
    }

    /// Returns rows until they reach a number of rows or a size in bytes, and whether no rows follow them.
    private func rows(limit: Int, byteLimit: Int) throws -> (rows: [RecordRow], areAll: Bool) {
        guard let table, table.sequence > start.sequence else { return ([], true) }
        var rows: [RecordRow] = []
        var bytes = 0
        var areAll = true
        try reader.forEachRecord(
            in: table, within: .after(sequence: start.sequence), by: .version(isDescending: false),
            expecting: limit + 1
        ) { columns in
            guard rows.count < limit, bytes < byteLimit else {
                areAll = false
                return false
            }
            let row = RecordRow(columns)
            bytes += row.size
            rows.append(row)
            return true
        }
        return (rows, areAll)
    }
}
