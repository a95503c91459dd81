internal import ArgumentParser
internal import Remotes
internal import TodoModel
internal import Values

/// Parses and runs commands, and prints their errors.
struct Interpreter: Sendable {
    let process: ProcessSurroundings

    /// Runs one command, prints any error on standard error, and returns the exit status.
    func run(_ arguments: [String]) -> ExitStatus {
        let isJSON = wantsJSON(arguments)
        do {
            if arguments.isEmpty || [["--help"], ["-h"], ["help"]].contains(arguments) {
                try process.standardOutput.write(FirstScreen.text(listsAll: false, width: helpWidth))
                return .done
            }
            if listsAllCommands(arguments) {
                try process.page(
                    Array(FirstScreen.text(listsAll: true, width: helpWidth).utf8),
                    usesPager: !arguments.contains("--no-pager"))
                return .done
            }
            if let answer = completionAnswer(arguments) {
                // The shell might not read all of the answer.
                process.standardOutput.writeIgnoringErrors(answer)
                return .done
            }
            // The parser would take as long for the version as for any command.
            let isVerbose = !Set(["--verbose", "-v"]).isDisjoint(with: arguments)
            if arguments.count == 1 + [isVerbose, isJSON].count(where: \.self),
                !OtherNames.version.isDisjoint(with: arguments)
            {
                try process.standardOutput.write(versionText(isVerbose: isVerbose, isJSON: isJSON))
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
            process.logger = decisionLogger(process, warns: !isJSON)
            // With --json, standard error is only for an error, because the report contains the warnings.
            if isJSON { process.standardError = .none }
            let session = try Session(command.global, arguments: arguments, process: process)
            defer { session.progress?.end() }
            return try command.run(in: session)
        } catch {
            let status = end(
                with: error, for: arguments, isJSON: isJSON, usesPager: !arguments.contains("--no-pager"))
            // As with "git merge-file", a smaller number would mean that the file has conflict markers.
            let isDriver = commandIndex(in: arguments).map { arguments[$0] } == "merge-file"
            return isDriver && status != .done && !status.isInterruption ? .cannotMerge : status
        }
    }

    /// The width of help, in columns; narrower terminals break its lines.
    ///
    /// A terminal's own width comes first, because a shell's variable can be older.
    var helpWidth: Int {
        let width = process.standardOutput.terminalWidth ?? process.environment("COLUMNS").flatMap(Int.init)
        return max(40, width ?? 80)
    }

    /// Returns whether the words are `help --all`, perhaps with options of every command.
    private func listsAllCommands(_ arguments: [String]) -> Bool {
        let words = commandIndex(in: arguments) == nil ? arguments : []
        return words.contains { ["help", "--help", "-h"].contains($0) }
            && words.contains { ["--all", "-a"].contains($0) }
    }

    private func versionText(isVerbose: Bool, isJSON: Bool) -> [UInt8] {
        if isJSON { return JSON.write(versionJSON(Todosync.number), form: .pretty) + [UInt8(ascii: "\n")] }
        let details = isVerbose ? Todosync.versionDetails.map { "\($0.name): \($0.value)\n" } : []
        return Array("todosync \(Todosync.number)\n\(details.joined())".utf8)
    }

    /// Returns the parsed command; nil after answering a request for help.
    private func parsed(_ arguments: [String]) throws -> (any Command)? {
        let arguments = OtherNames.replaced(in: arguments)
        try refuseUnknownCommand(in: arguments)
        var parsed = try Todosync.parseAsRoot(joiningPastDates(in: sparingNegatedTerms(in: arguments)))
        if let command = parsed as? any Command { return command }
        try parsed.run()
        return nil
    }

    /// Prints an error or the requested help, and returns the exit status.
    func end(
        with error: any Error, for arguments: [String] = [], isJSON: Bool = false, usesPager: Bool = false
    ) -> ExitStatus {
        let code = Todosync.exitCode(for: error)
        if code == .success {
            do {
                let message = Todosync.fullMessage(for: error, columns: helpWidth)
                let text = helpText(message, width: helpWidth)
                try process.page(Array(text.utf8), usesPager: usesPager)
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
        if [.usage, .notFound].contains(failure.status),
            let advice = OtherWords.advice(for: OtherNames.replaced(in: arguments))
        {
            failure = Failure(
                failure.status, failure.message, details: failure.details, hint: advice, code: failure.code,
                path: failure.path)
        }
        if isJSON {
            process.standardError.writeIgnoringErrors(JSON.write(json(failure)) + [UInt8(ascii: "\n")])
            return failure.status
        }
        for line in failure.lines { process.standardError.writeMessage(line) }
        return failure.status
    }

    /// Returns the server that didn't accept the key; nil for other errors.
    private func serverWithBadKey(_ error: any Error) -> ServerOrigin? {
        switch error {
        case RemoteError.notAllowed(.unknown(let url, _)), RemoteError.notAllowed(.malformed(let url)):
            ServerOrigin(url: url)
        default: nil
        }
    }

    /// Returns the argument parser's message in the form of todosync's errors.
    private func usageFailure(_ error: any Error, for arguments: [String]) -> Failure {
        // The parser adds a line for each alternative reading of the words.
        let message = String(Todosync.message(for: error).prefix { $0 != "\n" })
        return Failure(
            .usage, withoutKeys(visible(usageMessage(message))),
            hint: "run \"\(commandNamed(in: OtherNames.replaced(in: arguments))) --help\" for help")
    }
}

/// Returns the argument parser's help with its usage in lines that fit a width, and with a line that names
/// the options of every command.
private func helpText(_ text: String, width: Int) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let usage = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return text + "\n" }
    let end = lines[usage...].firstIndex(of: "") ?? lines.endIndex
    for index in (usage..<end).reversed() where displayWidth(lines[index]) > width {
        let start = lines[index].prefix(7)
        let rest = wrapped(
            String(lines[index].dropFirst(7)), width: width, first: String(start), indent: "         ")
        lines[index] = String(rest.dropLast())
    }
    // The parser's pointer to the help of subcommands.
    for index in lines.indices where lines[index].hasPrefix("  See '") {
        lines[index] = String(wrapped(lines[index], width: width, first: "  ", indent: "  ").dropLast())
    }
    while lines.last == "" { lines.removeLast() }
    let common = wrapped("Every command takes \(GlobalOptions.summary).", width: width)
    return lines.joined(separator: "\n") + "\n\n" + common
}

/// Returns a text without anything that looks like a key.
///
/// This also removes user names, passwords and queries from URLs, because they can contain a key.
func withoutKeys(_ text: String) -> String {
    text.replacing(/todosync_[0-9A-Za-z]{8,}/, with: "todosync_…")
        .replacing(/(?<scheme>https?:\/\/)[^\s\/'"]*@/) { "\($0.scheme)…@" }
        .replacing(/(?<url>https?:\/\/[^\s?'"]*)\?[^\s'"]*/) { "\($0.url)?…" }
}

/// Returns a command as the user could type it into a shell.
func commandLine(_ arguments: [String]) -> String {
    (["todosync"] + arguments).map(shellQuoted).joined(separator: " ")
}

/// Returns a message of the argument parser in the words and the form of todosync's errors.
///
/// Messages that this function doesn't know stay the same, but begin with a lowercase letter.
private func usageMessage(_ message: String) -> String {
    if let match = message.wholeMatch(of: /Unknown option '(.+)'\. Did you mean '(.+)'\?/) {
        // The parser always suggests the nearest option, even if it isn't near.
        let (typed, suggestion) = (String(match.1), String(match.2))
        let isNear = nearestWord(to: typed.filter { $0 != "-" }, in: [suggestion.filter { $0 != "-" }]) != nil
        return "unknown option '\(typed)'" + (isNear ? "; did you mean '\(suggestion)'?" : "")
    }
    if let match = message.wholeMatch(of: /Missing expected argument '(.+?)( \.\.\.)?'/) {
        let name = match.1.prefix { $0 != " " }
        return name.hasPrefix("-") ? "the option \(name) is missing" : "the argument \(name) is missing"
    }
    if let match = message.wholeMatch(of: /The value '(.*)' is invalid for '([^ ']+)[^']*'(.*)/) {
        let (value, name, rest) = (match.1, match.2, match.3)
        if let choices = rest.wholeMatch(of: /\. Please provide one of (.+)\./) {
            return "\(name) takes \(choices.1.filter { $0 != "'" }), not '\(value)'"
        }
        // Some reasons name the value themselves.
        return rest.hasPrefix(": '")
            ? String(rest.dropFirst(2)) : "'\(value)' is not valid for \(name)\(rest)"
    }
    return message.prefix(1).lowercased() + message.dropFirst()
}
