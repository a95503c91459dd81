internal import SyncEngine
internal import ThreeWayMerge

extension SyncArguments {
    /// Lets the engine push, pull or sync, and reports the result.
    ///
    /// - Throws: A ``Failure`` if the user has to be prompted and there is no terminal; whatever stopped the
    ///   engine.
    func run(
        todos: [String] = [], in session: Session,
        _ verb: @escaping @Sendable (Workspace, SyncOptions) async throws -> SyncReport
    ) throws -> ExitStatus {
        let policy = try onConflict.policy(in: session)
        let workspace = try session.workspace(lock)
        let options = SyncOptions(
            todos: session.todoNames(todos, in: workspace), policy: policy,
            isDryRun: dryRun,
            allowedDeletes: allowDeletes, countsPending: json.isWanted)
        let report = try waiting { try await verb(workspace, options) }
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
