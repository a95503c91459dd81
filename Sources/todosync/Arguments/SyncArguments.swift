internal import ArgumentParser
internal import SyncEngine
internal import ThreeWayMerge

/// The options that `push`, `pull` and `sync` share.
struct SyncArguments: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would be done, but change nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Choose what to do if both sides changed the same part.",
            discussion: """
                markers, the default, writes both versions into the file. local and remote use that side; \
                parts that merged stay merged. prompt asks you at the terminal. With this option, todosync \
                doesn't run merge.handler.
                """,
            valueName: "how"))
    var onConflict: ConflictChoice?

    @Option(
        help: ArgumentHelp(
            "Allow up to <count> deletes.",
            discussion: """
                Otherwise, todosync withholds more than ten deletes if they are more than half of all todos, \
                or all todos in a top-level folder. It also doesn't send deletes of all todos, unless \
                todosync commands made them.
                """,
            valueName: "count"))
    var allowDeletes: Int?

    @Flag(help: "Sync as usual even if git is in the middle of a merge, a rebase or another operation.")
    var duringGit = false

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions

    func validate() throws {
        if let allowDeletes, allowDeletes < 0 {
            throw ValidationError("--allow-deletes must be 0 or more")
        }
    }
}

/// The option that only `push` and `sync` have, because a pull sends no edits.
struct EditArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Allow up to <count> edits to be sent.",
            discussion: """
                Otherwise, todosync withholds edits of more than half of the todos if there are more than \
                twenty todos, unless todosync commands made them.
                """,
            valueName: "count"))
    var allowEdits: Int?

    func validate() throws {
        if let allowEdits, allowEdits < 0 {
            throw ValidationError("--allow-edits must be 0 or more")
        }
    }
}

/// The values of `--on-conflict`.
enum ConflictChoice: String, ExpressibleByArgument, CaseIterable {
    case markers, local, remote, prompt
}

extension SyncArguments {
    /// Pushes, pulls or syncs, and reports the result.
    ///
    /// - Parameters:
    ///   - edits: The option that limits how many edits are sent.
    ///   - forwards: Whether todos that git rolled back become the newest version.
    /// - Throws: A ``Failure`` if the user has to be prompted and there is no terminal, or the engine's
    ///   error.
    func run(
        todos: [String] = [], _ edits: EditArguments? = nil, forwards: Bool = false, in session: Session,
        _ verb: @escaping @Sendable (Workspace, SyncOptions) async throws -> SyncReport
    ) throws -> ExitStatus {
        let policy = try (onConflict ?? .markers).policy(in: session)
        let workspace = try session.workspace(lock)
        var options = SyncOptions(
            todos: session.todoNames(todos, in: workspace), policy: policy,
            isDryRun: dryRun,
            allowedDeletes: allowDeletes, countsPending: json.isWanted)
        (options.forwards, options.isDuringGit, options.allowedEdits) = (
            forwards, duringGit, edits?.allowEdits
        )
        options.allowsManyMarkers = onConflict != nil
        if onConflict == nil {
            let handler = MergeHandler(in: workspace, session, isSilent: json.isWanted)
            options.handler = .command(handler.decide)
        }
        if !dryRun, !json.isWanted, let terminal = Terminal(session.process) {
            let style = session.style(in: workspace)
            options.askAboutHeld = { askAboutHeld($0, at: terminal, style) }
            options.askAboutAdoption = { try askAboutAdoption(of: $0, at: terminal, style) }
        }
        let report = try waiting(showing: session.progress) { [options] in try await verb(workspace, options)
        }
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else if !report.hasDoneNothing {
            try session.print(render(report, isDryRun: dryRun, style))
        }
        return try session.finish(report, style: style)
    }
}

extension ConflictChoice {
    fileprivate func policy(in session: Session) throws -> ConflictPolicy {
        switch self {
        case .markers: .markers
        case .local: .use(.local)
        case .remote: .use(.remote)
        case .prompt: .ask(try ConflictPrompt.atTerminal(of: session).ask)
        }
    }
}
