extension Server {
    /// The parts of a server's environment that tests replace: the clock, the log and the startup message.
    package struct Surroundings: Sendable {
        /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
        package var now: @Sendable () -> Int64
        /// Writes a line to the log; the line has no line feed.
        package var log: @Sendable (String) -> Void
        /// Receives the server's URL once, when the server is listening.
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
