internal import SyncEngine
internal import ThreeWayMerge

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
            try session.say(render(report, isDryRun: dryRun, style))
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
