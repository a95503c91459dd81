/// What a command's end tells a script; the numbers follow sysexits.h where it has one.
enum ExitStatus: Int32, Sendable {
    case done = 0
    /// Done, and something waits for the user.
    case needsUser = 1
    /// The command line is wrong.
    case usage = 64
    /// The todo named is not valid, or `.todosync` is damaged beyond the command's reach.
    case invalidData = 65
    /// There is no such todo, file or working directory.
    case notFound = 66
    /// The remote can't be reached or answers nonsense.
    case remoteUnavailable = 69
    /// An error that no case foresees: a defect.
    case internalError = 70
    case cannotCreate = 73
    case cannotReadOrWrite = 74
    /// Another todosync is at work here.
    case busy = 75
    /// The key is missing or wrong.
    case notAllowed = 77
    /// The configuration is wrong, or the remote is not the one it was, or on a server that is not trusted.
    case configuration = 78
    /// Ended by SIGHUP, as when the terminal goes away.
    case hungUp = 129
    /// Ended by Ctrl-C.
    case interrupted = 130
    /// Ended by SIGTERM.
    case terminated = 143

    /// Whether a signal asked for the end.
    var isInterruption: Bool { [.hungUp, .interrupted, .terminated].contains(self) }
}
