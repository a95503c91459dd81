/// The kind of a failure, for programs: `code` in the error that `--json` prints.
///
/// The codes are stable; new ones can be added. README.md has a table of them.
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
