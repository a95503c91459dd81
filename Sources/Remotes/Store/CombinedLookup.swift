internal import Platform

/// Combines the lookups of requests that arrive at the same time into one round trip.
///
/// Nothing is cached, so an answer is never older than its request.
actor CombinedLookup<Key: Hashable & Sendable, Answer: Sendable> {
    typealias Waiting = (keys: [Key], continuation: CheckedContinuation<Answer, any Error>)

    private let read: @Sendable ([Key]) async throws -> Answer
    private(set) var waiting: [Waiting] = []
    private var isRunning = false

    /// - Parameter read: Reads the answer for the keys of several requests.
    init(read: @escaping @Sendable ([Key]) async throws -> Answer) { self.read = read }

    /// Returns an answer for the given keys, and possibly for others.
    func answer(for keys: [Key]) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append((keys, continuation))
            if isRunning { return }
            isRunning = true
            // This is not part of the first caller's task: cancelling that task must not affect the others.
            Task(executorPreference: WorkThreads.current) { await self.run() }
        }
    }

    private func run() async {
        while !waiting.isEmpty {
            let callers = waiting
            waiting = []
            do {
                let found = try await read(Array(Set(callers.flatMap(\.keys))))
                for caller in callers { caller.continuation.resume(returning: found) }
            } catch {
                for caller in callers { caller.continuation.resume(throwing: error) }
            }
        }
        isRunning = false
    }
}
