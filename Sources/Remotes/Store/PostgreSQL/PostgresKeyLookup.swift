#if PostgreSQL
    /// Looks up the keys of requests that arrive at the same time together, in one round trip.
    ///
    /// Nothing is cached, so a key that any server revokes is refused by all of them at once.
    actor PostgresKeyLookup {
        private typealias Waiting = (
            digests: [[UInt8]], continuation: CheckedContinuation<FoundKeys, any Error>
        )

        private var waiting: [Waiting] = []
        private var isRunning = false

        /// Returns the keys with some digests, and the anonymous ones.
        ///
        /// - Parameter read: reads the keys with the digests of several requests.
        func keys(
            withDigests digests: [[UInt8]],
            read: @escaping @Sendable ([[UInt8]]) async throws -> FoundKeys
        ) async throws -> FoundKeys {
            try await withCheckedThrowingContinuation { continuation in
                waiting.append((digests, continuation))
                if isRunning { return }
                isRunning = true
                // This is not part of the first caller's task: cancelling that task must not affect the
                // others.
                Task { await run(read) }
            }
        }

        private func run(_ read: @Sendable ([[UInt8]]) async throws -> FoundKeys) async {
            while !waiting.isEmpty {
                let callers = waiting
                waiting = []
                do {
                    let found = try await read(Array(Set(callers.flatMap(\.digests))))
                    for caller in callers {
                        var own = found
                        own.rows.removeAll { row in row.digest.map { !caller.digests.contains($0) } ?? false }
                        caller.continuation.resume(returning: own)
                    }
                } catch {
                    for caller in callers { caller.continuation.resume(throwing: error) }
                }
            }
            isRunning = false
        }
    }
#endif
