internal import Remotes
internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// The reason why an operation failed.
public struct TodosyncError: Error, Sendable, Hashable {
    /// The kind of problem.
    public let code: Code
    /// The message, which describes the failure and names the file.
    public let message: String

    /// The kinds of problems.
    public enum Code: Sendable, Hashable {
        /// The working directory, todo or file doesn't exist.
        case notFound
        /// A file or folder to create already exists.
        case exists
        /// A todo, field or path is not valid.
        case invalid
        /// The todo's conflict prevents the operation or stays open, or the todo has no conflict to resolve.
        case conflict
        /// Another process is using the working directory.
        case busy
        /// A file can't be read or written.
        case file
        /// The configuration is invalid, the remote is not the same as before, or the remote's server is not
        /// in ``Settings/servers``.
        case configuration
        /// The remote can't be reached, or its answer is invalid.
        case unavailable
        /// The remote denies access.
        case notAllowed
    }

    init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}

extension TodosyncError: CustomStringConvertible {
    public var description: String { message }
}

/// Converts an engine error to a public error; returns any other error unchanged.
func publicError(_ error: any Error) -> any Error {
    let code: TodosyncError.Code
    switch error {
    case let error as EngineError: code = error.code
    case let error as RemoteError: code = error.code
    case let error as StoreError: code = error.code
    case LockError.busy: return TodosyncError(.busy, "another process is using the working directory")
    case LockError.cancelled: return CancellationError()
    case LockError.file(let error): return TodosyncError(.file, "\(error)")
    case is FileError: code = .file
    case WorkingDirectoryError.exists(let root): return publicError(EngineError.isWorkingDirectory(root))
    case WorkingDirectoryError.unsupportedFormat(let root, let found, let supported):
        return publicError(EngineError.unsupportedFormat(root: root, found: found, supported: supported))
    case WorkingDirectoryError.configuration(let problem):
        return TodosyncError(.configuration, "\(problem)")
    case let problem as HandlerProblem: return TodosyncError(.invalid, "the answer \(problem.reason)")
    case is RemoteLocationError: code = .configuration
    default: return error
    }
    return TodosyncError(code, "\(error)")
}

/// Runs `body` and converts the engine's errors.
func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw publicError(error)
    }
}

extension EngineError {
    fileprivate var code: TodosyncError.Code {
        switch self {
        case .noWorkingDirectory, .inNestedRepository, .noSuchTodo, .isAbsent, .noSuchFile, .notKept, .isKept,
            .ambiguous, .notATodo, .noSuchVersion, .noSuchOperation, .ambiguousOperation, .noTextAt,
            .noMergeAt, .neverSynced:
            .notFound
        case .fileExists, .isWorkingDirectory, .folderNotEmpty, .remoteExists: .exists
        case .invalid, .isDuplicate, .badPath, .badField, .cannotChange: .invalid
        case .isConflicted, .isNotConflicted, .hasNoCopy, .undoDeletes, .cannotRestore, .cannotPurge,
            .isUnanswered:
            .conflict
        case .keepsChanging, .cannotFinish, .stoppedRemoving: .file
        case .noRemote, .otherRemote, .otherHistory, .configuration, .lostConfiguration, .unsupportedFormat,
            .damaged:
            .configuration
        }
    }
}

extension RemoteError {
    fileprivate var code: TodosyncError.Code {
        switch self {
        case .store(let error): error.code
        case .unreachable, .badResponse, .unanswered, .redirected, .overloaded, .refused: .unavailable
        case .badURL, .noSuchTable, .untrusted, .otherHistory, .badVariable, .withoutHTTP: .configuration
        case .notAllowed: .notAllowed
        }
    }
}

extension StoreError {
    fileprivate var code: TodosyncError.Code {
        switch self {
        case .notFound, .busy, .cannotLock, .moving, .database: .unavailable
        case .folderNotEmpty: .exists
        case .notAStore, .unsupportedFormat, .lost, .damaged, .moved, .unfinishedCopy: .configuration
        case .diskFull, .notPermitted, .readOnly, .inputOutput: .file
        }
    }
}
