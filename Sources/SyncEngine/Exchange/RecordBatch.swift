internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A batch of remote changes, which are applied together.
struct RecordBatch: Sendable {
    var records: [ReadRecord] = []
    /// The cursor after the batch, for the next batch or the next pull.
    var next: Cursor?
    var isLast = false
    /// The number of records from this batch on; nil if the remote didn't count them.
    var total: Int?

    /// The number of records, and of bytes of text, that completes a batch.
    private static let (largeCount, largeSize) = (8000, 16 << 20)
    /// The assumed size of a record without a text.
    private static let unknownSize = 16 << 10

    /// Reads whole pages of changes after a cursor, until there is a minimum number of records.
    static func read(
        from connection: Connection, after cursor: Cursor?, atLeast count: Int = 1
    ) async throws -> RecordBatch {
        var batch = RecordBatch(next: cursor)
        var size = 0
        repeat {
            let page = try await connection.changes(after: batch.next)
            batch.total = batch.total ?? page.total
            size += page.records.reduce(0) { $0 + ($1.layout?.yaml?.utf8.count ?? unknownSize) }
            batch.records += page.records.lazy.map { ReadRecord($0) }
            batch.next = page.next
            batch.isLast = page.isLast
        } while !batch.isLast && batch.records.count < count && size < largeSize
        return batch
    }

    /// Reads the batch that follows another one.
    ///
    /// It is twice as large, up to a limit: the first batch should arrive soon, but each batch costs a write
    /// to disk.
    static func read(from connection: Connection, following batch: RecordBatch) async throws -> RecordBatch {
        try await read(
            from: connection, after: batch.next, atLeast: min(2 * batch.records.count, largeCount))
    }
}

extension Connection {
    /// Returns a page of the remote's changes after a cursor.
    func changes(after cursor: Cursor?) async throws -> ChangePage {
        let page: ChangePage
        do {
            page = try await remote.changes(after: cursor)
        } catch RemoteError.otherHistory {
            throw EngineError.otherHistory(url: url)
        }
        if !page.isLast, page.next == cursor {
            throw RemoteError.badResponse(url: url, reason: "its list of changes does not end")
        }
        return page
    }
}

/// A record that was checked as far as possible without the folder.
struct ReadRecord: Sendable {
    /// The todo's id; nil if the record's id isn't valid.
    let id: TodoID?
    let version: Version
    let isDeleted: Bool
    private let content: Content

    private enum Content {
        case todo(IncomingTodo)
        /// A record that needs the base version or the local file to become a todo.
        case record(RemoteRecord)
    }

    init(_ record: RemoteRecord) {
        id = TodoID(record.id)
        version = record.version
        isDeleted = record.isDeleted
        content = incomingTodo(record).map(Content.todo) ?? .record(record)
    }

    /// The todo's path on the remote, if the record has a text.
    var path: String? {
        if case .todo(.usable(_, let remote, _)) = content { remote.todo?.path } else { nil }
    }

    func todo(base: RemoteState?, local: @autoclosure () -> Todo?) -> IncomingTodo {
        switch content {
        case .todo(let materialized): materialized
        case .record(let record): incomingTodo(record, workedInto: base, local())
        }
    }
}
