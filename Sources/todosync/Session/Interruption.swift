internal import CSystemCalls

/// Ctrl-C, SIGTERM or SIGHUP: how the user or the system ends a command.
///
/// A command that only reads ends at once. A command that writes is asked to end, and has two seconds to
/// finish. The next command completes or reverts whatever is left half-done then, as after a crash, and the
/// kernel releases the lock.
enum Interruption {
    /// Makes the signals end the process with the contract's statuses.
    static func begin() { csystem_handle_endings() }

    /// Makes the first signal ask the command to end, instead of ending it.
    static func hold() { csystem_hold_endings() }

    /// The status to end with after a signal has asked for it; nil as long as no signal has.
    static var status: ExitStatus? { signal.flatMap { ExitStatus(rawValue: 128 + $0) } }

    /// The signal that asked the command to end; nil as long as no signal has.
    static var signal: Int32? {
        let signal = csystem_ending()
        return signal == 0 ? nil : signal
    }

    /// How often waiting code checks whether the command should end, in milliseconds.
    static let pause: Int32 = 50
}
