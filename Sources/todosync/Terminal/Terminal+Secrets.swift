internal import Platform

extension Terminal {
    /// Prompts for a secret without showing it and returns the answer; nil at the end of the input.
    ///
    /// - Throws: A ``Failure`` on Ctrl-C, which sends no signal during the prompt. A signal that ends the
    ///   process takes effect after the terminal is restored.
    func askSecretly(_ question: String) throws -> String? {
        var ending = Self.endingSignals
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &ending, &before)
        // Signals that arrived during the prompt are delivered here, after the terminal is restored.
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var settings = termios()
        guard tcgetattr(input.descriptor, &settings) == 0 else {
            throw Failure(
                .cannotReadOrWrite, "can't hide what is typed at the terminal: \(systemErrorWords(errno))")
        }
        let previous = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(input.descriptor, TCSAFLUSH, &settings) == 0 else {
            throw Failure(
                .cannotReadOrWrite, "can't hide what is typed at the terminal: \(systemErrorWords(errno))")
        }
        defer {
            var previous = previous
            tcsetattr(input.descriptor, TCSAFLUSH, &previous)
            output.writeIgnoringErrors("\n")
        }
        output.writeIgnoringErrors(question)
        return try readSecret()
    }

    /// The signals that ask a process to end; the system sends SIGHUP when the terminal closes.
    private static var endingSignals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }

    /// Waits for input; returns false if a signal is about to end the process.
    private func isReady() -> Bool {
        while true {
            var pending = sigset_t()
            sigpending(&pending)
            if sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGHUP) == 1 { return false }
            var waiting = pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 100) > 0 { return true }
        }
    }

    private func readSecret() throws -> String? {
        let (interrupt, endOfInput, backspace, delete): (UInt8, UInt8, UInt8, UInt8) = (
            0x03, 0x04, 0x08, 0x7F
        )
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            guard isReady(), read(input.descriptor, &byte, 1) == 1 else { return nil }
            switch byte {
            case interrupt: throw Failure(interrupted: "nothing was changed")
            case endOfInput: return nil
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: line, as: UTF8.self)
            case backspace, delete: _ = line.popLast()
            default: line.append(byte)
            }
        }
    }
}
