/// What is remembered of an answered request: nothing of what todos say.
///
/// A query may hold words of todos, as `$filter` does, and is left out.
struct RequestRecord: Sendable {
    var method: String
    /// As it came, percent-encoded.
    var path: String
    var status: Int
    var seconds: Double
    var receivedBytes = 0
    var sentBytes = 0
    /// The address of who sent it.
    var client: String
    /// The name of the key that the request showed.
    var keyName: String?

    private static let longestPath = 200
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// The method, or one word for all that are unusual.
    var knownMethod: String { Self.methods.contains(method) ? method : "other" }

    /// A line of the log, without its time.
    var line: String {
        let milliseconds = (seconds * 10_000).rounded() / 10
        let key = keyName.map { " key=" + escapedWord($0) } ?? ""
        // A word in any case, so that those behind it keep their places.
        let shownPath = path.isEmpty ? "-" : escapedWord(String(path.prefix(Self.longestPath)))
        return
            "\(method) \(shownPath) \(status) \(milliseconds)ms \(receivedBytes)B \(sentBytes)B from=\(escapedWord(client))\(key)"
    }
}
