internal import Synchronization

/// Shares the connections for one kind of read among a store's clients.
///
/// No client uses all of them at the same time, so the next client finds one free.
final class ReadShares: Sendable {
    private struct Waiting {
        let number: Int
        let client: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// The numbers of running reads.
        var running: [String: Int] = [:]
        /// In the order of their arrival.
        var waiting: [Waiting] = []
        var lastNumber = 0

        var count: Int { running.values.reduce(0, +) }
    }

    private let state = Mutex(State())
    private let kind: ReadKind

    /// How long a read waits for its turn; nil for as long as it takes.
    private let patience: Duration?

    /// - Parameter patience: The kind's patience if nil.
    init(_ kind: ReadKind, patience: Duration? = nil) {
        self.kind = kind
        self.patience = patience ?? kind.patience
    }

    /// Runs a read as soon as its client and the others leave a connection free.
    ///
    /// - Throws: ``ReadRefusal`` if none is free for too long, and the errors of the read.
    func run<Result>(for client: String, _ read: () async throws -> Result) async throws -> Result {
        guard await begin(client) else {
            try Task.checkCancellation()
            throw state.withLock { isAtShare(client, $0) } ? ReadRefusal.ownReads : .allReads
        }
        defer { end(client) }
        return try await read()
    }

    private func isAtShare(_ client: String, _ state: borrowing State) -> Bool {
        state.running[client, default: 0] >= kind.shareOfClient
    }

    private func hasRoom(for client: String, _ state: borrowing State) -> Bool {
        !isAtShare(client, state) && state.count < ReadKind.connectionCount
    }

    /// Waits until a client may read; returns false if its patience ends first.
    private func begin(_ client: String) async -> Bool {
        let number: Int? = state.withLock { state in
            if hasRoom(for: client, state) {
                state.running[client, default: 0] += 1
                return nil
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let begins: Bool? = state.withLock { state in
                    // If the task was cancelled before, nothing would resume the continuation.
                    if Task.isCancelled { return false }
                    if hasRoom(for: client, state) {
                        state.running[client, default: 0] += 1
                        return true
                    }
                    state.waiting.append(
                        Waiting(number: number, client: client, continuation: continuation))
                    return nil
                }
                if let begins { return continuation.resume(returning: begins) }
                guard let patience else { return }
                Task {
                    try await Task.sleep(for: patience)
                    giveUp(number)
                }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        let waiting = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiting?.continuation.resume(returning: false)
    }

    /// Ends a read, and lets the first client that is below its share begin one.
    private func end(_ client: String) {
        let next = state.withLock { state -> Waiting? in
            let count = state.running[client, default: 0] - 1
            state.running[client] = count > 0 ? count : nil
            let index = state.waiting.firstIndex { hasRoom(for: $0.client, state) }
            guard let next = index.map({ state.waiting.remove(at: $0) }) else { return nil }
            state.running[next.client, default: 0] += 1
            return next
        }
        next?.continuation.resume(returning: true)
    }
}

/// The reason why a query isn't run.
package enum ReadRefusal: Error {
    /// The client has too many other queries.
    case ownReads
    /// The other clients have too many queries.
    case allReads
}
