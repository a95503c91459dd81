internal import ArgumentParser
internal import LosslessYAML
internal import Remotes
internal import SyncEngine
internal import Values
internal import WorkingCopy

/// The command `todosync init [DIR]`.
struct InitCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a working directory, or a store with --bare.",
        usage: """
            todosync init [--only <glob>]... [--force] [<dir>]
            todosync init --bare <store>
            """,
        discussion: """
            Example: todosync init --bare store && todosync clone store phone

            The first push sends todo files that are already in the folder as new todos. The command prints how \
            many it finds, and how many other YAML files it ignores. A store is a folder on this machine; \
            working directories push to it and pull from it. It can also be in a PostgreSQL database, for \
            "todosync serve".

            A folder inside a working directory belongs to it already, so init refuses to create another one there \
            without --force. It never creates one inside a store.

            In a linked git worktree, init offers the remote of the same folder in the main worktree, and \
            begins with the versions that are recorded there.
            """)

    @Flag(help: "Create a store instead of a working directory.")
    var bare = false

    @Option(
        help: ArgumentHelp(
            "Treat only files that match this pattern as todos; can be repeated.",
            valueName: "glob"))
    var only: [String] = []

    @Flag(help: "Create it even inside a working directory.")
    var force = false

    @Argument(
        help: "The folder, by default the current one; with --bare, the store.", completion: .directory)
    var dir: String?

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    /// What the command creates.
    enum Kind: String {
        case workingDirectory, store
    }

    func validate() throws {
        if bare, !only.isEmpty { throw ValidationError("--only works only with working directories") }
        if let dir, dir.contains("://"), !bare || DatabaseAddress(dir) == nil {
            throw ValidationError("\(dir) is not a folder; run \"todosync clone URL\" to clone a remote")
        }
        if bare, dir == nil { throw ValidationError("--bare needs a folder, or the URL of a database") }
    }

    func run(in session: Session) throws -> ExitStatus {
        if bare, let dir, DatabaseAddress(dir) != nil {
            try StoreLocation(typed: dir, in: session).create(json: json, in: session)
            return .done
        }
        let folder = TypedPath(typed: dir ?? ".", currentDirectory: session.currentDirectory).absolute
        try checkSurroundings(of: folder, session)
        if bare {
            let isStore = storeFolder(around: folder) == folder
            try createStore(at: folder, session.process)
            if json.isWanted {
                try session.show(json: initJSON(.store, in: folder))
            } else {
                try session.print(
                    isStore
                        ? "\(visible(folder)) is already a store\n"
                        : "created a store in \(visible(folder))\n")
            }
        } else {
            try createFolders(folder)
            if only.isEmpty, try takesOver(folder, session) { return .done }
            let workspace = try Workspace.create(
                at: folder, remote: nil, include: only, session.surroundings())
            try report(workspace, "created a working directory in \(visible(folder))", session)
        }
        return .done
    }

    /// Checks that the folder is neither in a store nor in a working directory.
    private func checkSurroundings(of folder: String, _ session: Session) throws {
        // Creating a store again doesn't change it.
        try checkIsOutsideStores(folder, bare ? normalized(folder + "/..") : folder)
        if force { return }
        try checkIsOutsideWorkingDirectories(
            folder, session.surroundings(),
            hint: bare
                ? "choose a folder outside of it, or create the store in it with --force"
                : "todosync commands work there already; --force creates another working directory in it")
    }

    /// Prints what was created and what it contains.
    private func report(_ workspace: Workspace, _ line: String, _ session: Session) throws {
        let found = FoundFiles(try workspace.status())
        if json.isWanted {
            try session.show(
                json: initJSON(.workingDirectory, in: workspace.root, remote: workspace.remoteURL, found))
        } else {
            try session.print(([line] + [found.line].compactMap(\.self)).map { $0 + "\n" }.joined())
        }
    }

    /// Creates the working directory from that of the main worktree, if the folder is in a linked git
    /// worktree.
    ///
    /// At a terminal, the user has to agree. Returns false if nothing was created.
    private func takesOver(_ folder: String, _ session: Session) throws -> Bool {
        let surroundings = try session.surroundings()
        guard let main = Workspace.inMainWorktree(of: folder, surroundings), let remote = try main.remoteURL
        else { return false }
        if let terminal = Terminal(session.process) {
            let question = "use the remote of the main worktree, \(visible(remote))? [Y/n] "
            guard ["", "y", "yes"].contains(terminal.ask(question)?.lowercased()) else { return false }
        }
        let workspace = try Workspace.create(at: folder, takingOver: main, surroundings)
        let line = "created a working directory in \(visible(folder)), with the remote of the main worktree"
        if json.isWanted {
            try report(workspace, line, session)
        } else {
            try session.print(line + "\n")
        }
        return true
    }
}

/// The numbers of todos and other YAML files in a new working directory.
struct FoundFiles: Sendable {
    let todos: Int
    /// Files that should be todos but can't be read as todos.
    let invalid: Int
    /// Other YAML files.
    let others: Int

    init(todos: Int, invalid: Int, others: Int) {
        (self.todos, self.invalid, self.others) = (todos, invalid, others)
    }

    init(_ report: StatusReport) {
        // A new todo with conflict markers is pending, too.
        let todos = Set((report.pending.map(\.path) + report.conflicts.map(\.path)).map(ByteKey.init))
        self.init(
            todos: todos.count, invalid: report.invalid.count,
            others: report.ignored.count { $0.reason == .noTodo })
    }

    /// The line that `init` prints; nil if the folder has no YAML files.
    var line: String? {
        var parts = todos > 0 ? [counted(todos, "todo")] : []
        if invalid > 0 {
            let kind = invalid == 1 ? "a todo" : "todos"
            parts.append("\(counted(invalid, "file")) that can't be read as \(kind)")
        }
        if others > 0 { parts.append("\(counted(others, "other YAML file"))") }
        guard !parts.isEmpty else { return nil }
        let isNarrow = invalid + others == 0
        return "found " + parts.joined(separator: ", ")
            + (isNarrow ? "" : "; use --only or .todosyncignore to exclude files")
    }
}
