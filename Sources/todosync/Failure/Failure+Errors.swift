internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

extension Failure {
    /// Creates a failure from the error that stopped a command.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as EngineError: self.init(error)
        case let error as FileError: self.init(error)
        case let error as RemoteError: self.init(error)
        case let error as StoreError: self.init(error, making: nil)
        case let error as LockError: self.init(error)
        case let error as WorkingDirectoryError: self.init(error)
        case is CancellationError: self.init(interrupted: "nothing was changed")
        case let problem as TodoProblem:
            self.init(.invalidData, "\(problem.line):\(problem.column): \(visible(problem.message))")
        case let problem as DateProblem: self.init(problem)
        case let problem as FieldAssignmentProblem:
            self.init(problem.code, visible(problem.message), hint: problem.hint)
        case let problem as FieldChangeProblem:
            self.init(problem.code, visible(problem.message), hint: problem.hint)
        default:
            self.init(
                .internalError,
                "an unexpected error occurred: \(visible(String(describing: type(of: error))))",
                hint: "nothing is lost; please report this as a bug in todosync")
        }
    }

    private init(_ error: LockError) {
        switch error {
        case .busy:
            self.init(
                .busy, "another todosync is running here",
                hint: "try again when it has finished, or wait longer with --lock-timeout SECONDS")
        case .cancelled: self.init(CancellationError())
        case .file(let error): self.init(error)
        }
    }

    private init(_ error: WorkingDirectoryError) {
        switch error {
        case .exists(let root): self.init(EngineError.isWorkingDirectory(root))
        case .unsupportedFormat(let root, let found, let supported):
            self.init(EngineError.unsupportedFormat(root: root, found: found, supported: supported))
        case .configuration(let problem): self.init(.configuration, visible("\(problem)"))
        }
    }
}
