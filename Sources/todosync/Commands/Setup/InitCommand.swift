internal import ArgumentParser
internal import Remotes
internal import SyncEngine

/// The command `todosync init [DIR]`.
struct InitCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a working directory, or a store with --bare.",
        usage: """
            todosync init [--only <glob>]... [<dir>]
            todosync init --bare <dir>
            """,
        discussion: """
            The first push sends todo files that are already in the folder as new todos. A store is a folder on \
            this machine; working directories push to it and pull from it.

            In a linked git worktree, init offers the remote of the same folder in the main worktree, and \
            begins with the versions that are known there.

            Example: todosync init --bare store && todosync clone store phone
            """)

    @Flag(help: "Create a store instead of a working directory.")
    var bare = false

    @Option(
        help: ArgumentHelp(
            "Treat only files that match this pattern as todos; can be repeated.",
            valueName: "glob"))
    var only: [String] = []

    @Argument(help: "The folder; the current one by default.", completion: .directory)
    var dir: String?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if bare, !only.isEmpty {
            throw ValidationError("--only works only with working directories")
        }
        if let dir, dir.contains("://") {
            throw ValidationError("\(dir) is not a folder; run \"todosync clone URL\" to clone a remote")
        }
        if bare, dir == nil { throw ValidationError("--bare needs a folder") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let folder = TypedPath(typed: dir ?? ".", currentDirectory: session.currentDirectory).absolute
        if bare {
            try createStore(at: folder, session.process)
            try session.say("created a store in \(visible(folder))\n")
        } else {
            try createFolders(folder)
            if only.isEmpty, try takesOver(folder, session) { return .done }
            _ = try Workspace.create(at: folder, remote: nil, include: only, session.surroundings())
            try session.say("created a working directory in \(visible(folder))\n")
        }
        return .done
    }

    /// Begins with what the main worktree's working directory remembers, if the folder is in a linked
    /// worktree of git and the user agrees; without a terminal, it doesn't ask.
    private func takesOver(_ folder: String, _ session: Session) throws -> Bool {
        let surroundings = try session.surroundings()
        guard let main = Workspace.inMainWorktree(of: folder, surroundings), let remote = try main.remoteURL
        else { return false }
        if let terminal = Terminal(session.process) {
            let question = "use the remote of the main worktree, \(visible(remote))? [Y/n] "
            guard ["", "y", "yes"].contains(terminal.ask(question)?.lowercased()) else { return false }
        }
        _ = try Workspace.create(at: folder, takingOver: main, surroundings)
        try session.say(
            "created a working directory in \(visible(folder)), with the remote of the main worktree\n")
        return true
    }
}
