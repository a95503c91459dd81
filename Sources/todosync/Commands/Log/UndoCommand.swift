internal import ArgumentParser
internal import SyncEngine
internal import Values

/// The command `todosync undo [OPERATION]`.
struct UndoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo what you did to your files.",
        usage: "todosync undo [--dry-run] [--json] [<operation>]",
        discussion: """
            Example: todosync undo 3f2a9c1b

            Without an operation, undoes your newest change in this folder that isn't undone yet: a todosync \
            command, or the edits and deletes that you made with an editor or a shell and then sent with a push \
            or sync. It skips operations that no longer have an effect, such as a new todo whose file is gone. It \
            undoes what a pull changed only if you name the operation. An edit that has not been sent is not an \
            operation; "todosync discard" discards it. A todo that you created with an editor stays; undo names \
            it, and "todosync rm" deletes it.

            Your later changes and those of others stay. If the same field has changed since, todosync leaves \
            the todo unchanged and names it. An undo is a change like any other, and the next push sends it to \
            the remote. "todosync redo" redoes what was undone.

            @1 is the last operation in "todosync log", @2 the one before, and so on.

            Before it changes more than three todos, todosync lists them and asks, if there is a terminal. With \
            --json or without a terminal, it does not ask.

            Exit status: 0 done, or nothing to undo, 1 you answered no, or a todo was left unchanged, 66 no such \
            operation, 73 or 74 a file can't be read or written, 75 another todosync is running here.
            """)

    @Argument(help: OperationArgument.help)
    var operation: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var reversal: ReversalArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        // Without an operation's id, the next undo would try the same operation again.
        let hint = operation == nil ? Advice.undoAnother : nil
        return try reversal.run(.undo, isJSON: json.isWanted, hint: hint, in: session) { workspace, options in
            try workspace.undo(operation, options)
        }
    }
}

/// The command `todosync redo`.
struct RedoCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo what you undid last.",
        usage: "todosync redo [--dry-run] [--json]",
        discussion: """
            Example: todosync redo

            After several undos, each redo reverses the newest one that is still in effect. After a new change, \
            there is nothing to redo, and the report names its operation. You can still undo an undo: run "todosync \
            undo" with its id.

            Before it changes more than three todos, todosync lists them and asks, if there is a terminal. With \
            --json or without a terminal, it does not ask.

            Exit status: 0 done, or nothing to redo, 1 you answered no, or a todo was left unchanged, 73 or 74 a \
            file can't be read or written, 75 another todosync is running here.
            """)

    @OptionGroup var json: JSONOption
    @OptionGroup var reversal: ReversalArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try reversal.run(.redo, isJSON: json.isWanted, in: session) { workspace, options in
            try workspace.redo(options)
        }
    }
}

