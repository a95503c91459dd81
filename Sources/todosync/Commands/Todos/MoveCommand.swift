internal import ArgumentParser
internal import SyncEngine
internal import WorkingCopy

/// The command `todosync mv TODO PATH`.
struct MoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Move or rename a todo's file.",
        usage: "todosync mv <todo> <path>",
        discussion: """
            Example: todosync mv buy-milk.yaml home/milk.yaml

            The todo stays the same, because it keeps its id; the next push sends the new path. Folders that are \
            missing are created, and a folder that becomes empty is removed. If the path is a folder, the file \
            keeps its name. No file is ever overwritten. "todosync undo" moves the file back.

            Exit status: 0 done, 64 the path is outside the working directory, or can't be a todo's path, 65 \
            the file is not a valid todo, 66 no such todo, 73 there is a file at the path, or its folder \
            can't be created, 74 a file can't be read or written, 75 another todosync is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Argument(help: "The new path, or a folder.", completion: .file())
    var path: String

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let typed = TypedPath(typed: path, currentDirectory: session.currentDirectory)
        guard let target = typed.relative(to: workspace.root) else {
            throw Failure(
                .usage, "\(visible(path)) is not in the working directory \(visible(workspace.root))")
        }
        let isFolder = path.hasSuffix("/") || typed.exists && !typed.isFile
        let moved = try workspace.move(
            session.todoNames([todo], in: workspace)[0],
            to: isFolder && !target.isEmpty ? target + "/" : target)
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json([moved], TodoNames(of: workspace)))
        } else if moved.operation == nil {
            session.remark("\(style.path(moved.path)) is already there")
        } else {
            try session.print(
                "moved  \(style.path(moved.previousPath ?? moved.path)) -> \(style.path(moved.path))\n")
        }
        return .done
    }
}

/// The command `todosync rm TODO…`.
struct RemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete todos.",
        usage: """
            todosync rm <todo>...
            todosync rm [--yes] <filter>...
            """,
        discussion: """
            Example: todosync rm is:done tag:shop

            Deletes the files. The next push deletes the todos on the remote.

            If you name a todo by words or by a prefix of its file's name, todosync asks first; without a \
            terminal, add --yes.

            \(FilterArgument.manyTodos) With a filter, rm always asks.
            """)

    @Argument(help: TodoArgument.helpWithFilter, completion: TodoArgument.completion)
    var todos: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let changes = ManyChanges(
            action: { "delete \($0)" }, word: "deleted", isAlwaysConfirmed: true
        ) { _ in "" }
        guard let chosen = try session.choose(todos, for: changes, confirmation, in: workspace) else {
            return .done
        }
        let (removed, conflicted) = try workspace.remove(chosen.names)
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(
                json: todosync.json(
                    removed.map { todo in
                        ReportRow(
                            id: todo.id, path: todo.path, operation: .delete,
                            notes: conflicted.contains(todo.path) ? [.conflictLeft] : [])
                    }, TodoNames(of: workspace)))
        } else {
            try session.print(
                chosen.lines ?? confirmations(removed.map { (changes.word, $0.text, $0.path) }, style))
        }
        guard !conflicted.isEmpty else { return .done }
        session.warn(
            conflicted.map { "conflict: \(style.path($0)) is not resolved yet" }
                + ["hint: \(Advice.resolveGone(Advice.name(of: conflicted, style)))"])
        return .needsUser
    }
}
