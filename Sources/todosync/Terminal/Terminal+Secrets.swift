#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Terminal {
    /// Asks for what the terminal must not show, and returns the answer; nil at the end of the input.
    ///
    /// - Throws: A ``Failure`` on Ctrl-C, which the terminal does not turn into a signal meanwhile: one would
    ///   end the process and leave the terminal silent.
    func askSecretly(_ question: String) throws -> String? {
        var settings = termios()
        guard tcgetattr(input.descriptor, &settings) == 0 else {
            throw Failure(.cannotReadOrWrite, "the terminal can't be made silent: \(systemErrorWords(errno))")
        }
        let previous = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(input.descriptor, TCSAFLUSH, &settings) == 0 else {
            throw Failure(.cannotReadOrWrite, "the terminal can't be made silent: \(systemErrorWords(errno))")
        }
        defer {
            var previous = previous
            tcsetattr(input.descriptor, TCSAFLUSH, &previous)
            output.writeIgnoringErrors("\n")
        }
        output.writeIgnoringErrors(question)
        return try readSecret()
    }

    private func readSecret() throws -> String? {
        let (interrupt, endOfInput, backspace, delete): (UInt8, UInt8, UInt8, UInt8) = (
            0x03, 0x04, 0x08, 0x7F
        )
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(input.descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return nil }
            switch byte {
            case interrupt: throw Failure(.interrupted, "nothing was changed")
            case endOfInput: return nil
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: line, as: UTF8.self)
            case backspace, delete: _ = line.popLast()
            default: line.append(byte)
            }
        }
    }
}
