internal import Logging

/// Returns the logger that the environment variable `TODOSYNC_LOG` requests: with `info`, it prints what a
/// command decides and why; with `debug`, also each query to git, record in the journal, and request.
///
/// Another value causes a warning, and not an error, because git runs todosync with the same environment and
/// would leave a merge undone.
///
/// - Parameter warns: Whether standard error can have the warning.
/// - Returns: Nil if the variable doesn't request a log.
func decisionLogger(_ process: ProcessSurroundings, warns: Bool) -> Logger? {
    guard let value = process.environment("TODOSYNC_LOG"), !value.isEmpty else { return nil }
    guard let level = [Logger.Level.info, .debug].first(where: { $0.rawValue == value }) else {
        if warns {
            process.standardError.writeIgnoringErrors(
                "warning: TODOSYNC_LOG is not info or debug: \(visible(value))\n")
        }
        return nil
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
