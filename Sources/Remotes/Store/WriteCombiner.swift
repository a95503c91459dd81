internal import TodoModel

/// Combines writes that arrive during a transaction into the next one, so that they wait for the disk
/// together.
///
/// Each caller's writes are applied in order, without other writes in between, and callers are served in
/// order, too.
actor WriteCombiner {
    private struct Waiting {
        let job: WriteJob
        let continuation: CheckedContinuation<WriteResults, any Error>
    }

    private var waiting: [Waiting] = []
    private var isRunning = false

    /// The number of writes that closes a transaction to more callers, so the first callers don't wait long.
    private static let transactionSize = 1000

    /// Applies a caller's writes, and returns when they are durable.
    func results(of job: WriteJob, store: Store) async throws -> WriteResults {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append(Waiting(job: job, continuation: continuation))
            if isRunning { return }
            isRunning = true
            // This is not part of the first caller's task: cancelling that task must not affect the others.
            Task { await run(store) }
        }
    }

    private func run(_ store: Store) async {
        while !waiting.isEmpty {
            let jobs = takeJobs()
            do {
                try await apply(jobs, in: store)
            } catch {
                await failed(jobs, error, in: store)
            }
        }
        isRunning = false
    }

    private func takeJobs() -> [Waiting] {
        var size = 0
        let count = waiting.prefix { waiting in
            defer { size += waiting.job.writes.count }
            return size < Self.transactionSize
        }.count
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    private func apply(_ jobs: [Waiting], in store: Store) async throws {
        let work = jobs.map(\.job)
        let results = try await store.write { writer in
            try work.map { try store.apply($0, with: writer) }
        }
        for (job, results) in zip(jobs, results) {
            store.tableWatch.wrote(job.job.table, sequence: results.sequence)
            job.continuation.resume(returning: results)
        }
    }

    /// Tries each caller's writes separately after they failed together.
    ///
    /// A disk that is too full for one caller's writes can have room for the others. Writes that already
    /// waited for another process in vain don't wait again.
    private func failed(_ jobs: [Waiting], _ error: any Error, in store: Store) async {
        let isBusy = error as? RemoteError == .store(.busy(path: store.path))
        for job in jobs {
            guard jobs.count > 1, !isBusy else {
                job.continuation.resume(throwing: error)
                continue
            }
            do {
                try await apply([job], in: store)
            } catch {
                job.continuation.resume(throwing: error)
            }
        }
    }
}

/// The writes of one caller to one table.
struct WriteJob: Sendable {
    let table: TableName
    let writes: [PreparedWrite]
    /// Whether the caller requests the part of the history that the writes create.
    let asksForPart: Bool
    /// The maximum total size, in bytes, of the returned records; once it is reached, no more writes are
    /// applied.
    let answerSize: Int
}

/// The result of a ``WriteJob``.
struct WriteResults: Sendable {
    var outcomes: [WriteOutcome]
    /// The part of the table's history that the writes created, if it was requested; nil if they didn't
    /// create any.
    var part: HistoryPart?
    /// The table's last sequence after the writes; 0 if there were none.
    var sequence: Int64 = 0
}

extension Store {
    /// Applies writes to one table in a write transaction.
    fileprivate func apply(_ job: WriteJob, with writer: any StoreWriter) throws -> WriteResults {
        func end() throws -> FeedCursor {
            try ChangeFeed(table: writer.table(named: job.table), reader: writer).end()
        }
        let start = job.asksForPart ? try end() : nil
        var transaction = try WriteTransaction(
            table: job.table, writer: writer, now: surroundings.now(),
            randomBytes: surroundings.randomBytes(WriteTransaction.randomBytes(for: job.writes.count)),
            answerSize: job.answerSize)
        let outcomes = try job.writes.map { try transaction.outcome(of: $0) }
        try transaction.finish()
        let part = try start.flatMap { HistoryPart(from: $0, to: try end()) }
        return WriteResults(outcomes: outcomes, part: part, sequence: transaction.sequence)
    }
}
