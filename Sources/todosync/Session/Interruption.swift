internal import CSystemCalls

/// What a user, or the system, does to a command by Ctrl-C, SIGTERM or SIGHUP.
///
/// A command that only reads ends at once. One that writes is asked to end, and has two seconds for it;
/// whatever it leaves half-done then is finished or taken back by the next command, as after a crash, and the
/// kernel releases the lock.
enum Interruption {
    /// Makes the signals end the process with the contract's statuses.
    static func begin() { csystem_handle_endings() }

    /// Makes the first signal ask the command to end, instead of ending it.
    static func hold() { csystem_hold_endings() }

    /// The status to end with where a signal has asked for it; nil as long as none has.
    static var status: ExitStatus? { signal.flatMap { ExitStatus(rawValue: 128 + $0) } }

    /// The signal that has asked for the end; nil as long as none has.
    static var signal: Int32? {
        let signal = csystem_ending()
        return signal == 0 ? nil : signal
    }

    /// How often whoever waits looks whether the command is to end, in milliseconds.
    static let pause: Int32 = 50
}
