internal import Logging
internal import TodoModel
internal import Values

/// Writes the server's log: one line per event, with its time.
struct ServerLog: Sendable {
    private let surroundings: Server.Surroundings

    init(_ surroundings: Server.Surroundings) { self.surroundings = surroundings }

    func write(_ line: String) {
        surroundings.log(Instant(milliseconds: surroundings.now()).internetTime + " " + line)
    }

    func write(_ record: RequestRecord) { write(record.line) }

    func storeFailed(_ error: any Error) {
        write("error: the store can't be used: \(escapedLine("\(error)"))")
    }

    /// The logger for the frameworks; it logs only warnings and errors.
    var logger: Logger {
        var logger = Logger(label: "todosync") { _ in FrameworkLogHandler(log: self) }
        logger.logLevel = .warning
        return logger
    }
}

/// Writes the frameworks' log events to the server's log.
private struct FrameworkLogHandler: LogHandler {
    let log: ServerLog
    var logLevel = Logger.Level.warning
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.write("\(event.level): \(escapedLine(event.message.description))")
    }
}

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
    var methodLabel: String { Self.methods.contains(method) ? method : "other" }

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

/// Returns text as a single word: all characters except visible ASCII characters are escaped.
func escapedWord(_ text: String) -> String { escaping(text) { $0 > 0x20 && $0 < 0x7F } }

/// Returns text on a single line: control characters and line separators are escaped.
func escapedLine(_ text: String) -> String {
    escaping(text) { $0 >= 0x20 && !(0x7F...0x9F).contains($0) && $0 != 0x2028 && $0 != 0x2029 }
}

/// Escapes each byte of the characters that don't satisfy a condition as `\xNN`.
private func escaping(_ text: String, unless isPlain: (UInt32) -> Bool) -> String {
    if text.unicodeScalars.allSatisfy({ isPlain($0.value) }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isPlain(scalar.value) {
            result.unicodeScalars.append(scalar)
        } else {
            for byte in UTF8.encode(scalar) ?? .init() { result += "\\x" + [byte].hexadecimal }
        }
    }
    return result
}
