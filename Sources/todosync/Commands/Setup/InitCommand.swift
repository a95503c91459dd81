internal import ArgumentParser
internal import Remotes
internal import SyncEngine

/// The command `todosync init [DIR]`.
struct InitCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a working directory, or with --bare a store.",
        usage: """
            todosync init [--only <glob>]... [<dir>]
            todosync init --bare <dir>
            """,
        discussion: """
            Todo files that are in the folder already are pushed as new with the first push. A store is a folder \
            on this machine that working directories push to and pull from.

            Example: todosync init --bare store && todosync clone store phone
            """)

    @Flag(help: "Make a store instead of a working directory.")
    var bare = false

    @Option(
        help: ArgumentHelp(
            "Take only files that match this pattern for todos; can be given several times.",
            valueName: "glob"))
    var only: [String] = []

    @Argument(help: "The folder; the current one if none is named.", completion: .directory)
    var dir: String?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if bare, !only.isEmpty {
            throw ValidationError("--only is for working directories; a store takes all")
        }
        if let dir, dir.contains("://") {
            throw ValidationError("\(dir) is no folder; todosync clone URL brings one from a remote")
        }
        if bare, dir == nil { throw ValidationError("--bare needs the name of a folder") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let folder = TypedPath(typed: dir ?? ".", currentDirectory: session.currentDirectory).absolute
        if bare {
            try createStore(at: folder, session.process)
            try session.say("made a store in \(visible(folder))\n")
        } else {
            try createFolders(folder)
            _ = try Workspace.create(at: folder, remote: nil, include: only, session.surroundings())
            try session.say("made a working directory in \(visible(folder))\n")
        }
        return .done
    }
}
