internal import SyncEngine

/// The message and exit status of a command that fails.
struct Failure: Error, Sendable {
    let status: ExitStatus
    /// What happened, and to which file; without a capital letter at the start or a full stop at the end.
    let message: String
    /// Lines that belong to the message, such as the todos that a name matches.
    let details: [String]
    /// The todos that a name matches, if it is ambiguous.
    let candidates: [NamedTodo]
    /// What to do next.
    let hint: String?
    /// The kind of failure, for programs.
    let code: FailureCode
    /// The path of the todo or file that the failure is about, from the root of the working directory; nil if
    /// it is about something else.
    let path: String?

    /// - Parameter code: The kind of failure; nil for the general code of the status.
    init(
        _ status: ExitStatus, _ message: String, details: [String] = [], hint: String? = nil,
        code: FailureCode? = nil, path: String? = nil, candidates: [NamedTodo] = []
    ) {
        self.status = status
        self.message = message
        self.details = details
        self.candidates = candidates
        self.hint = hint
        self.code = code ?? FailureCode(status)
        self.path = path
    }

    init(
        _ code: FailureCode, _ message: String, details: [String] = [], hint: String? = nil,
        path: String? = nil, candidates: [NamedTodo] = []
    ) {
        self.init(
            code.status, message, details: details, hint: hint, code: code, path: path, candidates: candidates
        )
    }

    /// Creates the failure of a command after the user declined or interrupted its prompt.
    ///
    /// - Parameter message: What the command left unchanged.
    init(declined message: String) {
        if Interruption.status != nil {
            self.init(interrupted: message)
        } else {
            self.init(.declined, message)
        }
    }

    /// The lines to print on standard error.
    var lines: [String] {
        let isError = !status.isInterruption && code != .declined
        return [(isError ? "error: " : "") + message] + details + (hint.map { ["hint: \($0)"] } ?? [])
    }
}
