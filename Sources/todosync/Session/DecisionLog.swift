internal import Logging

/// Returns the logger that the environment variable `TODOSYNC_LOG` requests: with `info`, it prints what a
/// command decides and why; with `debug`, also each query to git, record in the journal, and request.
///
/// - Returns: Nil if the variable is missing or empty.
/// - Throws: A ``Failure`` if it has another value.
func decisionLogger(_ process: ProcessSurroundings) throws -> Logger? {
    let variable = "TODOSYNC_LOG"
    guard let value = process.environment(variable), !value.isEmpty else { return nil }
    guard let level = [Logger.Level.info, .debug].first(where: { $0.rawValue == value }) else {
        throw Failure(
            .configuration, "\(variable) is not a level: \(visible(value))",
            hint: "set it to info or debug, or unset it")
    }
    var logger = Logger(label: "todosync") { _ in LineLogHandler(stream: process.standardError) }
    logger.logLevel = level
    return logger
}

/// Prints each message as one line, such as `todosync: info: held t1.yaml …`.
///
/// Messages contain texts from files and from the remote.
private struct LineLogHandler: LogHandler {
    let stream: Stream
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        stream.writeIgnoringErrors(
            "todosync: \(event.level): \(visible(withoutKeys(event.message.description)))\n")
    }
}
