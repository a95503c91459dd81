internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A batch of a remote's changes that are applied together.
struct RecordBatch: Sendable {
    var records: [ReadRecord] = []
    /// The cursor to continue from: with the next batch, or after the last one, with the next pull.
    var next: Cursor?
    var isLast = false

    /// The numbers of records and of bytes of texts that complete a batch, so that no page is added.
    private static let (largeCount, largeSize) = (8000, 16 << 20)
    /// The assumed size of a record without a text.
    private static let unknownSize = 16 << 10

    /// Reads whole pages of changes after a cursor, until they have a minimum number of records.
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
                throw RemoteError.badAnswer(url: connection.url, reason: "its list of changes does not end")
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
    /// It is twice as large, up to a limit: the first batch comes soon, and each batch costs the time to
    /// write it to the disk.
    static func read(from connection: Connection, following batch: RecordBatch) async throws -> RecordBatch {
        try await read(
            from: connection, after: batch.next, atLeast: min(2 * batch.records.count, largeCount))
    }
}

/// A record with everything that can be found out about it without the folder.
struct ReadRecord: Sendable {
    /// The todo's id; nil if the string isn't a valid id.
    let id: TodoID?
    let version: Version
    let isDeleted: Bool
    private let content: Content

    private enum Content {
        case todo(IncomingTodo)
        /// A record that doesn't contain everything needed.
        case record(RemoteRecord)
    }

    init(_ record: RemoteRecord) {
        id = TodoID(record.id)
        version = record.version
        isDeleted = record.isDeleted
        content = incomingTodo(record).map(Content.todo) ?? .record(record)
    }

    /// The todo's path on the remote, if a text came with it.
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
