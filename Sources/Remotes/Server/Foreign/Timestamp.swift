internal import Values

/// The time of a write as a server sends it, such as `2015-12-13T04:28:12.816Z`.
struct Timestamp: Sendable, Hashable {
    /// The server's text, with all its digits.
    let text: String
    /// Milliseconds since 1970-01-01T00:00:00Z, rounded down.
    let milliseconds: Int

    /// Parses a time.
    ///
    /// Returns nil for other text, and for years outside 1 to 9998, so that the adjacent years can be
    /// written, too.
    init?(_ text: String) {
        guard text.utf8.count <= 40, !text.hasPrefix("0000"), !text.hasPrefix("9999"),
            let instant = Instant(text)
        else { return nil }
        self.text = text
        milliseconds = Int(instant.milliseconds)
    }

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
        text = Instant(milliseconds: Int64(milliseconds)).internetTime
    }

    /// The time in seconds since 1970-01-01T00:00:00Z, rounded down.
    var second: Int { milliseconds.dividedFloored(by: 1000).quotient }
}
