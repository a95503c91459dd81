internal import Values

/// The user's editor: `$VISUAL`, otherwise `$EDITOR`, otherwise `vi`, which needs a terminal.
struct Editor: Sendable {
    /// The editor's command for a shell; it can have arguments, as in `code --wait`.
    let command: String
    /// Whether no terminal can show the editor.
    private let lacksTerminal: Bool

    init(_ process: ProcessSurroundings) {
        let named = ["VISUAL", "EDITOR"].compactMap(process.environment).first { !$0.isEmpty }
        command = named ?? "vi"
        let isAtTerminal = process.standardInput.isTerminal && process.standardOutput.isTerminal
        lacksTerminal = named == nil && !isAtTerminal
    }

    /// Opens a file and waits until the editor ends.
    ///
    /// - Throws: A ``Failure`` if the editor can't be started or ends with an error.
    func edit(_ path: String) throws {
        if lacksTerminal {
            throw Failure(
                .cannotReadOrWrite, "there is no terminal for the editor '\(command)'",
                hint:
                    "edit \(visible(shellQuoted(path))) yourself, or set $VISUAL or $EDITOR to an editor that needs no "
                    + "terminal")
        }
        let status = try ChildProcess(
            arguments: ["/bin/sh", "-c", check + command + " \"$@\"", command, path], name: "the editor"
        ).run()
        if status == Self.notFound {
            throw Failure(
                .cannotReadOrWrite, "there is no editor '\(visible(command))'",
                hint: "install it, or set $VISUAL or $EDITOR to choose a different editor")
        }
        guard status == 0 else {
            throw Failure(
                .cannotReadOrWrite, "the editor '\(visible(command))' ended with an error",
                hint: "set $VISUAL or $EDITOR to choose a different editor")
        }
    }

    /// The status of a shell that doesn't find a program.
    private static let notFound: Int32 = 127

    /// The beginning of the shell's commands, which replaces the shell's own message about a missing program.
    private var check: String {
        let program = command.prefix { $0 != " " }
        let isPlain = program.wholeMatch(of: /[A-Za-z0-9_.\/+-]+/) != nil
        return isPlain ? "command -v \(program) >/dev/null 2>&1 || exit \(Self.notFound); " : ""
    }
}

/// The program that shows long output page by page: as with git, `$PAGER`, otherwise `less`.
struct Pager: Sendable {
    /// The pager's command for a shell.
    private let command: String

    /// Creates the pager of a process; nil if its output isn't a terminal or the user wants no pager.
    init?(_ process: ProcessSurroundings) {
        guard process.standardOutput.isTerminal else { return nil }
        command = process.environment("PAGER") ?? "less"
        if command.isEmpty || command == "cat" { return nil }
    }

    /// Shows a text until the user closes the pager; returns false if the program doesn't exist.
    ///
    /// The user can close the pager before it has read everything.
    func show(_ text: [UInt8]) throws -> Bool {
        let status = try ChildProcess(arguments: ["/bin/sh", "-c", script], name: "the pager").run(
            reading: text)
        return status != Self.notFound
    }

    /// The shell's exit status for a program that doesn't exist.
    private static let notFound: Int32 = 127

    /// The script that the shell runs.
    ///
    /// As with git, less ends by itself if everything fits on one screen, shows colors and leaves the text
    /// on the screen.
    private var script: String {
        // Ctrl-C is for the pager, but a shell in between would end first.
        let isPlain = command.utf8.allSatisfy { byte in
            byte == UInt8(ascii: " ") || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "_") == byte
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        }
        return """
            export LESS="${LESS-FRX}" LV="${LV--c}"
            \(command == "less" ? "command -v less >/dev/null || exit \(Self.notFound)" : "")
            \(isPlain ? "exec " : "")\(command)
            """
    }
}

extension ProcessSurroundings {
    /// Prints a text that might be long; at a terminal, through the pager if `usesPager` is true.
    func page(_ text: [UInt8], usesPager: Bool) throws {
        if usesPager, !text.isEmpty, let pager = Pager(self), try pager.show(text) { return }
        try standardOutput.write(text)
    }
}
