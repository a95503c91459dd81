/// The system services that a store uses.
///
/// `main` and tests create them.
package struct StoreSurroundings: Sendable {
    /// Returns the time in milliseconds since 1970-01-01T00:00:00Z; only retention depends on it.
    package var now: @Sendable () -> Int64
    /// Returns the given number of unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Whether to stop waiting for the locks of other processes.
    package var isAskedToEnd: @Sendable () -> Bool
    /// The maximum duration of a query.
    package var queryTime = Duration.seconds(5)

    package init(
        now: @escaping @Sendable () -> Int64, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        isAskedToEnd: @escaping @Sendable () -> Bool = { false }
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.isAskedToEnd = isAskedToEnd
    }
}
