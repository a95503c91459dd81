internal import ArgumentParser
internal import SyncEngine

/// The command `todosync show TODO`.
struct ShowCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a todo's file, or a different version of it.",
        usage: """
            todosync show [--base | --local | --remote] [--json] <todo>
            todosync show --at <operation> [--json] <todo>
            """,
        discussion: """
            Example: todosync show hello-world-3.yaml --remote

            The base version is the todo as the remote last confirmed it. In a conflict, the local version is \
            the file before todosync wrote the markers, and the remote version is the one that the file \
            conflicts with. --at prints the text that the todo had after an operation listed by "todosync log". \
            Add ^ to the operation for the text just before it.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String

    @Flag(help: "Which version to print.")
    var version: ShownVersionFlag?

    @Option(help: OperationArgument.help)
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if at != nil, version != nil {
            throw ValidationError("--at can't be used with --base, --local or --remote")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let shown =
            try at.map { try workspace.show(session.pastTodoName(todo, in: workspace), at: $0) }
            ?? workspace.show(session.todoNames([todo], in: workspace)[0], version?.version ?? .file)
        if shown.isBehind, !json.isWanted {
            session.remark("\(session.style(in: workspace).path(shown.path)): \(Advice.newestIsShown)")
        }
        if json.isWanted {
            try session.show(json: todosync.json(shown))
        } else if session.process.standardOutput.isTerminal {
            try session.page(visibleLines(shown.bytes))
        } else {
            try session.process.standardOutput.write(shown.bytes)
        }
        return .done
    }
}

/// The versions that have their own option.
enum ShownVersionFlag: String, EnumerableFlag {
    case base, local, remote

    var version: ShownVersion {
        switch self {
        case .base: .base
        case .local: .local
        case .remote: .remote
        }
    }

    static func help(for value: ShownVersionFlag) -> ArgumentHelp? {
        switch value {
        case .base: "Print the base version."
        case .local: "Print the local version."
        case .remote: "Print the remote's version."
        }
    }
}
