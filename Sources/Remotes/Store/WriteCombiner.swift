internal import GRDB
internal import TodoModel

/// Lets writes that arrive while a transaction runs share the next one, and its wait for the disk.
///
/// Each caller's writes are carried out in their order, with no other's between them; those of callers that
/// wait for one another are in the order in which they came.
actor WriteCombiner {
    private struct Job {
        let table: TableName
        let writes: [PreparedWrite]
        let answerSize: Int
        let continuation: CheckedContinuation<[WriteOutcome], any Error>
    }

    private var waiting: [Job] = []
    private var isRunning = false

    /// The writes after which a transaction takes no more callers in, so that the first do not wait long.
    private static let transactionSize = 1000

    /// Carries out writes to one table, and returns when they are durable.
    func outcomes(
        of writes: [PreparedWrite], table: TableName, answerSize: Int, store: Store
    ) async throws -> [WriteOutcome] {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append(
                Job(table: table, writes: writes, answerSize: answerSize, continuation: continuation))
            if isRunning { return }
            isRunning = true
            // Not a part of the first caller's task: its cancellation is not that of the others.
            Task { await run(store) }
        }
    }

    private func run(_ store: Store) async {
        while !waiting.isEmpty {
            let jobs = takeJobs()
            do {
                try await carryOut(jobs, in: store)
            } catch {
                await failed(jobs, error, in: store)
            }
        }
        isRunning = false
    }

    private func takeJobs() -> [Job] {
        var size = 0
        let count = waiting.prefix { job in
            defer { size += job.writes.count }
            return size < Self.transactionSize
        }.count
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }

    private func carryOut(_ jobs: [Job], in store: Store) async throws {
        let work = jobs.map { ($0.table, $0.writes, $0.answerSize) }
        let outcomes = try await store.write { database in
            try work.map { table, writes, answerSize in
                try store.carryOut(writes, table: table, answerSize: answerSize, in: database)
            }
        }
        for (job, outcomes) in zip(jobs, outcomes) { job.continuation.resume(returning: outcomes) }
    }

    /// Tries each caller's writes by themselves after they failed together.
    ///
    /// A disk that is too full for one may have room for the others. Who waited for another process in vain
    /// does not wait again.
    private func failed(_ jobs: [Job], _ error: any Error, in store: Store) async {
        let isBusy = error as? RemoteError == StoreError.busy(path: store.path).remoteError
        for job in jobs {
            guard jobs.count > 1, !isBusy else {
                job.continuation.resume(throwing: error)
                continue
            }
            do {
                try await carryOut([job], in: store)
            } catch {
                job.continuation.resume(throwing: error)
            }
        }
    }
}

extension Store {
    /// Carries out writes to one table inside a write transaction.
    fileprivate func carryOut(
        _ writes: [PreparedWrite], table: TableName, answerSize: Int, in database: Database
    ) throws -> [WriteOutcome] {
        var transaction = try WriteTransaction(
            table: table, database: database, now: surroundings.now(),
            randomBytes: surroundings.randomBytes(WriteTransaction.randomBytes(for: writes.count)),
            identity: identityBytes, answerSize: answerSize)
        let outcomes = try writes.map { try transaction.outcome(of: $0) }
        try transaction.finish()
        return outcomes
    }
}
