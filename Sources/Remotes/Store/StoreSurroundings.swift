/// What a store takes from the world around it; made in `main`, and by tests.
package struct StoreSurroundings: Sendable {
    /// Returns the time in milliseconds since 1970-01-01T00:00:00Z; no decision rests on it.
    package var now: @Sendable () -> Int64
    /// Returns as many unpredictable bytes as asked for.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Whether nobody waits any more for what other processes keep locked.
    package var isAskedToEnd: @Sendable () -> Bool

    package init(
        now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        isAskedToEnd: @escaping @Sendable () -> Bool = { false }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.isAskedToEnd = isAskedToEnd
    }
}
