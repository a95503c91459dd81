internal import Remotes
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
        case let problem as FieldAssignmentProblem: self.init(.usage, visible(problem.message))
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
        case .newerFormat(let number): self.init(EngineError.newerFormat(number))
        case .configuration(let problem): self.init(.configuration, visible("\(problem)"))
        }
    }

    private init(_ error: RemoteError) {
        switch error {
        case .unavailable(let reason):
            // For a remote on a server, the reason begins with its URL and is a full sentence.
            self.init(
                .remoteUnavailable,
                ["http://", "https://"].contains(where: reason.hasPrefix)
                    ? visible(reason) : "the remote can't be reached: \(visible(reason))",
                hint: "nothing is lost; \(Self.remedy(forUnavailable: reason))")
        case .notAllowed(let reason, let problem): self.init(reason, problem)
        case .untrusted(let server):
            self.init(
                .configuration, "\(visible(server)) is not a server that you trust; nothing was sent to it",
                hint:
                    "if you know who runs it, \"todosync trust \(server)\" lets todosync push and pull there")
        case .otherHistory:
            self.init(.configuration, "the remote's history is not the same as before")
        case .unusable(let reason):
            self.init(
                .configuration, "the remote can't be used: \(visible(reason))",
                hint: Self.remedy(forUnusable: reason))
        case .failing(let reason, let problem):
            self.init(
                .cannotReadOrWrite, "the remote can't be read or written: \(visible(reason))",
                hint: "nothing is lost; \(Advice.afterFault(problem.code))")
        }
    }

    private static func remedy(forUnavailable reason: String) -> String {
        if reason.contains(" can't be used: ") { return "ask the server's administrator, or set another URL" }
        if reason.hasSuffix(": no such store") {
            return
                "check that the path is right and its disk is mounted; todosync init --bare DIR creates one"
        }
        if reason.contains(": the store is read-only here") { return Advice.unlockedStore }
        return "try again when the remote can be reached"
    }

    private static func remedy(forUnusable reason: String) -> String {
        if reason.hasPrefix("the variable ") { return "correct the variable, or unset it" }
        if reason.contains(": the store is damaged (") { return Advice.damagedStore }
        return "check the URL; todosync remote set-url origin URL changes the recorded one"
    }

    private init(_ reason: String, _ problem: KeyProblem) {
        switch problem {
        case .unknown(let url):
            self.init(
                .notAllowed, "the remote does not allow it: \(visible(reason))",
                hint: "run \"todosync remote login \(shellQuoted(visible(url)))\" to save a key for it")
        case .insufficient(let need):
            self.init(
                .notAllowed, "the remote does not allow it: \(visible(reason))",
                hint: "ask the server's administrator for a key with \(visible(need))")
        case .malformed(let url):
            self.init(
                .configuration, "the key can't be used: \(visible(reason))",
                hint: "run \"todosync remote login \(shellQuoted(visible(url)))\" to save another one")
        case .exposed:
            self.init(
                .configuration, "the key can't be used: \(visible(reason))",
                hint: "run \"todosync remote set-url origin URL\" with an https URL")
        }
    }
}
