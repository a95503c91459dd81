internal import Platform
internal import SyncEngine
internal import TodoModel
internal import Values
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

extension Failure {
    /// Creates a failure from a failed system call.
    ///
    /// - Parameters:
    ///   - message: What could not be done, and to which file.
    ///   - code: The `errno`.
    init(_ status: ExitStatus, _ message: String, code: Int32) {
        self.init(status, "\(message): \(systemErrorWords(code))", hint: Advice.afterFault(code))
    }

    init(_ error: FileError) {
        if error.limit != nil {
            self.init(.configuration, visible(error.description), hint: Advice.tooLarge)
            return
        }
        let isCreation =
            switch error.operation {
            case .create, .makeFolder: true
            default: false
            }
        self.init(
            isCreation ? .cannotCreate : .cannotReadOrWrite, visible(error.description),
            hint: Advice.afterFault(error.code))
    }

    /// Creates a failure for a command that skipped todos because of file errors, and has printed their
    /// names.
    ///
    /// Returns nil if there were no file errors.
    init?(leaving errors: [FileError]) {
        guard let first = errors.first else { return nil }
        self.init(
            Failure(first).status, "\(counted(errors.count, "todo")) could not be read or written",
            hint: "nothing is lost; \(Advice.afterFault(first.code))")
    }
}

extension Advice {
    static let tooLarge = "shorten it, or find out what filled it, and try again"

    /// Returns what the user can do after a failed system call.
    static func afterFault(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "free some disk space and try again"
        case ENOMEM: "free some memory and try again"
        case EACCES, EPERM: "check the permissions and try again"
        case EROFS: "remount the file system read-write and try again"
        case EMFILE, ENFILE: "allow more open files (ulimit -n) and try again"
        case EAGAIN: "allow more threads (ulimit -u, or the container's process limit) and try again"
        case ELOOP, EISDIR: "move it away or replace it with what belongs there, and try again"
        case ENOENT: "check that it exists and try again"
        default: "check the disk and the folder, and try again"
        }
    }
}

extension StoreError {
    /// The `errno` of the same kind of error.
    var code: Int32 {
        switch self {
        case .diskFull: ENOSPC
        case .notPermitted, .readOnly: EACCES
        default: EIO
        }
    }
}

/// Returns the operating system's description of an `errno`, for the middle of a sentence.
func systemErrorWords(_ code: Int32) -> String {
    FileError.words(of: code)
}

extension Failure {
    /// Creates a failure for a command that a signal interrupted.
    ///
    /// - Parameter rest: What the command did, and what remains to do.
    init(interrupted rest: String, hint: String? = nil) {
        self.init(Interruption.status ?? .interrupted, "interrupted: \(rest)", hint: hint)
    }

    /// Creates a failure for a push, pull, sync or clone that a signal interrupted.
    ///
    /// The command has already printed the report of what it did.
    init(interrupted report: SyncReport) {
        var parts: [String] = []
        if report.hasDoneNothing { parts.append("nothing was pushed or pulled") }
        if report.left.count > 0 {
            let count = counted(report.left.count, "todo")
            parts.append("\(report.left.isAll ? "" : "at least ")\(count) still to be pulled")
        }
        if let pending = report.pending, pending > 0, !report.hasDoneNothing {
            parts.append("\(counted(pending, "change")) still pending")
        }
        if !report.hasDoneNothing { parts.append("nothing is lost") }
        parts.append("run the same command again for the rest")
        self.init(interrupted: parts.joined(separator: "; "))
    }
}

extension FieldAssignmentProblem {
    var code: FailureCode { if case .noEqualsSign = self { .usage } else { .badValue } }

    /// What to type instead; nil if the message is enough.
    var hint: String? {
        switch self {
        case .endsInSign: "KEY+=VALUE adds to a list and KEY-=VALUE removes from it, only in \"todosync set\""
        case .hasOuterSpaces: "write KEY=VALUE without spaces around the = or around dots"
        case .emptyPart: "a dot leads into a field: address.city=Bonn"
        case .takesOneValue(FieldName.due):
            "run \"todosync set TODO due=+3d\" for a date three days from today, or due=DATE for any other"
        case .takesOneValue(let name): "run \"todosync set TODO \(name)=VALUE\" to replace it"
        case .noEqualsSign: "name a field and its value, such as due=fri"
        case .emptyText, .identity, .reserved, .badName, .wrongKind, .badValue: nil
        }
    }
}

extension FieldChangeProblem {
    var code: FailureCode { isAboutFile ? .unsuitableField : .badValue }

    /// What to type instead; nil if the message is enough.
    var hint: String? {
        switch self {
        case .name(let problem): problem.hint
        case .noParent(let parent, _):
            "run \"todosync set TODO \(shellQuoted("\(visible(parent))={KEY: VALUE}"))\" to create it as a mapping"
        case .hasNoParts(let name, _, _) where ConventionalField.determines(name):
            "run \"todosync set TODO \(name)=VALUE\" to replace it"
        case .hasNoParts(let name, _, let part):
            "name \(visible(name)) to set or remove all of it, "
                + "or set \(shellQuoted("\(visible(name))={\(visible(part)): VALUE}")) to make it a mapping"
        case .noNumber(_, let list): "use \(visible(list)).1 for its first item"
        case .noItem: "items count from 1"
        case .isMissing(let name):
            "run \"todosync set TODO \(shellQuoted("\(visible(name))=[VALUE]"))\" to create a list; "
                + "+= adds a line only to notes"
        case .notAList: "+= and -= change lists, and += adds a line to notes; KEY=VALUE replaces any value"
        case .itemsAreMappings(let name):
            "run \"todosync set TODO \(shellQuoted("\(visible(name))+={text: …}"))\" to add one, "
                + "or \"todosync unset TODO \(shellQuoted("\(visible(name)).1"))\" to remove the first"
        case .noChecklist, .unclearTick:
            "give each item of a checklist a text, such as {text: Buy milk, done: false}"
        case .doesNotRecur: "run \"todosync set TODO every='2 weeks'\" to make it recur"
        case .isDone: "name the open todo, or run \"todosync reopen TODO\" first"
        case .hasNext(let path):
            "run \"todosync skip \(shellQuoted(visible(path)))\" to skip that one, or \"todosync rm TODO\" to remove this one"
        case .severalChecklists(let names): "name the list, too: \(visible(names.first ?? "checklist")).1"
        case .wrongKind: nil
        }
    }
}
