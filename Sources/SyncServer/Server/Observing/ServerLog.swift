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
