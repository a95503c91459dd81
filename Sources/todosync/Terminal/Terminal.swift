internal import Platform

/// A terminal with a user in front of it.
struct Terminal: Sendable {
    let input: Stream
    let output: Stream

    /// Creates the terminal of a process; nil if standard input isn't a terminal.
    init?(_ process: ProcessSurroundings) {
        guard process.standardInput.isTerminal else { return nil }
        input = process.standardInput
        // Prompts are not results. If errors go to a file, the terminal of the input is usually writable as
        // well.
        output = process.standardError.isTerminal ? process.standardError : process.standardInput
    }

    func print(_ text: String) {
        output.writeIgnoringErrors(text + "\n")
    }

    /// Prompts and returns the answer without the white space around it.
    ///
    /// Returns nil at the end of the input or if a signal asks the command to end.
    func ask(_ question: String) -> String? {
        output.progress?.pause(true)
        defer { output.progress?.pause(false) }
        output.writeIgnoringErrors(question)
        guard waitForInput(), let line = input.readLine() else {
            output.writeIgnoringErrors("\n")
            return nil
        }
        return String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// Waits for input or its end; returns false if a signal asks the command to end.
    private func waitForInput() -> Bool {
        while Interruption.status == nil {
            var waiting = pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Interruption.pause) > 0 { return true }
        }
        return false
    }

    /// Asks a yes-or-no question; the end of the input means no.
    ///
    /// - Parameter isYesDefault: Whether an empty answer means yes.
    func confirms(_ question: String, isYesDefault: Bool = true) -> Bool {
        while true {
            switch ask(question)?.lowercased() {
            case nil, "n", "no": return false
            case "y", "yes": return true
            case "": return isYesDefault
            default: continue
            }
        }
    }
}

/// The features of the user's terminal, according to the environment.
struct TerminalFeatures {
    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Returns whether output is colored.
    ///
    /// The first setting decides: `--color`, NO_COLOR (<https://no-color.org>), CLICOLOR_FORCE
    /// (<https://bixense.com/clicolors>), or the terminal itself.
    func showsColor(_ choice: ColorChoice) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if value("NO_COLOR") != nil { return false }
        if let forced = value("CLICOLOR_FORCE") { return forced != "0" || isColorTerminal }
        return isColorTerminal
    }

    private var isColorTerminal: Bool { process.standardOutput.isTerminal && value("TERM") != "dumb" }

    /// Whether paths can be links, which requires a terminal with known support.
    ///
    /// Other terminals print a part of the link. Messages also contain paths, so errors have to go to the
    /// terminal as well. Inside tmux and screen, the outer terminal is unknown.
    var showsLinks: Bool {
        guard process.standardOutput.isTerminal, process.standardError.isTerminal, !isMultiplexed,
            passesPager
        else { return false }
        if Self.terminals.contains(value("TERM") ?? "") { return true }
        if Self.programs.contains(value("TERM_PROGRAM") ?? "") { return true }
        if let version = value("VTE_VERSION").flatMap({ Int($0) }) { return version >= Self.firstVTE }
        return value("KONSOLE_VERSION").flatMap { Int($0) }.map { $0 >= Self.firstKonsole } ?? false
    }

    private var isMultiplexed: Bool {
        let terminal = value("TERM") ?? "dumb"
        return value("TMUX") != nil || value("STY") != nil
            || ["dumb", "linux", "tmux", "screen"].contains { terminal == $0 || terminal.hasPrefix($0 + "-") }
    }

    /// Whether the pager shows links; `less -R` does.
    private var passesPager: Bool { ["less", "cat", ""].contains(process.environment("PAGER") ?? "less") }

    /// The values of TERM of terminals that show links.
    private static let terminals: Set<String> = [
        "alacritty", "contour", "foot", "foot-extra", "wezterm", "xterm-ghostty", "xterm-kitty",
    ]
    /// The values of TERM_PROGRAM of terminals that show links.
    private static let programs: Set<String> = [
        "Hyper", "WezTerm", "ghostty", "iTerm.app", "rio", "vscode",
    ]
    /// VTE 0.50, the first version of GNOME's terminals that shows links.
    private static let firstVTE = 5000
    /// Konsole 20.12, the first version that shows links.
    private static let firstKonsole = 201_200

    /// Returns a variable's value; nil if it is unset or empty.
    private func value(_ variable: String) -> String? {
        process.environment(variable).flatMap { $0.isEmpty ? nil : $0 }
    }
}

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
