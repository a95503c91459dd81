internal import Platform
internal import TodoModel

/// Combines writes that arrive during a transaction into the next one, so that they wait for the disk
/// together.
///
/// Each caller's writes are applied in order, without other writes to the table in between, and the callers
/// of a table are served in order, too.
actor WriteCombiner {
    private struct Waiting {
        let job: WriteJob
        let continuation: CheckedContinuation<WriteResults, any Error>
    }

    private var waiting: [Waiting] = []
    private var runningCount = 0
    private var transactionCount = 0
    private var writeCount = 0
    /// The tables of the running transactions.
    private var busyTables: Set<TableName> = []
    /// The tables that another server had locked; the next transaction of each one waits for its lock.
    private var contendedTables: Set<TableName> = []

    /// The number of writes that closes a transaction to more callers, so the first callers don't wait long.
    private static let transactionSize = 1000

    /// Applies a caller's writes, and returns when they are durable.
    func results(of job: WriteJob, store: Store) async throws -> WriteResults {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append(Waiting(job: job, continuation: continuation))
            startTransactions(store)
        }
    }

    /// Returns the numbers of completed transactions and writes, and of waiting writes.
    func figures() -> StoreFigures {
        StoreFigures(
            transactions: transactionCount, writes: writeCount,
            waitingWrites: Self.writeCount(of: waiting))
    }

    private static func writeCount(of jobs: [Waiting]) -> Int {
        jobs.reduce(0) { $0 + $1.job.writes.count }
    }

    private func startTransactions(_ store: Store) {
        while runningCount < store.engine.writerCount {
            let jobs = takeJobs()
            if jobs.isEmpty { return }
            runningCount += 1
            // This is not part of the first caller's task: cancelling that task must not affect the others.
            Task(executorPreference: WorkThreads.current) { await self.run(jobs, store) }
        }
    }

    private func run(_ jobs: [Waiting], _ store: Store) async {
        do {
            let skipped = try await apply(jobs, in: store)
            transactionCount += 1
            writeCount += Self.writeCount(of: jobs) - Self.writeCount(of: skipped)
            contendedTables.subtract(jobs.map(\.job.table))
            contendedTables.formUnion(skipped.map(\.job.table))
            waiting = skipped + waiting
        } catch {
            await failed(jobs, error, in: store)
        }
        busyTables.subtract(jobs.map(\.job.table))
        runningCount -= 1
        startTransactions(store)
    }

    /// Removes and returns the jobs of the next transaction; empty if all jobs have to wait.
    private func takeJobs() -> [Waiting] {
        guard let first = waiting.first(where: { !busyTables.contains($0.job.table) }) else { return [] }
        // A transaction that waits for a lock contains only one table, so it doesn't delay other tables.
        let contended = contendedTables.contains(first.job.table) ? first.job.table : nil
        var (taken, left): ([Waiting], [Waiting]) = ([], [])
        var size = 0
        for waiting in waiting {
            let table = waiting.job.table
            let suits = contended == nil ? !contendedTables.contains(table) : contended == table
            // The callers of a table stay in order.
            guard size < Self.transactionSize, suits, !busyTables.contains(table) else {
                left.append(waiting)
                continue
            }
            taken.append(waiting)
            size += waiting.job.writes.count
        }
        waiting = left
        busyTables.formUnion(taken.map(\.job.table))
        return taken
    }

    /// Applies jobs in one transaction, and returns those whose tables other servers have locked.
    private func apply(_ jobs: [Waiting], in store: Store) async throws -> [Waiting] {
        let work = jobs.map(\.job)
        let results = try await store.write(work) { writer, locked in
            try work.map { locked.contains($0.table) ? try store.apply($0, with: writer) : nil }
        }
        var skipped: [Waiting] = []
        for (job, results) in zip(jobs, results) {
            guard let results else {
                skipped.append(job)
                continue
            }
            store.tableWatch.wrote(job.job.table, sequence: results.sequence)
            job.continuation.resume(returning: results)
        }
        return skipped
    }

    /// Tries each caller's writes separately after they failed together.
    ///
    /// A disk that is too full for one caller's writes can have room for the others. Writes that already
    /// waited for another process in vain don't wait again.
    private func failed(_ jobs: [Waiting], _ error: any Error, in store: Store) async {
        for job in jobs {
            guard jobs.count > 1, (error as? RemoteError)?.isUnavailable != true else {
                job.continuation.resume(throwing: error)
                continue
            }
            do {
                waiting += try await apply([job], in: store)
            } catch {
                job.continuation.resume(throwing: error)
            }
        }
    }
}

/// Statistics about the work of a store, for its administrator.
package struct StoreFigures: Sendable {
    /// The number of transactions that have written something.
    package var transactions: Int
    /// The number of writes in these transactions.
    package var writes: Int
    /// The number of writes that wait for a transaction.
    package var waitingWrites: Int
    package var connections = ConnectionCounts()
    package var replicaReads = ReplicaReads()
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
        func end() throws -> FeedCursor { try FeedCursor(endOf: writer.table(named: job.table), writer) }
        let start = job.asksForPart ? try end() : nil
        var transaction = try WriteTransaction(
            table: job.table, writer: writer, quota: quota, now: surroundings.now(),
            randomBytes: surroundings.randomBytes(WriteTransaction.randomBytes(for: job.writes.count)),
            answerSize: job.answerSize)
        let outcomes = try job.writes.map { try transaction.outcome(of: $0) }
        try transaction.finish()
        let part = try start.flatMap { HistoryPart(from: $0, to: try end()) }
        return WriteResults(outcomes: outcomes, part: part, sequence: transaction.sequence)
    }
}
