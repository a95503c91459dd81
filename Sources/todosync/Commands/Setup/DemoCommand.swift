internal import ArgumentParser

/// The command `todosync demo [DIR]`.
struct DemoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Set up two working directories with a conflict to try out.",
        usage: "todosync demo [<dir>]",
        discussion: """
            Creates a store and two working directories, phone and laptop, that change the same todo in \
            different ways. Shows each command as you would type it, with its output, and leaves the conflict \
            for you to resolve.
            """)

    @Argument(help: "The folder to create.", completion: .directory)
    var dir = "todosync-demo"

    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let folder = TypedPath(typed: dir, currentDirectory: session.currentDirectory).absolute
        try createFolders(folder)
        guard try isEmptyFolder(folder) else {
            throw Failure(
                .cannotCreate, "\(visible(dir)) exists and is not empty",
                hint: "run \"todosync demo DIR\" to use another folder")
        }
        try Demo(session: session, folder: folder, typedFolder: dir).play()
        return .done
    }
}
