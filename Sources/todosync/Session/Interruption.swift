internal import CSystemCalls

/// The signals that end a command: Ctrl-C, SIGTERM and SIGHUP.
///
/// A command that only reads ends at once. A command that writes ends within two seconds. The next command
/// then completes or reverts what is half-done, as after a crash, and the kernel releases the lock.
enum Interruption {
    /// Makes the signals end the process with the documented statuses.
    static func begin() { csystem_handle_endings() }

    /// Makes the first signal ask the command to end, instead of ending it.
    static func hold() { csystem_hold_endings() }

    /// The status to end with after a signal; nil before any signal.
    static var status: ExitStatus? { signal.flatMap { ExitStatus(rawValue: 128 + $0) } }

    /// The signal that asked the command to end; nil before any signal.
    static var signal: Int32? {
        let signal = csystem_ending()
        return signal == 0 ? nil : signal
    }

    /// The time in milliseconds between two checks of whether a waiting command should end.
    static let pause: Int32 = 50
}
