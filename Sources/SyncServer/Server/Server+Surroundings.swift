extension Server {
    /// What a server takes from the world around it; made in `main`, and by tests.
    package struct Surroundings: Sendable {
        /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
        package var now: @Sendable () -> Int64
        /// Takes a line of the log, without its line feed.
        package var log: @Sendable (String) -> Void
        /// Is told once that the server listens, and by which URL it is reached.
        package var isListening: @Sendable (String) -> Void

        package init(
            now: @escaping @Sendable () -> Int64, log: @escaping @Sendable (String) -> Void,
            isListening: @escaping @Sendable (String) -> Void
        ) {
            self.now = now
            self.log = log
            self.isListening = isListening
        }
    }
}
