/// The data about a request for the log and the metrics; it contains nothing from todos.
///
/// It doesn't include the query, which can contain words from todos, for example in `$filter`.
struct RequestRecord: Sendable {
    var method: String
    /// The path as received, percent-encoded.
    var path: String
    var status: Int
    var seconds: Double
    var receivedBytes = 0
    var sentBytes = 0
    /// The client's address.
    var client: String
    /// The name of the request's key; nil if the request had no valid key.
    var keyName: String?

    private static let longestPath = 200
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// The method; `other` for unusual methods.
    var knownMethod: String { Self.methods.contains(method) ? method : "other" }

    /// A line of the log, without its time.
    var line: String {
        let milliseconds = (seconds * 10_000).rounded() / 10
        let key = keyName.map { " key=" + escapedWord($0) } ?? ""
        // The path is never empty, so that the words after it keep their positions.
        let shownPath = path.isEmpty ? "-" : escapedWord(String(path.prefix(Self.longestPath)))
        return
            "\(method) \(shownPath) \(status) \(milliseconds)ms \(receivedBytes)B \(sentBytes)B from=\(escapedWord(client))\(key)"
    }
}
