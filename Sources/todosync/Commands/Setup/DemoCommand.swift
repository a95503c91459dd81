internal import ArgumentParser

/// The command `todosync demo [DIR]`.
struct DemoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Set up two working directories with a conflict to try things on.",
        usage: "todosync demo [<dir>]",
        discussion: """
            Makes a store and two working directories of it, phone and laptop, in which one todo was changed in two \
            ways. Each command is shown as you would type it, with its output; the conflict is left to you.
            """)

    @Argument(help: "The folder; todosync-demo if none is named.", completion: .directory)
    var dir = "todosync-demo"

    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let folder = TypedPath(typed: dir, currentDirectory: session.currentDirectory).absolute
        try createFolders(folder)
        guard try isEmptyFolder(folder) else {
            throw Failure(
                .cannotCreate, "\(visible(dir)) exists and is not empty",
                hint: "todosync demo DIR takes another folder")
        }
        try Demo(session: session, folder: folder, typedFolder: dir).play()
        return .done
    }
}
