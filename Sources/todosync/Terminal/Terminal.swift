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

    func say(_ text: String) {
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
