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
