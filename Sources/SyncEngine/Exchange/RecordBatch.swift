internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Some of a remote's changes, as many as are brought in at once.
struct RecordBatch: Sendable {
    var records: [ReadRecord] = []
    /// Where the next batch goes on; with the last one where to look for news next time.
    var next: Cursor?
    var isLast = false

    /// From how many records on, and from how many bytes of texts on, no page is added.
    private static let (largeCount, largeSize) = (8000, 16 << 20)
    /// What a record without a text counts as.
    private static let unknownSize = 16 << 10

    /// Reads the changes after a cursor: whole pages, until they are a number of records.
    static func read(
        from connection: Connection, after cursor: Cursor?, atLeast count: Int = 1
    ) async throws -> RecordBatch {
        var batch = RecordBatch(next: cursor)
        var size = 0
        repeat {
            let page: ChangePage
            do {
                page = try await connection.remote.changes(after: batch.next)
            } catch RemoteError.otherHistory {
                throw EngineError.otherHistory(url: connection.url)
            }
            if !page.isLast, page.next == batch.next {
                throw RemoteError.unavailable("its list of changes does not end")
            }
            size += page.records.reduce(0) { $0 + ($1.layout?.yaml?.utf8.count ?? unknownSize) }
            batch.records += page.records.lazy.map { ReadRecord($0) }
            batch.next = page.next
            batch.isLast = page.isLast
        } while !batch.isLast && batch.records.count < count && size < largeSize
        return batch
    }

    /// Reads the batch after another one.
    ///
    /// It is twice as large, up to a bound: the first one comes soon, and a batch costs what it takes to have
    /// it on the disk.
    static func read(from connection: Connection, following batch: RecordBatch) async throws -> RecordBatch {
        try await read(
            from: connection, after: batch.next, atLeast: min(2 * batch.records.count, largeCount))
    }
}

/// A record with what could be found out about it without looking at the folder.
struct ReadRecord: Sendable {
    /// Nil for a string that is none.
    let id: TodoID?
    let version: Version
    let isDeleted: Bool
    private let content: Content

    private enum Content {
        case todo(IncomingTodo)
        /// One that does not have all that is needed.
        case record(RemoteRecord)
    }

    init(_ record: RemoteRecord) {
        id = TodoID(record.id)
        version = record.version
        isDeleted = record.isDeleted
        content = incomingTodo(record).map(Content.todo) ?? .record(record)
    }

    /// The todo's path on the remote, where a text came with it.
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
