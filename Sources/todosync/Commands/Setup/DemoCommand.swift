internal import ArgumentParser

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
    @OptionGroup var global: GlobalOptions

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
