internal import Platform
internal import Remotes
internal import TodoModel
internal import WorkingCopy

extension Failure {
    /// What a call to the operating system that failed comes to.
    ///
    /// - Parameters:
    ///   - message: what can't be done, and with which file.
    ///   - code: the `errno`.
    init(_ status: ExitStatus, _ message: String, code: Int32) {
        self.init(status, "\(message): \(systemErrorWords(code))", hint: Advice.afterFault(code))
    }

    init(_ error: FileError) {
        let isCreation =
            switch error.operation {
            case .create, .makeFolder: true
            default: false
            }
        self.init(
            isCreation ? .cannotCreate : .cannotReadOrWrite, visible(error.description),
            hint: Advice.afterFault(error.code))
    }

    /// What ends a command that has told which todos it left as they were; nil if no file was the reason.
    init?(leaving errors: [FileError]) {
        guard let first = errors.first else { return nil }
        self.init(
            Failure(first).status, "\(counted(errors.count, "todo")) could not be read or written",
            hint: "nothing is lost; \(Advice.afterFault(first.code))")
    }
}

extension Advice {
    /// What to do where a call to the operating system failed.
    static func afterFault(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT: "make room on the disk and try again"
        case EACCES, EPERM: "get permission to read and write there, and try again"
        case EROFS: "mount the disk for writing and try again"
        case EMFILE, ENFILE: "allow more open files (ulimit -n) and try again"
        case EAGAIN: "allow more threads (ulimit -u, or the container's limit of processes) and try again"
        case ELOOP, EISDIR: "move it away or replace it with what belongs there, and try again"
        case ENOENT: "check that it exists and try again"
        default: "check the disk and the folder, and try again"
        }
    }
}

extension StorageProblem {
    /// The `errno` of the like.
    var code: Int32 {
        switch self {
        case .diskFull: ENOSPC
        case .notPermitted: EACCES
        case .inputOutput: EIO
        }
    }
}

extension StoreError {
    /// The `errno` of the like.
    var code: Int32 {
        switch self {
        case .diskFull: ENOSPC
        case .notPermitted, .readOnly: EACCES
        default: EIO
        }
    }
}

/// Returns the operating system's words for an error number, to stand within a sentence.
func systemErrorWords(_ code: Int32) -> String {
    FileError.words(of: code)
}
