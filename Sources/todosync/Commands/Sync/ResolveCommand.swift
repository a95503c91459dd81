internal import ArgumentParser
internal import SyncEngine

/// The command `todosync resolve [TODO…]`.
struct ResolveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Settle conflicts.",
        usage: """
            todosync resolve [<todo>...]
            todosync resolve --use local|remote|base [<todo>...]
            todosync resolve --abort [<todo>...]
            todosync resolve --interactive [<todo>...]
            """,
        discussion: """
            Without options, every conflicted file whose markers you have removed is taken as your answer. --use \
            takes one side for the blocks that are still in the file and leaves all else as you left it. What is \
            replaced can be brought back from the operation log.

            Example: todosync resolve hello-world-3.yaml --use local

            Exit status: 0 all resolved, 1 a conflict is still open, 66 no such todo, 75 another todosync is at work \
            here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @Option(help: ArgumentHelp("Take this side where both changed.", valueName: "side"))
    var use: SideChoice?

    @Flag(help: "Bring back the local file as it was before the merge; it stays pending.")
    var abort = false

    @Flag(name: .shortAndLong, help: "Ask at the terminal for each conflict.")
    var interactive = false

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let ways = (use == nil ? 0 : 1) + (abort ? 1 : 0) + (interactive ? 1 : 0)
        if ways > 1 { throw ValidationError("--use, --abort and --interactive exclude each other") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let resolution = try resolution(in: session)
        let names = session.todoNames(todos, in: workspace)
        let report = try workspace.resolve(names, resolution)
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.say(render(report, isAbort: abort, style))
        }
        session.warn(warnings(report, style))
        return report.unresolved.isEmpty ? .done : .needsUser
    }

    private func resolution(in session: Session) throws -> Resolution {
        if let use { return .use(use.side) }
        if abort { return .abort }
        if interactive { return .ask(try ConflictPrompt.atTerminal(of: session).ask) }
        return .file
    }
}

/// What `--use` takes.
enum SideChoice: String, ExpressibleByArgument, CaseIterable {
    case local, remote, base

    var side: ResolutionSide {
        switch self {
        case .local: .local
        case .remote: .remote
        case .base: .base
        }
    }
}
