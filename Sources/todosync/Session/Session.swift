internal import Git
internal import LosslessYAML
internal import Remotes
internal import SyncEngine
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
    /// The line that shows progress; nil if the user doesn't see it.
    let progress: ProgressLine?

    /// Creates a session and makes the folder of `-C` the current directory.
    init(_ options: GlobalOptions, commandLine: String, process: ProcessSurroundings) throws {
        try allowOpenFiles()
        if let directory = options.directory { try changeDirectory(to: directory) }
        currentDirectory = try todosync.currentDirectory()
        closeFileMask(in: currentDirectory)
        isQuiet = options.quiet
        isVerbose = options.verbose
        usesPager = !options.noPager
        hasColor = TerminalFeatures(process).showsColor(options.color)
        self.commandLine = commandLine
        progress = options.quiet ? nil : ProgressLine(process)
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
    func say(_ text: String) throws {
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
