internal import CSQLite
internal import Synchronization

/// Shares a database's write lock with other processes.
///
/// SQLite doesn't wake a process that waits for the lock, so the process tries again each millisecond. A
/// process that writes one transaction after the other leaves too little time between them for this. So as
/// long as others want the lock, it pauses before its next transaction.
package final class SQLTurns: Sendable {
    private struct State {
        /// The time when the current wait for the lock began.
        var waitBegin = ContinuousClock.now
        /// The last time when another process had the lock.
        var lastConflict: ContinuousClock.Instant?
        /// The time when the last transaction ended.
        var lastEnd = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// The time between two tries, in milliseconds.
    private static let interval: CInt = 1
    /// The time that a transaction leaves to others: long enough for one of their tries.
    private static let pause = Duration.milliseconds(2)
    /// How long others are expected to want the lock after they had it.
    private static let memory = Duration.seconds(1)

    package init() {}

    /// Makes a connection wait for the lock for at most the given number of seconds, and only until the
    /// caller is asked to end.
    package func share(
        _ connection: SQLConnection, seconds: Double, isAskedToEnd: @escaping @Sendable () -> Bool
    ) {
        connection.retryLock { tries in
            let now = ContinuousClock.now
            let begin = self.state.withLock { state in
                if tries == 0 { state.waitBegin = now }
                state.lastConflict = now
                return state.waitBegin
            }
            guard now - begin < .seconds(seconds), !isAskedToEnd() else { return false }
            sqlite3_sleep(Self.interval)
            return true
        }
    }

    /// Runs a write, after a pause for other processes if they want the lock, too.
    package func take<Result>(_ write: () throws -> Result) rethrows -> Result {
        let now = ContinuousClock.now
        let (lastConflict, lastEnd) = state.withLock { ($0.lastConflict, $0.lastEnd) }
        if let lastConflict, now - lastConflict < Self.memory {
            let rest = Self.pause - (now - lastEnd)
            if rest > .zero { sqlite3_sleep(CInt((rest / .milliseconds(1)).rounded(.up))) }
        }
        defer { state.withLock { $0.lastEnd = .now } }
        return try write()
    }
}
