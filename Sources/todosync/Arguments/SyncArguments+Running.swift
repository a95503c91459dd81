internal import SyncEngine

extension SyncArguments {
    /// Lets the engine push, pull or sync, and tells what came of it.
    ///
    /// - Throws: A ``Failure`` where the user is to be asked and there is no terminal; what stopped the engine.
    func run(
        todos: [String] = [], in session: Session,
        _ verb: @escaping @Sendable (Workspace, SyncOptions) async throws -> SyncReport
    ) throws -> ExitStatus {
        let prompt = onConflict == .prompt ? try ConflictPrompt.atTerminal(of: session) : nil
        let workspace = try session.workspace(lock)
        let options = SyncOptions(
            todos: session.todoNames(todos, in: workspace), policy: onConflict.policy(prompt),
            isDryRun: dryRun,
            allowedDeletes: allowDeletes)
        let report = try waiting { try await verb(workspace, options) }
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.say(render(report, isDryRun: dryRun, style))
        }
        let status = try session.finish(report, style: style)
        // What was not answered is as open as it was before.
        return prompt?.wasCancelled == true ? .needsUser : status
    }
}

extension ConflictChoice {
    fileprivate func policy(_ prompt: ConflictPrompt?) -> ConflictPolicy {
        switch self {
        case .local: .use(.local)
        case .remote: .use(.remote)
        case .prompt: prompt.map { .ask($0.ask) } ?? .markers
        case .markers: .markers
        }
    }
}
