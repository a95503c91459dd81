internal import Platform
internal import TodoModel
internal import WorkingCopy

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
