internal import ArgumentParser
internal import Remotes
internal import TodoModel
internal import Values

/// Runs commands, from their words to their exit status.
struct Interpreter: Sendable {
    let process: ProcessSurroundings

    /// Runs one command, and turns its errors into words on standard error and a status.
    func run(_ arguments: [String]) -> ExitStatus {
        let isJSON = wantsJSON(arguments)
        do {
            if arguments.isEmpty || [["--help"], ["-h"], ["help"]].contains(arguments) {
                try process.standardOutput.write(FirstScreen.text + "\n")
                return .done
            }
            if let answer = completionAnswer(arguments) {
                // A shell that doesn't read it to the end is fine.
                process.standardOutput.writeIgnoringErrors(answer)
                return .done
            }
            // The parser would take as long for this as for any command.
            if arguments.count == 1, OtherNames.version.contains(arguments[0]) {
                try process.standardOutput.write(Todosync.configuration.version + "\n")
                return .done
            }
            if isJSON, arguments.count == 2, !OtherNames.version.isDisjoint(with: arguments) {
                let version = Todosync.configuration.version.split(separator: " ").last ?? ""
                try process.standardOutput.write(
                    JSON.write(versionJSON(String(version)), form: .pretty) + [UInt8(ascii: "\n")])
                return .done
            }
            if let topic = try helpTopic(arguments) {
                try show(topic, usesPager: !arguments.contains("--no-pager"))
                return .done
            }
            if let folder = manualFolder(arguments) {
                try writeManual(to: folder)
                return .done
            }
            guard let command = try EverydayCommand.reading(arguments) ?? parsed(arguments) else {
                return .done
            }
            var process = process
            // With --json, nothing but an error is printed there; the report has what needs the user.
            if isJSON { process.standardError = .none }
            let session = try Session(command.global, commandLine: commandLine(arguments), process: process)
            defer { session.progress?.end() }
            return try command.run(in: session)
        } catch {
            let status = end(
                with: error, for: arguments, isJSON: isJSON, usesPager: !arguments.contains("--no-pager"))
            // Smaller numbers mean that the file has conflict markers.
            let isDriver = commandIndex(in: arguments).map { arguments[$0] } == "merge-file"
            return isDriver && status != .done && !status.isInterruption ? .cannotMerge : status
        }
    }

    /// Returns the command that the argument parser reads; nil after a request for help, which is answered
    /// here.
    private func parsed(_ arguments: [String]) throws -> (any Command)? {
        let arguments = OtherNames.replaced(in: arguments)
        try refuseUnknownCommand(in: arguments)
        var parsed = try Todosync.parseAsRoot(sparingNegatedTerms(in: arguments))
        if let command = parsed as? any Command { return command }
        try parsed.run()
        return nil
    }

    /// Prints an error, or the help that the user asked for, and returns the status to end the process with.
    func end(
        with error: any Error, for arguments: [String] = [], isJSON: Bool = false, usesPager: Bool = false
    ) -> ExitStatus {
        let code = Todosync.exitCode(for: error)
        if code == .success {
            do {
                try process.page(Array((Todosync.fullMessage(for: error) + "\n").utf8), usesPager: usesPager)
                return .done
            } catch {
                return end(with: error, isJSON: isJSON)
            }
        }
        var failure = code == .validationFailure ? usageFailure(error, for: arguments) : Failure(error)
        if let server = serverWithBadKey(error), (try? Keys(process).givenKey(for: server)) != nil {
            failure = Failure(
                failure.status, failure.message,
                hint: Keys.overriding, code: failure.code)
        }
        if case RemoteError.notAllowed(.unknown(let url, _)) = error, failure.hint != Keys.overriding,
            let server = ServerOrigin(url: url),
            (try? CredentialsFile(process).key(for: server)) ?? nil != nil
        {
            failure = Failure(
                failure.status, "the saved key was refused: \(failure.message)",
                hint: "run \"todosync remote login \(shellQuoted(visible(url)))\" to save a different one",
                code: .savedKeyRefused)
        }
        if isJSON {
            process.standardError.writeIgnoringErrors(JSON.write(json(failure)) + [UInt8(ascii: "\n")])
            return failure.status
        }
        for line in failure.lines { process.standardError.writeIgnoringErrors(line + "\n") }
        return failure.status
    }

    /// The server that another key would help with.
    private func serverWithBadKey(_ error: any Error) -> ServerOrigin? {
        switch error {
        case RemoteError.notAllowed(.unknown(let url, _)), RemoteError.notAllowed(.malformed(let url)):
            ServerOrigin(url: url)
        default: nil
        }
    }

    /// Puts the argument parser's message into the form of our own errors.
    private func usageFailure(_ error: any Error, for arguments: [String]) -> Failure {
        // The parser adds a line for each other reading of the words.
        let message = Todosync.message(for: error).prefix { $0 != "\n" }
        return Failure(
            .usage, withoutKeys(visible(message.prefix(1).lowercased() + message.dropFirst())),
            hint: "run \"\(commandNamed(in: OtherNames.replaced(in: arguments))) --help\" for help")
    }
}

/// Returns a text without anything that looks like a key.
///
/// The names, passwords and queries of URLs are removed, too, as they can hold a key.
func withoutKeys(_ text: String) -> String {
    text.replacing(/todosync_[0-9A-Za-z]{8,}/, with: "todosync_…")
        .replacing(/(?<scheme>https?:\/\/)[^\s\/'"]*@/) { "\($0.scheme)…@" }
        .replacing(/(?<url>https?:\/\/[^\s?'"]*)\?[^\s'"]*/) { "\($0.url)?…" }
}

/// Returns a command as the user could type it into a shell.
func commandLine(_ arguments: [String]) -> String {
    (["todosync"] + arguments).map(shellQuoted).joined(separator: " ")
}

/// Returns a word as a POSIX shell reads it back.
func shellQuoted(_ word: String) -> String {
    let isPlain =
        !word.isEmpty
        && word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                true
            default:
                "-_./=:,@%+#".utf8.contains(byte) && !(byte == UInt8(ascii: "#") && word.utf8.first == byte)
            }
        }
    if isPlain { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
