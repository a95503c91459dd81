internal import Values

/// A time of writing as a server sends it, such as `2015-12-13T04:28:12.816Z`.
struct Timestamp: Sendable, Hashable {
    /// The server's own spelling, with all the digits it has.
    let text: String
    /// Milliseconds since 1970-01-01T00:00:00Z, rounded down.
    let milliseconds: Int

    /// Reads a time of the years 1 to 9998, whose neighbours can be written, too; returns nil for other text.
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

    /// The second it lies in, since 1970-01-01T00:00:00Z.
    var second: Int { milliseconds.dividedFloored(by: 1000).quotient }
}
