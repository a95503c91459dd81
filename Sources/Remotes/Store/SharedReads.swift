internal import TodoModel

/// Shares reads among a client's tasks that wait for the same changes, so that a write that wakes thousands
/// of tasks costs only a few reads.
///
/// A read answers only the tasks that asked before it began, so no answer is older than its request.
actor SharedReads {
    /// What a task asks for.
    struct Request: Hashable {
        /// The client, because the read takes one of its connections and waits for its other reads.
        var client: String?
        var table: TableName
        var cursor: Cursor?
        var pageSize: Int
        var pageByteSize: Int
        /// What the text depends on besides the page.
        var form: String
    }

    typealias Answer = (changes: WrittenChanges, sequence: Int64)

    /// The reads that tasks wait for, with the number of these tasks.
    private(set) var reads: [Request: (lookup: CombinedLookup<Request, Answer>, taskCount: Int)] = [:]

    /// Returns the answer to a request.
    ///
    /// - Parameter read: Reads the answer. Later tasks with the same request get their answers from it, too.
    func answer(
        to request: Request, _ read: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let (lookup, taskCount) = reads[request] ?? (CombinedLookup { _ in try await read() }, 0)
        reads[request] = (lookup, taskCount + 1)
        defer {
            reads[request]?.taskCount -= 1
            if reads[request]?.taskCount == 0 { reads[request] = nil }
        }
        return try await lookup.answer(for: [request])
    }
}
