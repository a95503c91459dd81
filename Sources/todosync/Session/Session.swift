internal import ArgumentParser
internal import Git
internal import LosslessYAML
internal import Remotes
internal import SyncEngine
internal import Synchronization
internal import TodoModel
internal import Values
internal import WorkingCopy

/// A command's context: the global options, the surroundings of the process, and the output.
struct Session: Sendable {
    private(set) var process: ProcessSurroundings
    let isQuiet: Bool
    let isVerbose: Bool
    let hasColor: Bool
    /// Whether long output goes through the pager at a terminal.
    let usesPager: Bool
    /// The absolute path of the current directory after `-C`.
    let currentDirectory: String
    /// The command as the user typed it.
    let commandLine: String
    /// The number of words after `--`, which the argument parser doesn't tell from the words before it.
    let plainWordCount: Int
    /// The line that shows progress; nil if the user doesn't see it.
    let progress: ProgressLine?

    /// Creates a session and makes the folder of `-C` the current directory.
    init(_ options: GlobalOptions, arguments: [String], process: ProcessSurroundings) throws {
        try allowOpenFiles()
        if let directory = options.directory { try changeDirectory(to: directory) }
        currentDirectory = try todosync.currentDirectory()
        closeFileMask(in: currentDirectory)
        isQuiet = options.quiet
        isVerbose = options.verbose
        usesPager = !options.noPager
        hasColor = TerminalFeatures(process).showsColor(options.color)
        commandLine = todosync.commandLine(arguments)
        plainWordCount = arguments.firstIndex(of: "--").map { arguments.count - $0 - 1 } ?? 0
        // The lines of a log show the progress, too.
        progress = options.quiet || process.logger != nil ? nil : ProgressLine(process)
        var process = process
        (process.standardOutput.progress, process.standardError.progress) = (progress, progress)
        self.process = process
    }

    /// The same session without standard output.
    var silent: Session {
        var session = self
        session.process.standardOutput = .none
        return session
    }

    /// Returns the working directory around the current directory, for writing if there are lock options.
    ///
    /// - Parameter server: The server that the user named in this command.
    func workspace(_ lock: LockOptions? = nil, naming server: ServerOrigin? = nil) throws -> Workspace {
        let workspace = try Workspace.open(from: currentDirectory, surroundings(lock))
        return Workspace(
            directory: workspace.directory,
            surroundings: try surroundings(lock, for: workspace.directory, naming: server))
    }

    /// Returns what the engine needs from the outside world.
    ///
    /// A command with lock options writes, so signals ask it to end instead of ending it.
    ///
    /// - Parameters:
    ///   - folder: The working directory, if there is one.
    ///   - server: The server that the user named in this command, which todosync may then contact.
    func surroundings(
        _ lock: LockOptions? = nil, for folder: WorkingDirectory? = nil, naming server: ServerOrigin? = nil
    ) throws -> Surroundings {
        if lock != nil { Interruption.hold() }
        let errorOutput = process.standardError
        var surroundings = Surroundings(
            now: process.now,
            randomBytes: process.randomBytes,
            connect: { [process] url in try connect(to: url, for: folder, naming: server, process) },
            notice: { line in errorOutput.writeMessage(visible(line)) },
            pause: pause(for:),
            lockTimeout: lock?.timeout ?? .seconds(LockOptions.standardSeconds),
            commandLine: commandLine,
            deviceName: lock == nil ? nil : try deviceName(process),
            environment: gitEnvironment,
            isAskedToEnd: { Interruption.status != nil },
            searchesTexts: true)
        surroundings.progress = progress?.report
        surroundings.logger = process.logger
        surroundings.zone = LocalZone(offset: process.offsetFromUTC)
        return surroundings
    }

    /// The environment variables for git.
    private var gitEnvironment: [String: String] {
        let variables = GitProcess.variables.map { ($0, process.environment($0)) }
        return Dictionary(variables) { first, _ in first }.compactMapValues(\.self)
    }

