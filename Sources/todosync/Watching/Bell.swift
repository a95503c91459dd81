internal import Synchronization

/// Wakes a task when something happens that it has to handle.
final class Bell: Sendable {
    enum Reason: Sendable {
        case folder, remote, time
        /// The remote can't report its changes.
        case remoteIsSilent
    }

    private struct State {
        var reasons: Set<Reason> = []
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func ring(_ reason: Reason) {
        let waiting = state.withLock { state in
            state.reasons.insert(reason)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Forgets earlier rings.
    func silence() { state.withLock { $0.reasons = [] } }

    /// Forgets earlier rings for a reason, and returns whether there were any.
    func silence(_ reason: Reason) -> Bool { state.withLock { $0.reasons.remove(reason) != nil } }

    /// Waits for a ring, and returns the reasons of all rings since the last wait.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws -> Set<Reason> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.reasons.isEmpty, !Task.isCancelled else { return false }
                    state.waiting = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }?.resume()
        }
        try Task.checkCancellation()
        return state.withLock { state in
            defer { state.reasons = [] }
            return state.reasons
        }
    }
}
