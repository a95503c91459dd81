internal import Synchronization

/// Wakes the tasks that wait for changes to a store's tables.
///
/// Writes of this process wake them at once. While a table is watched, polls find the writes of other
/// processes.
package final class TableWatch: Sendable {
    fileprivate struct Waiting {
        let sequence: Int64
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    fileprivate struct Watched {
        /// The number of tasks that watch the table.
        var count = 0
        /// The newest sequence that is known to be written; 0 before the first write.
        var sequence: Int64 = 0
        var waiting: [Int: Waiting] = [:]
    }

    fileprivate struct State {
        var tables: [TableName: Watched] = [:]
        var lastNumber = 0
        var wakeCount = 0
        var isPolling = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let engine: any StoreEngine

    /// The time between two checks of all deadlines, and before a retry if the writes of other processes
    /// can't be read.
    private static let interval = Duration.milliseconds(500)

    init(engine: any StoreEngine) { self.engine = engine }

    /// Runs work that waits for changes to a table.
    ///
    /// Writes after the start of the work are detected, even if the work isn't waiting yet.
    func watching<Result>(_ name: TableName, _ work: () async throws -> Result) async throws -> Result {
        let startsPoll = state.withLock { state in
            state.tables[name, default: Watched()].count += 1
            defer { state.isPolling = true }
            return !state.isPolling
        }
        defer {
            state.withLock { state in
                state.tables[name]?.count -= 1
                if state.tables[name]?.count == 0 { state.tables[name] = nil }
            }
        }
        if startsPoll { Task { await poll() } }
        return try await work()
    }

    /// Returns the time at the end of a wait that begins now.
    func deadline(in time: Duration) -> ContinuousClock.Instant { ContinuousClock.now + time }

    /// Waits until a watched table might have changes after a sequence.
    ///
    /// - Returns: Whether to wait again if the table has no changes; false after the deadline or ``end()``.
    func wait(
        for name: TableName, after sequence: Int64, until deadline: ContinuousClock.Instant
    ) async -> Bool {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // If the task was cancelled before, nothing would resume the continuation.
                    guard !state.hasEnded, !Task.isCancelled, let table = state.tables[name],
                        table.sequence <= sequence
                    else { return false }
                    state.tables[name]?.waiting[number] = Waiting(
                        sequence: sequence, deadline: deadline, continuation: continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.tables[name]?.waiting.removeValue(forKey: number) }?.continuation.resume()
        }
        return !hasEnded && ContinuousClock.now < deadline
    }

    /// Records a committed write, and wakes the tasks that wait for it.
    func wrote(_ name: TableName, sequence: Int64) {
        resume {
            guard let newest = $0.tables[name]?.sequence, newest < sequence else { return [] }
            $0.tables[name]?.sequence = sequence
            let woken = $0.takeWaiting(for: name) { $0.sequence < sequence }
            $0.wakeCount += woken.count
            return woken
        }
    }

    /// Wakes all waiting tasks, and makes later waits return at once, because the server is shutting down.
    package func end() {
        resume {
            $0.hasEnded = true
            return $0.takeAllWaiting()
        }
    }

    /// The number of tables that tasks watch.
    package var tableCount: Int { state.withLock(\.tables.count) }

    /// The number of times that a write has woken a task.
    package var wakeCount: Int { state.withLock(\.wakeCount) }

    /// Whether ``end()`` was called, so that no task waits any more.
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Resumes the waiting tasks that a change to the state returns.
    private func resume(_ change: (inout sending State) -> [Waiting]) {
        for waiting in state.withLock({ change(&$0) }) { waiting.continuation.resume() }
    }

    /// Looks for the writes of other processes and for passed deadlines, as long as any table is watched.
    private func poll() async {
        var nextDeadlines = ContinuousClock.now + Self.interval
        while true {
            let isNeeded = state.withLock { state in
                if state.tables.isEmpty { state.isPolling = false }
                return state.isPolling
            }
            if !isNeeded { return }
            do {
                let writes = try await engine.otherWrites { state.withLock { Array($0.tables.keys) } }
                for (name, sequence) in writes { wrote(name, sequence: sequence) }
            } catch {
                // Each waiting task reads the store again, and gets the error.
                resume { $0.takeAllWaiting() }
                try? await Task.sleep(for: Self.interval)
            }
            let now = ContinuousClock.now
            guard now >= nextDeadlines else { continue }
            nextDeadlines = now + Self.interval
            resume { $0.takeAllWaiting { $0.deadline <= now } }
        }
    }
}

extension TableWatch.State {
    /// Removes and returns the tasks that wait for a table and match a condition.
    fileprivate mutating func takeWaiting(
        for name: TableName, where isTaken: (TableWatch.Waiting) -> Bool
    ) -> [TableWatch.Waiting] {
        let taken = (tables[name]?.waiting ?? [:]).filter { isTaken($0.value) }
        for number in taken.keys { tables[name]?.waiting[number] = nil }
        return Array(taken.values)
    }

    /// Removes and returns the tasks that wait for any table and match a condition.
    fileprivate mutating func takeAllWaiting(
        where isTaken: (TableWatch.Waiting) -> Bool = { _ in true }
    ) -> [TableWatch.Waiting] {
        tables.keys.flatMap { takeWaiting(for: $0, where: isTaken) }
    }
}
