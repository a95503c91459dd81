internal import TodoModel

/// Shares reads among the tasks that wait for the same changes, so that a write that wakes thousands of tasks
/// costs only a few reads.
///
/// A read answers only the tasks that asked before it began, so no answer is older than its request.
actor SharedReads {
    /// What a task asks for.
    struct Request: Hashable {
        var table: TableName
        var cursor: Cursor?
        var pageSize: Int
        var pageByteSize: Int
    }

    typealias Answer = (page: StoredChangePage, sequence: Int64)

    /// The tasks that wait for the next read of a request; nil for a request that isn't being read.
    private(set) var waiting: [Request: [CheckedContinuation<Answer, any Error>]] = [:]

    /// Returns the answer to a request.
    ///
    /// - Parameter read: Reads the answer. Later tasks with the same request get their answers from it, too.
    func answer(
        to request: Request, _ read: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            let isBeingRead = waiting[request] != nil
            waiting[request, default: []].append(continuation)
            // This is not part of the first task: cancelling that task must not affect the others.
            if !isBeingRead { Task { await answerAll(request, read) } }
        }
    }

    private func answerAll(
        _ request: Request, _ read: @Sendable () async throws -> Answer
    ) async {
        while let tasks = waiting[request], !tasks.isEmpty {
            waiting[request] = []
            do {
                let answer = try await read()
                for task in tasks { task.resume(returning: answer) }
            } catch {
                for task in tasks { task.resume(throwing: error) }
            }
        }
        waiting[request] = nil
    }
}
