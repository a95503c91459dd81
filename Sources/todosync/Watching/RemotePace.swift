internal import Synchronization

/// Counts the answers of a remote that come too early, so that it is asked less and less often.
///
/// A remote that is asked for news answers when it has some, or when the wait is over. A proxy can answer at
/// once instead, and a remote can always announce news that turns out to be none.
final class RemotePace: Sendable {
    /// An answer before this time is early.
    private static let shortestWait = Duration.seconds(5)

    private let earlyAnswers = Mutex(0)

    /// The number of early answers in a row, except the first one, which can come from a server that stops.
    var failures: Int { max(0, earlyAnswers.withLock(\.self) - 1) }

    /// Waits for the remote's answer, and counts it if it is early or an error.
    func counting<Answer>(_ answer: () async throws -> Answer) async throws -> Answer {
        let start = ContinuousClock.now
        do {
            let answer = try await answer()
            note(isEarly: .now - start < Self.shortestWait)
            return answer
        } catch {
            // A wait that the watcher itself ended is no answer.
            if !Task.isCancelled { note(isEarly: true) }
            throw error
        }
    }

    private func note(isEarly: Bool) { earlyAnswers.withLock { $0 = isEarly ? $0 + 1 : 0 } }

    /// Notes that the last answer was right: the sync that followed changed something.
    func noteNews() { earlyAnswers.withLock { $0 = 0 } }
}
