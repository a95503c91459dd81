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