/// The command `todosync restore TODO [--to OPERATION]`, or `--all --before OPERATION`.
struct RestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a todo, or all todos, to an earlier state.",
        usage: """
            todosync restore <todo> [--to <operation>]
            todosync restore --all --before <operation> [--dry-run]
            """,
        discussion: """
            Example: todosync restore hello-world-3.yaml --to 3f2a9c1b^

            Restores a todo's text as it was after an operation. Works for deleted todos, too. todosync saves \
            the current file in the operation log, and the restored text is an edit like any other. Add ^ to \
            the operation to restore the text from just before it: the text that a pull, an rm or a resolve \
            replaced. @1 is the last operation in "todosync log", @2 the one before. Without --to, discards the \
            local changes to the todo, as "todosync discard" does.

            --all restores the whole folder as it was before an operation: texts, paths, and the set of todos. \
            It merges nothing, so it also reverts what others changed since then, and the next push sends that. \
            Todos with conflicts and files that todosync has not recorded stay as they are. Before it changes \
            more than three todos, todosync lists them and asks, if there is a terminal. "todosync undo" undoes \
            the restoration.

            Exit status: 0 done, 1 you answered no, or a todo has a conflict or can't be restored, 66 no \
            such todo or operation, a todo without a file of yours, or the log doesn't have the text, 73 or 74 a file can't be read or \
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

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var reversal: ReversalArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

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
            if reversal.dryRun { throw ValidationError("--dry-run works only with --all") }
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        if let before {
            let asks = !confirmation.yes && !confirmation.noInput
            return try reversal.run(.restore, isJSON: json.isWanted, asks: asks, in: session) {
                workspace, options in
                try workspace.restoreAll(before: before, options)
            }
        }
        guard let todo else { preconditionFailure("validate() refuses that") }
        let workspace = try session.workspace(reversal.lock)
        guard let to else {
            try checkIsEdited(todo, in: workspace, session)
            return try session.discard([todo], confirmation, json, in: workspace)
        }
        let name = session.pastTodoName(todo, in: workspace)
        let (restored, change) = try workspace.restore(name, to: to)
        if json.isWanted {
            let changed = ReportRow(id: restored.id, path: restored.path, operation: change)
            try session.show(json: todosync.json([changed], TodoNames(of: workspace)))
            return .done
        }
        try session.print(rendered(restored: restored, change, session.style(in: workspace)))
        return .done
    }

    /// Checks that a todo without `--to` has its file, and that this file is the user's.
    ///
    /// - Throws: A ``Failure`` that names the commands if the todo is deleted or held, because several states
    ///   can be meant.
    private func checkIsEdited(_ todo: String, in workspace: Workspace, _ session: Session) throws {
        let name = session.pastTodoName(todo, in: workspace)
        let word = visible(shellQuoted(todo))
        let log =
            "\"todosync restore \(word) --to OPERATION\" for an earlier text; run "
            + "\"todosync log \(word)\" to list the operations"
        let newest = "run \"todosync discard \(word)\" for its newest version, or \(log)"
        do {
            if try !workspace.locate(name).isOlder { return }
            throw Failure(.notFound, "\(word) is held: git checked out an older version", hint: newest)
        } catch EngineError.isAbsent(let path) {
            throw Failure(.notFound, "\(visible(path)) is held: git removed its file", hint: newest)
        } catch EngineError.noSuchTodo(let name) {
            // A todo that was deleted before the last push is only in the log.
            let isPending = (try? workspace.show(name, .base)) != nil
            guard isPending || (try? workspace.log(name))?.isEmpty == false else {
                throw EngineError.noSuchTodo(name)
            }
            throw Failure(.notFound, "\(word) is deleted", hint: isPending ? newest : "run \(log)")
        }
    }
}

/// The options that `undo`, `redo` and `restore --all` share.
struct ReversalArguments: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would be done, but change nothing.")
    var dryRun = false

    @OptionGroup var lock: LockOptions

    /// The largest number of todos to change back without a prompt.
    private static let mostWithoutQuestion = 3

    /// Changes todos back and reports the result; prompts at a terminal first if there are many todos.
    ///
    /// - Parameters:
    ///   - isJSON: Whether the report is printed as JSON, for a program that can't answer questions.
    ///   - asks: Whether to prompt at all.
    ///   - hint: The last line if some todos were refused and none was changed back.
    func run(
        _ reversal: ReversalWords, isJSON: Bool = false, asks: Bool = true, hint: String? = nil,
        in session: Session,
        _ verb: (Workspace, ReversalOptions) throws -> UndoReport
    ) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let style = session.style(in: workspace)
        let terminal = isJSON || dryRun || !asks ? nil : Terminal(session.process)
        let options = ReversalOptions(isDryRun: dryRun) { report in
            guard let terminal, Self.needsQuestion(report) else { return true }
            terminal.output.writeIgnoringErrors(changesTable(report, isPlanned: true, style))
            return terminal.confirms(reversal.question(report))
        }
        let report = try verb(workspace, options)
        if report.isCancelled { throw Failure(declined: "nothing was changed") }
        if isJSON {
            try session.show(json: todosync.json(report))
        } else {
            // The prompt has already listed the todos.
            let hasAsked = terminal != nil && Self.needsQuestion(report)
            try session.print(render(report, reversal, isDryRun: dryRun, listsTodos: !hasAsked, style))
        }
        if !isJSON, let note = note(onCreated: report.created, style) { session.remark(note) }
        session.warn(warnings(report, reversal, hint: hint, style))
        if let failure = Failure(leaving: report.refused.compactMap { $0.cause }) { throw failure }
        return report.refused.isEmpty ? .done : .needsUser
    }

    private static func needsQuestion(_ report: UndoReport) -> Bool {
        report.undone.count > mostWithoutQuestion
    }
}
