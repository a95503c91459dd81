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

/// The kind of a failure, for programs: `code` in the error that `--json` prints.
///
/// The codes are stable; new ones can be added. JSON.md has a table of them.
enum FailureCode: String, CaseIterable, Sendable {
    // The command line.
    case usage, badPath, badValue, ambiguousTodo
    // The named todo or `.todosync`.
    case invalidData, invalidTodo, duplicateTodo, unsuitableField, damaged
    // What doesn't exist.
    case notFound, noWorkingDirectory, inNestedRepository, noSuchTodo, noSuchFile, notATodo
    case absentTodo, notKept, isKept
    case noSuchVersion, noSuchOperation, ambiguousOperation, noTextInLog, noMergeInLog, neverSynced
    // What needs the user.
    case needsUser, declined, conflict, noConflict, noCopy, undoDeletes, cannotRestore, cannotPurge,
        unanswered
    // The remote.
    case remoteUnavailable, notAllowed, savedKeyRefused, untrusted, otherRemote, otherHistory, noRemote,
        remoteExists
    case noSuchTable
    // Files and other processes.
    case cannotCreate, fileExists, isWorkingDirectory, folderNotEmpty, cannotReadOrWrite, keepsChanging
    case cannotRecover, busy
    // The configuration.
    case configuration, lostConfiguration, newerFormat, olderFormat
    // The rest.
    case cannotMerge, interrupted, internalError

    /// The exit status of failures with the code; that of an interruption depends on the signal.
    var status: ExitStatus {
        switch self {
        case .usage, .badPath, .badValue, .ambiguousTodo: .usage
        case .invalidData, .invalidTodo, .duplicateTodo, .unsuitableField, .damaged: .invalidData
        case .notFound, .noWorkingDirectory, .inNestedRepository, .noSuchTodo, .noSuchFile, .notATodo,
            .absentTodo, .notKept, .isKept, .noSuchVersion, .noSuchOperation, .ambiguousOperation,
            .noTextInLog,
            .noMergeInLog, .neverSynced:
            .notFound
        case .needsUser, .declined, .conflict, .noConflict, .noCopy, .undoDeletes, .cannotRestore,
            .cannotPurge,
            .unanswered:
            .needsUser
        case .remoteUnavailable: .remoteUnavailable
        case .notAllowed, .savedKeyRefused: .notAllowed
        case .cannotCreate, .fileExists, .isWorkingDirectory, .folderNotEmpty: .cannotCreate
        case .cannotReadOrWrite, .keepsChanging, .cannotRecover: .cannotReadOrWrite
        case .busy: .busy
        case .untrusted, .otherRemote, .otherHistory, .noRemote, .remoteExists, .noSuchTable,
            .configuration, .lostConfiguration, .newerFormat, .olderFormat:
            .configuration
        case .cannotMerge: .cannotMerge
        case .interrupted: .interrupted
        case .internalError: .internalError
        }
    }

    /// Creates the general code of a status, for failures without a code of their own.
    init(_ status: ExitStatus) {
        self =
            switch status {
            case .done, .needsUser: .needsUser
            case .usage: .usage
            case .invalidData: .invalidData
            case .notFound: .notFound
            case .remoteUnavailable: .remoteUnavailable
            case .internalError: .internalError
            case .cannotCreate: .cannotCreate
            case .cannotReadOrWrite: .cannotReadOrWrite
            case .busy: .busy
            case .notAllowed: .notAllowed
            case .configuration: .configuration
            case .cannotMerge: .cannotMerge
            case .hungUp, .interrupted, .terminated: .interrupted
            }
    }
}

/// A command's exit status, with the number from sysexits.h if one fits.
enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Done, and something is waiting for the user.
    case needsUser = 1
    /// The command line is wrong.
    case usage = 64
    /// The named todo is not valid, or the command can't work with a damaged `.todosync`.
    case invalidData = 65
    /// There is no such todo, file or working directory.
    case notFound = 66
    /// The remote can't be reached, or its response is invalid.
    case remoteUnavailable = 69
    /// An unexpected error: a bug in todosync.
    case internalError = 70
    case cannotCreate = 73
    case cannotReadOrWrite = 74
    /// Another todosync is running here.
    case busy = 75
    /// The key is missing or wrong.
    case notAllowed = 77
    /// The configuration is wrong, the remote is not the same as before, or its server is not trusted.
    case configuration = 78
    /// `merge-file` left the file unchanged; git treats a status below 129 as a conflict.
    case cannotMerge = 128
    /// Ended by SIGHUP, for example because the terminal was closed.
    case hungUp = 129
    /// Ended by Ctrl-C.
    case interrupted = 130
    /// Ended by SIGTERM.
    case terminated = 143

    /// Whether a signal ended the command.
    var isInterruption: Bool { [.hungUp, .interrupted, .terminated].contains(self) }
}
