internal import ArgumentParser
internal import SyncEngine

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
    ///   - hint: The last line if some todos were refused and none was changed back.
    func run(
        _ reversal: ReversalWords, isJSON: Bool = false, hint: String? = nil, in session: Session,
        _ verb: (Workspace, ReversalOptions) throws -> UndoReport
    ) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        let style = session.style(in: workspace)
        let terminal = isJSON || dryRun ? nil : Terminal(session.process)
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
            try session.say(render(report, reversal, isDryRun: dryRun, listsTodos: !hasAsked, style))
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
