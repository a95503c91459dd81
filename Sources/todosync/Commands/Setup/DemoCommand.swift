internal import ArgumentParser
internal import Values

/// The command `todosync demo [DIR]`.
struct DemoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show a merge and a conflict in two new working directories.",
        usage: "todosync demo [--json] [<dir>]",
        discussion: """
            Example: todosync demo

            Creates a store and two working directories, phone and laptop, that change the same todo: first so \
            that the changes merge, then so that they conflict. Shows each command as you would type it, with its \
            output, and leaves the conflict for you to resolve, with the next commands to type. At a terminal, \
            waits for Return after each step; Ctrl-C stops the demo.
            """)

    @Argument(help: "The folder to create.", completion: .directory)
    var dir = "todosync-demo"

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let folder = TypedPath(typed: dir, currentDirectory: session.currentDirectory).absolute
        try checkIsOutsideWorkingDirectories(
            folder, session.surroundings(), hint: "run \"todosync demo DIR\" with a folder outside of it")
        try createFolders(folder)
        guard try isEmptyFolder(folder) else {
            throw Failure(
                .cannotCreate, "\(visible(dir)) exists and is not empty",
                hint: "run \"todosync demo DIR\" to use a different folder")
        }
        var demo = Demo(session: session, folder: folder, typedFolder: dir, isSilent: json.isWanted)
        try demo.play()
        if json.isWanted { try session.show(json: demoJSON(folder, conflict: Demo.conflictPath)) }
        return .done
    }
}

/// Plays a merge and a conflict, using the real commands.
private struct Demo {
    let session: Session
    /// The absolute path of the folder that the demo runs in.
    let folder: String
    /// The folder as the user typed it.
    let typedFolder: String

    /// The device whose folder is the current directory.
    private var device = ""

    private static let file = "hello-world-3.yaml"
    /// The conflicted file, below the folder.
    static let conflictPath = "phone/\(file)"

    /// - Parameter isSilent: Whether to print only the result, without the scenes.
    init(session: Session, folder: String, typedFolder: String, isSilent: Bool) {
        self.session = isSilent ? session.silent : session
        self.folder = folder
        self.typedFolder = typedFolder
    }

    /// Plays the demo up to the conflict, which the user resolves.
    mutating func play() throws {
        Interruption.hold()
        defer { try? changeDirectory(to: session.currentDirectory) }
        try scene("A store, and two working directories that sync with it: a phone and a laptop.")
        try enter("", shownAs: typedFolder)
        try type(["init", "--bare", "store"])
        try type(["clone", "store", "phone"])
        try type(["clone", "store", "laptop"])
        try pause()
        try scene("The phone adds a todo, which is a file, and pushes it. The laptop pulls it.")
        try enter("phone", shownAs: "phone")
        try type(["add", "Hello world 3", "--tag", "hello"])
        try printFile()
        try type(["push"])
        try enter("laptop", shownAs: "../laptop")
        try type(["pull"])
        try pause()
        try scene(
            """
            Both change the line with the tags, and the laptop adds a due date. git would
            call this a conflict. todosync merges it, tag by tag.
            """)
        try type(["set", Self.file, "tags=hello,work", "due=2026-12-01"])
        try enter("phone", shownAs: "../phone")
        try type(["set", Self.file, "tags=hello,home"])
        try type(["push"])
        try enter("laptop", shownAs: "../laptop")
        try type(["sync"])
        try printFile()
        try pause()
        try scene(
            """
            Both change the text, and the laptop pushes first. Only you can choose between
            two texts, so the phone's file gets both, between conflict markers. Everything
            else is merged.
            """)
        try type(["set", Self.file, "text=Hello world 23"])
        try type(["push"])
        try enter("phone", shownAs: "../phone")
        try type(["set", Self.file, "text=Hello world 13"])
        try type(["push"])
        try printFile()
        try pause()
        try session.show(nextCommands)
    }

    /// The commands to type next, in any shell and regardless of where this program is installed.
    ///
    /// They have no comments, because interactive zsh doesn't support them.
    private var nextCommands: String {
        let path = session.process.programFolder().map {
            "\n  export PATH=\(shellQuoted($0)):\"$PATH\""
        }
        return """

            Now it is your turn. These commands show the conflict:

              cd \(shellQuoted(folder + "/phone"))\(path ?? "")
              todosync status

            Open the todo in your editor, write the text that you want, and remove the
            markers. todosync then offers to resolve the conflict:

              todosync edit \(Self.file)

            Or take one side:

              todosync resolve --use local

            Then send the result:

              todosync push


            """
    }

    private func scene(_ text: String) throws {
        try session.show("\n\(text)\n\n")
    }

    /// Waits until the user presses Return, if there is a terminal.
    ///
    /// - Throws: A ``Failure`` if the user stops the demo.
    private func pause() throws {
        let process = session.process
        if process.standardOutput.isTerminal, let terminal = Terminal(process) {
            _ = terminal.ask("\npress Return to continue ")
        }
        if Interruption.status != nil {
            throw Failure(
                interrupted: "the demo is not complete",
                hint: "run \"todosync demo DIR\" to start again in a different folder")
        }
    }

    private mutating func enter(_ name: String, shownAs typed: String) throws {
        try changeDirectory(to: name.isEmpty ? folder : folder + "/" + name)
        device = name
        try session.show("$ cd \(shellQuoted(typed))\n")
    }

    private func type(_ arguments: [String]) throws {
        try session.show("$ \(commandLine(arguments))\n")
        var process = session.process
        process.hostName = { [device] in device }
        let status = Interpreter(process: process).run(arguments)
        guard status == .done || status == .needsUser else {
            throw Failure(
                status, "the demo can't continue", hint: "run \"todosync demo DIR\" to try a different folder"
            )
        }
    }

    private func printFile() throws {
        try session.show("$ cat \(Self.file)\n")
        try session.show(visibleLines(readFile(folder + "/" + device + "/" + Self.file)))
    }
}
