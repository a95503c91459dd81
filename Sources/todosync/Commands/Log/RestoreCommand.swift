internal import ArgumentParser
internal import SyncEngine

/// The command `todosync restore TODO --to OPERATION`, or `--all --before OPERATION`.
struct RestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a todo, or all todos, to an earlier state.",
        usage: """
            todosync restore <todo> --to <operation>
            todosync restore --all --before <operation> [--dry-run]
            """,
        discussion: """
            Example: todosync restore hello-world-3.yaml --to 3f2a9c1b^

            Restores a todo's text as it was after an operation. Works for deleted todos, too. todosync saves \
            the current file in the operation log, and the restored text is an edit like any other. Add ^ to \
            the operation to restore the text from just before it: the text that a pull, an rm or a resolve \
            replaced. @1 is the last operation in "todosync log", @2 the one before.

            --all restores the whole folder as it was before an operation: texts, paths, and the set of todos. \
            It merges nothing, so it also reverts what others changed since then, and the next push sends that. \
            Todos with conflicts and files that todosync has not recorded stay as they are. Before it changes \
            more than three todos, todosync lists them and asks, if there is a terminal. "todosync undo" undoes \
            the restoration.

            Exit status: 0 done, 1 you answered no, or a todo has a conflict or can't be restored, 66 no \
            such todo or operation, or the log doesn't have the text, 73 or 74 a file can't be read or \
            written, 75 another todosync is running here.
            """)

    @Argument(help: TodoArgument.help, completion: TodoArgument.completion)
    var todo: String?

    @Option(help: OperationArgument.help)
    var to: String?

    @Flag(help: "Restore the whole folder.")
    var all = false

    @Option(help: OperationArgument.help)
    var before: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var reversal: ReversalArguments
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all {
            if todo != nil { throw ValidationError("use either a todo or --all") }
            if to != nil { throw ValidationError("--all needs --before, not --to") }
            if before == nil { throw ValidationError("--all needs --before with an operation") }
        } else {
            if todo == nil { throw ValidationError("restore needs either a todo or --all") }
            if before != nil {
                throw ValidationError("--before works only with --all; --to with ^ does the same for a todo")
            }
            if to == nil { throw ValidationError("restore needs --to with an operation") }
            if reversal.dryRun { throw ValidationError("--dry-run works only with --all") }
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        if let before {
            return try reversal.run(.restore, isJSON: json.isWanted, in: session) { workspace, options in
                try workspace.restoreAll(before: before, options)
            }
        }
        guard let todo, let to else { preconditionFailure("validate() refuses that") }
        let workspace = try session.workspace(reversal.lock)
        let name = session.pastTodoName(todo, in: workspace)
        let (restored, change) = try workspace.restore(name, to: to)
        if json.isWanted {
            let changed = ChangeJSON(restored.id, restored.path, change)
            try session.show(json: todosync.json([changed], TodoNames(of: workspace)))
            return .done
        }
        try session.say(rendered(restored: restored, change, session.style(in: workspace)))
        return .done
    }
}