    /// Returns the look of results, in a working directory or outside one.
    func style(in workspace: Workspace? = nil) -> Style {
        let features = TerminalFeatures(process)
        return Style(
            hasColor: hasColor,
            width: process.standardOutput.terminalWidth,
            height: isVerbose ? nil : process.standardOutput.terminalHeight,
            isVerbose: isVerbose,
            folder: workspace.flatMap { pathBelow($0.root, currentDirectory) } ?? "",
            links: workspace.flatMap { workspace in
                guard hasColor, features.showsLinks else { return nil }
                return FileLinks(host: process.hostName(), root: workspace.root)
            })
    }

    // MARK: Output

    /// Prints the requested result.
    func show(_ text: String) throws { try process.standardOutput.write(text) }

    /// Prints a result that can be long, through the pager at a terminal.
    func page(_ text: String) throws { try process.page(Array(text.utf8), usesPager: usesPager) }

    /// Prints a JSON value, for programs; the compact form is a single line.
    func show(json: Value, form: JSON.Form = .pretty) throws {
        try process.standardOutput.write(JSON.write(json, form: form) + [UInt8(ascii: "\n")])
    }

    /// Prints what a command did, unless `--quiet` is given; a terminal's lines are broken between words.
    func print(_ text: String) throws {
        let output = process.standardOutput
        if !isQuiet { try output.write(fitted(text, width: output.terminalWidth)) }
    }

    /// Prints a note on standard error, unless `--quiet` is given.
    func remark(_ line: String) {
        if !isQuiet { process.standardError.writeMessage(line) }
    }

    /// Prints on standard error what needs the user's attention or went wrong.
    func warn(_ lines: [String]) {
        for line in lines { process.standardError.writeMessage(line) }
    }
}

extension Session {
    /// Returns the names, for the engine, of todos that a command is about to remove or replace.
    ///
    /// The user has to confirm a todo that was found by words or by a prefix of its file's name.
    ///
    /// - Parameter action: Returns what the command does to todos, as a prompt names it.
    /// - Throws: A ``Failure`` if the user declines, or if a prompt is necessary and impossible.
    func confirmedNames(
        _ typed: [String], to action: (_ todos: String) -> String, _ options: ConfirmationOptions,
        in workspace: Workspace
    ) throws -> [String] {
        let names = todoNames(typed, in: workspace)
        if options.yes || TypedPath.areFiles(typed, currentDirectory) { return names }
        let matches = try workspace.identify(names)
        let found = matches.filter(\.kind.needsConfirmation)
        if found.isEmpty { return names }
        guard let terminal = terminal(options) else {
            throw Failure(
                .usage, "this would \(action(words(found))); nothing was changed",
                details: found.count == 1 ? [] : lines(naming: found.map(\.todo)),
                hint: "add --yes to confirm, or type a handle or a path")
        }
        for match in found {
            guard terminal.confirms("\(action(match.todo.words))? [y/N] ", isYesDefault: false) else {
                throw Failure(declined: "nothing was changed")
            }
        }
        return matches.map(\.exactName)
    }

    /// Returns the terminal for prompts; nil if there isn't one or the user wants no prompts.
    func terminal(_ options: ConfirmationOptions) -> Terminal? {
        options.noInput || !process.standardError.isTerminal ? nil : Terminal(process)
    }

    private func words(_ found: [NameMatch]) -> String {
        found.count == 1 ? found[0].todo.words : "these todos"
    }
}

/// A todosync command with its parsed arguments.
protocol Command: ParsableCommand {
    var global: GlobalOptions { get }

    /// Runs the command.
    ///
    /// - Throws: The error that stops the command; ``Failure`` has a message and a status for each error.
    func run(in session: Session) throws -> ExitStatus
}

private let kept = Mutex<(any Sendable)?>(nil)

/// Keeps a command's result until the process exits or the next result replaces it.
///
/// The process exits sooner if it doesn't free the result's memory first: 11 ms sooner for a first push of
/// 10,000 todos.
func keepUntilExit(_ result: some Sendable) { kept.withLock { $0 = result } }
