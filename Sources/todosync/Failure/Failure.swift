/// The message and exit status of a command that fails.
struct Failure: Error, Sendable {
    let status: ExitStatus
    /// What happened, and to which file; without a capital letter at the start or a full stop at the end.
    let message: String
    /// What to do next.
    let hint: String?

    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    /// The lines to print on standard error.
    var lines: [String] {
        [(status.isInterruption ? "" : "error: ") + message] + (hint.map { ["hint: \($0)"] } ?? [])
    }
}
