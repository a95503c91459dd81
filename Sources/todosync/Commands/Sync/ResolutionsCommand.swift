internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine

/// The command `todosync resolutions` and its subcommands.
struct ResolutionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolutions",
        abstract: "List or forget how you resolved conflicts.",
        usage: """
            todosync resolutions [--json] [<todo>...]
            todosync resolutions forget <todo>...
            todosync resolutions forget --all
            """,
        discussion: """
            Example: todosync resolutions forget hello-world-3.yaml

            todosync remembers what you chose for each conflicting value, in this folder only. If the same \
            conflict comes up again, "todosync resolve --again" resolves it in the same way. With merge: \
            {remember: true} in .todosync/config.yaml, push, pull and sync do this automatically. Without a \
            subcommand, lists what todosync remembers.

            Exit status: 0 done, 66 no such todo, 73 or 74 a file can't be read or written, 75 another todosync \
            is running here.
            """,
        subcommands: [ResolutionsListCommand.self, ResolutionsForgetCommand.self],
        defaultSubcommand: ResolutionsListCommand.self)
}

/// The command `todosync resolutions list [TODO…]`.
struct ResolutionsListCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List resolutions: the todo, the field, what you chose, and when.",
        usage: "todosync resolutions [list] [--json] [<todo>...]",
        discussion: "Example: todosync resolutions list hello-world-3.yaml")

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let resolutions = try workspace.resolutions(
            of: todos.map { session.pastTodoName($0, in: workspace) })
        if json.isWanted {
            try session.show(json: todosync.json(resolutions))
        } else {
            try session.show(render(resolutions, Present(session.dates), session.style(in: workspace)))
        }
        return .done
    }
}

/// The command `todosync resolutions forget TODO…`.
struct ResolutionsForgetCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget how you resolved conflicts of some todos, or of all.",
        usage: """
            todosync resolutions forget <todo>...
            todosync resolutions forget --all
            """,
        discussion: """
            Example: todosync resolutions forget hello-world-3.yaml

            Exit status: 0 done, 64 neither todos nor --all is given, or both are, 66 no such todo, 73 or 74 a \
            file can't be read or written, 75 another todosync is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todos: [String] = []

    @Flag(help: "Forget all resolutions.")
    var all = false

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if all == !todos.isEmpty { throw ValidationError("forget needs either todos or --all") }
    }

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let count = try workspace.forgetResolutions(
            of: todos.map { session.pastTodoName($0, in: workspace) })
        if json.isWanted {
            try session.show(json: .mapping(["forgotten": .integer(count)]))
        } else {
            try session.print(
                count == 0 ? "nothing to forget\n" : "forgot \(counted(count, "resolution"))\n")
        }
        return .done
    }
}
