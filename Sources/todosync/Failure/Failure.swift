/// An error in the words and the status with which a command ends.
struct Failure: Error, Sendable {
    let status: ExitStatus
    /// What happened, and to which file: a phrase without a capital and a full stop.
    let message: String
    /// What to do next.
    let hint: String?

    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    /// The lines for standard error.
    var lines: [String] {
        [(status.isInterruption ? "" : "error: ") + message] + (hint.map { ["hint: \($0)"] } ?? [])
    }
}
